import { pagedList } from '../pages.ts';
import type { CallOptions } from '../transport.ts';
import type { BodyOf, Erasure, QueryOf } from '../types.ts';
import type { AdminCalls } from './calls.ts';

const ERASURES = '/admin/v1/environments/{environmentId}/erasures';

/** Erasures of one recipient's data, in the background. */
export function erasuresOf({ http, perform }: AdminCalls) {
  return {
    /** Those of one environment. */
    of: (environmentId: string) =>
      pagedList<QueryOf<'listErasures'>, Erasure>((query, options) =>
        perform(
          (init) => http.GET(ERASURES, { ...init, params: { path: { environmentId }, query } }),
          options,
        ),
      ),
    get: (erasureId: string, options?: CallOptions) =>
      perform(
        (init) => http.GET('/admin/v1/erasures/{erasureId}', { ...init, params: { path: { erasureId } } }),
        options,
      ),
    /** To ask twice is harmless: the second finds nothing. */
    create: (environmentId: string, body: BodyOf<'createErasure'>, options?: CallOptions) =>
      perform((init) => http.POST(ERASURES, { ...init, params: { path: { environmentId } }, body }), options),
  };
}
