import { deliveriesOf } from '../deliveries.ts';
import { messageLists } from '../pages.ts';
import type { CallOptions } from '../transport.ts';
import type { Message, MessageSearchQuery } from '../types.ts';
import type { AdminCalls } from './calls.ts';

const MESSAGES = '/admin/v1/environments/{environmentId}/messages';
const MESSAGE = `${MESSAGES}/{messageId}` as const;

/** What has become of the events of any environment. */
export function messagesOf({ http, perform }: AdminCalls) {
  return {
    /** Those of one environment; the filters on runs hold for one and the same run. A page can be empty. */
    of: (environmentId: string) => {
      const on = (messageId: string) => ({ params: { path: { environmentId, messageId } } });
      return {
        ...messageLists<MessageSearchQuery, Message>((query, options) =>
          perform(
            (init) => http.GET(MESSAGES, { ...init, params: { path: { environmentId }, query } }),
            options,
          ),
        ),
        get: (messageId: string, options?: CallOptions) =>
          perform((init) => http.GET(MESSAGE, { ...init, ...on(messageId) }), options),
        ...deliveriesOf((messageId, query, options) =>
          perform(
            (init) =>
              http.GET(`${MESSAGE}/deliveries`, {
                ...init,
                params: { path: { environmentId, messageId }, query },
              }),
            options,
          ),
        ),
      };
    },
  };
}
