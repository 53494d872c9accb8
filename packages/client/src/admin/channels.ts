import { pagedList } from '../pages.ts';
import type { CallOptions } from '../transport.ts';
import type { BodyOf, ConfiguredChannel, QueryOf } from '../types.ts';
import { type AdminCalls, once } from './calls.ts';

const CHANNELS = '/admin/v1/environments/{environmentId}/channels';
const CHANNEL = '/admin/v1/channels/{channelId}';

/** Where deliveries go. */
export function channelsOf({ http, perform }: AdminCalls) {
  return {
    /** Those of one environment. */
    of: (environmentId: string) =>
      pagedList<QueryOf<'listChannels'>, ConfiguredChannel>((query, options) =>
        perform(
          (init) => http.GET(CHANNELS, { ...init, params: { path: { environmentId }, query } }),
          options,
        ),
      ),
    get: (channelId: string, options?: CallOptions) =>
      perform((init) => http.GET(CHANNEL, { ...init, params: { path: { channelId } } }), options),
    /** The answer has the signing secret of a webhook, which is not shown again. */
    create: (environmentId: string, body: BodyOf<'createChannel'>, options?: CallOptions) =>
      perform(
        (init) => http.POST(CHANNELS, { ...init, params: { path: { environmentId } }, body }),
        once(options),
      ),
    update: (channelId: string, body: BodyOf<'updateChannel'>, options?: CallOptions) =>
      perform((init) => http.PATCH(CHANNEL, { ...init, params: { path: { channelId } }, body }), options),
    /** Ends its open runs. */
    delete: (channelId: string, options?: CallOptions) =>
      perform((init) => http.DELETE(CHANNEL, { ...init, params: { path: { channelId } } }), options),
    /** The answer has the new secret, which is not shown again. */
    rotateSecret: (channelId: string, body: BodyOf<'rotateChannelSecret'> = {}, options?: CallOptions) =>
      perform(
        (init) => http.POST(`${CHANNEL}/rotate-secret`, { ...init, params: { path: { channelId } }, body }),
        once(options),
      ),
    /** Sends a test, marked as one and counted nowhere. */
    test: (channelId: string, body: BodyOf<'testChannel'> = {}, options?: CallOptions) =>
      perform(
        (init) => http.POST(`${CHANNEL}/test`, { ...init, params: { path: { channelId } }, body }),
        once(options),
      ),
  };
}
