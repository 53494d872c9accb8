import type { CallOptions } from './transport.ts';
import type { Deliveries, DeliveriesQuery, DeliveryRun } from './types.ts';

/** Options of reading a page of a message's delivery runs. */
export interface DeliveriesOptions extends CallOptions, DeliveriesQuery {}

/** Creates the reads of a message's delivery runs from a call that reads one page. */
export function deliveriesOf(
  read: (messageId: string, query: DeliveriesQuery, options: CallOptions) => Promise<Deliveries>,
) {
  const page = (messageId: string, { limit, cursor, ...call }: DeliveriesOptions = {}) =>
    read(messageId, { ...(limit && { limit }), ...(cursor && { cursor }) }, call);
  return {
    /** A page of delivery runs with all attempts, oldest first: by default the first 100 runs. */
    deliveries: page,
    /** Every delivery run with every attempt, oldest first, page after page. */
    async *runs(messageId: string, call: CallOptions = {}): AsyncGenerator<DeliveryRun, void, undefined> {
      let cursor: string | null = null;
      do {
        const found: Deliveries = await page(messageId, { ...call, ...(cursor && { cursor }) });
        yield* found.delivery_runs;
        cursor = found.next_cursor;
      } while (cursor !== null);
    },
  };
}
