import type { MessageFilter, MessageStatus } from '@postrider/domain';
import { Prisma } from '../client.ts';
import { TERMINAL } from '../run-statuses.ts';
import type { MessageSearch } from './message-search.ts';

/** The derived status in SQL, from the newest run of each channel (docs/specification.md, "Message status"). */
const HAS_STATUS = {
  pending: Prisma.sql`bool_or(NOT terminal)`,
  delivered: Prisma.sql`bool_and(status = 'succeeded')`,
  cancelled: Prisma.sql`bool_and(status = 'cancelled')`,
  partially_delivered: Prisma.sql`bool_and(terminal) AND bool_or(status = 'succeeded') AND NOT bool_and(status = 'succeeded')`,
  failed: Prisma.sql`bool_and(terminal) AND bool_or(status = 'failed') AND NOT bool_or(status = 'succeeded')`,
  unrouted: Prisma.sql`count(*) = 0`,
} satisfies Record<MessageStatus, Prisma.Sql>;

/** The conditions on one row of {@link newestRuns}; empty if the filter has none on runs. */
function runConditions({ runStatus, channelId, channelKind, errorCode }: MessageFilter): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  if (runStatus !== undefined) conditions.push(Prisma.sql`status = ${runStatus}`);
  if (channelId !== undefined) conditions.push(Prisma.sql`channel_id = ${channelId}::uuid`);
  if (channelKind !== undefined) conditions.push(Prisma.sql`channel_kind = ${channelKind}`);
  if (errorCode !== undefined) conditions.push(Prisma.sql`last_error_code = ${errorCode}`);
  return conditions;
}

/** The newest run of each channel of a message; `messageId` is SQL. */
function newestRuns(
  { environmentId, ofChannels }: Pick<MessageSearch, 'environmentId' | 'ofChannels'>,
  messageId: Prisma.Sql,
): Prisma.Sql {
  const own = ofChannels ? Prisma.sql`AND channel_id = ANY(${[...ofChannels]}::uuid[])` : Prisma.empty;
  return Prisma.sql`
    SELECT DISTINCT ON (channel_id) message_id, status, channel_id, channel_kind, last_error_code,
           status IN ${TERMINAL} AS terminal
      FROM delivery_runs
     WHERE environment_id = ${environmentId}::uuid AND message_id = ${messageId} ${own}
     ORDER BY channel_id, replay DESC`;
}

/**
 * Whether the message `candidate.id` matches the filter, except for its times. PostgreSQL does not turn subqueries
 * with an aggregate into joins, so a candidate costs the look-up of its rows and never a scan of the table.
 */
export function matchCondition({
  environmentId,
  filter,
  ofChannels,
}: Pick<MessageSearch, 'environmentId' | 'filter' | 'ofChannels'>): Prisma.Sql {
  const conditions: Prisma.Sql[] = [];
  if (filter.eventKey !== undefined) {
    conditions.push(Prisma.sql`(
      SELECT bool_and(event_key = ${filter.eventKey}) FROM messages
       WHERE environment_id = ${environmentId}::uuid AND messages.id = candidate.id)`);
  }
  if (filter.consumer !== undefined) {
    conditions.push(Prisma.sql`(
      SELECT bool_and(consumer_id IS NOT DISTINCT FROM ${filter.consumer}) FROM messages
       WHERE environment_id = ${environmentId}::uuid AND messages.id = candidate.id)`);
  }
  const ofRuns = runConditions(filter);
  const aggregates = ofRuns.length > 0 ? [Prisma.sql`bool_or(${Prisma.join(ofRuns, ' AND ')})`] : [];
  if (filter.status) aggregates.push(HAS_STATUS[filter.status]);
  if (aggregates.length > 0) {
    conditions.push(Prisma.sql`(
      SELECT ${Prisma.join(aggregates, ' AND ')}
        FROM (${newestRuns({ environmentId, ofChannels }, Prisma.sql`candidate.id`)}) AS newest)`);
  }
  return conditions.length > 0 ? Prisma.join(conditions, ' AND ') : Prisma.sql`true`;
}

/**
 * The statement that returns which channels' runs made each message match: rows of message_id and channel_id. Null if
 * the filter has no conditions on runs.
 */
export function matchingChannelsStatement(
  { environmentId, filter }: Pick<MessageSearch, 'environmentId' | 'filter'>,
  messageIds: readonly string[],
): Prisma.Sql | null {
  const ofRuns = runConditions(filter);
  if (ofRuns.length === 0) return null;
  return Prisma.sql`
    SELECT newest.message_id, newest.channel_id
      FROM unnest(${messageIds}::uuid[]) AS asked (id)
     CROSS JOIN LATERAL (${newestRuns({ environmentId }, Prisma.sql`asked.id`)}) AS newest
     WHERE ${Prisma.join(ofRuns, ' AND ')}`;
}
