import { pagedList } from '../pages.ts';
import type { CallOptions } from '../transport.ts';
import type { BodyOf, EventTypeSummary, QueryOf } from '../types.ts';
import type { AdminCalls } from './calls.ts';

const EVENT_TYPES = '/admin/v1/environments/{environmentId}/event-types';
const EVENT_TYPE = `${EVENT_TYPES}/{eventKey}` as const;

/** What is known of events, and what their payloads must look like. */
export function eventTypesOf({ http, perform }: AdminCalls) {
  return {
    /** Those of one environment, by their keys, without their schemas. */
    of: (environmentId: string) =>
      pagedList<QueryOf<'listEventTypes'>, EventTypeSummary>((query, options) =>
        perform(
          (init) => http.GET(EVENT_TYPES, { ...init, params: { path: { environmentId }, query } }),
          options,
        ),
      ),
    get: (environmentId: string, eventKey: string, options?: CallOptions) =>
      perform(
        (init) => http.GET(EVENT_TYPE, { ...init, params: { path: { environmentId, eventKey } } }),
        options,
      ),
    /** Creates or replaces it: what is left out is removed. */
    put: (environmentId: string, eventKey: string, body: BodyOf<'putEventType'>, options?: CallOptions) =>
      perform(
        (init) => http.PUT(EVENT_TYPE, { ...init, params: { path: { environmentId, eventKey } }, body }),
        options,
      ),
  };
}
