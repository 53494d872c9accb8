import { MESSAGE_CONDITIONS, type MessageFilter, RUN_CONDITIONS } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { TERMINAL } from '../run-statuses.ts';
import { defineStatement } from '../statement.ts';
import type { MessageSearch } from './message-search.ts';

/** Whether the newest run `newest` of a channel fulfils the filter's conditions on runs; true without any. */
const RUN_MATCHES = `
    ((:runStatus::text IS NULL OR newest.status = :runStatus)
     AND (:runEndedAfter::timestamptz IS NULL OR COALESCE(newest.completed_at >= :runEndedAfter::timestamptz, false))
     AND (:channelId::uuid IS NULL OR newest.channel_id = :channelId::uuid)
     AND (:channelKind::text IS NULL OR newest.channel_kind = :channelKind)
     AND (:errorCode::text IS NULL OR newest.last_error_code = :errorCode))`;

const hasRunConditions = (filter: MessageFilter) =>
  RUN_CONDITIONS.some((condition) => filter[condition] !== undefined);

/** The values of {@link MATCHES}, and of conditions on the same columns. */
export function matchValues({ environmentId, filter, ofChannels }: Omit<MessageSearch, 'after'>) {
  const conditions = Object.fromEntries(MESSAGE_CONDITIONS.map((name) => [name, filter[name] ?? null]));
  const isOfRuns = hasRunConditions(filter);
  const isAnyRun = !isOfRuns && filter.status === undefined;
  const own = ofChannels ? [...ofChannels] : null;
  return { ...conditions, environmentId, own, isOfRuns, isAnyRun };
}

/**
 * Whether the message `candidate.id` matches the filter, except for its times: its event key and consumer, then its derived
 * status from the newest run of each channel (docs/specification.md, "Message status"), and whether one of these runs matches.
 * PostgreSQL does not turn subqueries with an aggregate into joins, so a candidate costs the look-up of its rows and never a
 * scan of the table. It plans with the values, so a condition that is not given costs nothing.
 */
export const MATCHES = `
    (:eventKey::text IS NULL OR (
      SELECT bool_and(event_key = :eventKey) FROM messages
       WHERE environment_id = :environmentId::uuid AND messages.id = candidate.id))
    AND (:consumer::text IS NULL OR (
      SELECT bool_and(consumer_id IS NOT DISTINCT FROM :consumer) FROM messages
       WHERE environment_id = :environmentId::uuid AND messages.id = candidate.id))
    AND (:isAnyRun::boolean OR (
      SELECT (NOT :isOfRuns::boolean OR bool_or(${RUN_MATCHES}))
             AND CASE :status::text
               WHEN 'pending' THEN bool_or(NOT terminal)
               WHEN 'delivered' THEN bool_and(status = 'succeeded')
               WHEN 'cancelled' THEN bool_and(status = 'cancelled')
               WHEN 'partially_delivered' THEN
                 bool_and(terminal) AND bool_or(status = 'succeeded') AND NOT bool_and(status = 'succeeded')
               WHEN 'failed' THEN bool_and(terminal) AND bool_or(status = 'failed') AND NOT bool_or(status = 'succeeded')
               WHEN 'unrouted' THEN count(*) = 0
               ELSE :status::text IS NULL END
        FROM (SELECT DISTINCT ON (channel_id) status, channel_id, channel_kind, last_error_code, completed_at,
                     status IN ${TERMINAL.sql} AS terminal
                FROM delivery_runs
               WHERE environment_id = :environmentId::uuid AND message_id = candidate.id
                 AND (:own::uuid[] IS NULL OR channel_id = ANY (:own::uuid[]))
               ORDER BY channel_id, replay DESC) AS newest))`;

const findMatching = defineStatement<object, { message_id: string; channel_id: string }>({
  text: `
    SELECT asked.id AS message_id, newest.channel_id
      FROM unnest(:messageIds::uuid[]) AS asked (id)
     CROSS JOIN LATERAL (
       SELECT DISTINCT ON (channel_id) status, channel_id, channel_kind, last_error_code, completed_at FROM delivery_runs
        WHERE environment_id = :environmentId::uuid AND message_id = asked.id
        ORDER BY channel_id, replay DESC) AS newest
     WHERE ${RUN_MATCHES}`,
});

/** The channels whose runs made each message match; null if the filter has no conditions on runs. */
export async function matchingChannels(
  db: Queryable,
  search: Pick<MessageSearch, 'environmentId' | 'filter'>,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>> | null> {
  if (!hasRunConditions(search.filter)) return null;
  const channels = new Map<string, Set<string>>(messageIds.map((id) => [id, new Set()]));
  for (const row of await findMatching(db, { ...matchValues(search), messageIds }))
    channels.get(row.message_id)?.add(row.channel_id);
  return channels;
}
