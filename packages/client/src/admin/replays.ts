import { pagedList } from '../pages.ts';
import type { CallOptions } from '../transport.ts';
import type { BodyOf, QueryOf, ReplayBatch, ReplayPreview } from '../types.ts';
import { type AdminCalls, once } from './calls.ts';

const REPLAYS = '/admin/v1/environments/{environmentId}/replays';
const REPLAY = '/admin/v1/replays/{replayId}';

type Body = BodyOf<'createReplayBatch'>;

/** Replays of all messages that match a filter, in the background. */
export function replaysOf({ http, perform }: AdminCalls) {
  /** One path does both: `dry_run` decides which of the two answers comes. */
  const post = (environmentId: string, body: Body, options: CallOptions | undefined) =>
    perform((init) => http.POST(REPLAYS, { ...init, params: { path: { environmentId } }, body }), options);
  const on = (replayId: string) => ({ params: { path: { replayId } } });
  return {
    /** Those of one environment. */
    of: (environmentId: string) =>
      pagedList<QueryOf<'listReplayBatches'>, ReplayBatch>((query, options) =>
        perform(
          (init) => http.GET(REPLAYS, { ...init, params: { path: { environmentId }, query } }),
          options,
        ),
      ),
    get: (replayId: string, options?: CallOptions) =>
      perform((init) => http.GET(REPLAY, { ...init, ...on(replayId) }), options),
    /** Counts what would be replayed, and does nothing. */
    count: async (environmentId: string, body: Omit<Body, 'dry_run'>, options?: CallOptions) =>
      (await post(environmentId, { ...body, dry_run: true }, options)) as ReplayPreview,
    create: async (environmentId: string, body: Omit<Body, 'dry_run'>, options?: CallOptions) =>
      (await post(environmentId, { ...body, dry_run: false }, once(options))) as ReplayBatch,
    /** The runs that were made go on. */
    cancel: (replayId: string, options?: CallOptions) =>
      perform((init) => http.POST(`${REPLAY}/cancel`, { ...init, ...on(replayId) }), options),
  };
}
