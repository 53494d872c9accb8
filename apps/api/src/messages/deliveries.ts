import { MAX_DELIVERIES, type Queryable, readDeliveries } from '@postrider/db';
import { formatId } from '@postrider/domain';
import { presentRun } from '../delivery-runs/present.ts';
import { ok, type Reply } from '../http/reply.ts';
import { paging } from '../openapi/parameters.ts';
import { formatCursor, PAGING_PARAMETERS, parseQuery } from '../paging/query.ts';
import { invalid } from '../validation/body.ts';

/** What a page of deliveries understands. It shows the runs of a message that was not replayed all at once. */
export const DELIVERIES_PAGING = paging({
  entries: 'Delivery runs on a page.',
  defaultLimit: MAX_DELIVERIES,
});

export const DELIVERIES_DESCRIPTION =
  'The delivery runs of the message, oldest first, each with every attempt: when, what was answered, what went ' +
  'wrong. A message that was replayed can have more runs than a page: `has_more` is then true. A page also ends ' +
  'where its runs would be larger than 2 MiB together.';

/** Answers with a page of a message's runs; null when the environment has no such message. */
export async function deliveriesPage(
  db: Queryable,
  { environmentId, messageId }: { readonly environmentId: string; readonly messageId: string },
  query: URLSearchParams,
): Promise<Reply | null> {
  const parsed = parseQuery(query, PAGING_PARAMETERS);
  if (parsed.outcome === 'invalid') return invalid(parsed.issues);
  const { limit = MAX_DELIVERIES, cursor: after = null } = parsed.values;
  const page = await readDeliveries(db, { environmentId, messageId, after, limit });
  return (
    page &&
    ok({
      message_id: formatId('msg', messageId),
      delivery_runs: page.rows.map(presentRun),
      has_more: page.nextAfter !== null,
      next_cursor: page.nextAfter && formatCursor(page.nextAfter),
    })
  );
}
