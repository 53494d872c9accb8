import { canonicalAddress, type MessageFilter, type MessageStatus, type RunStatus } from '@postrider/domain';
import type { Prisma, Queryable } from '../client.ts';
import { compose, type SqlText, sql } from '../compose.ts';
import { ABOVE_ALL_IDS, BELOW_ALL_IDS, firstUuidAt } from '../first-id-at.ts';
import { HAS_ADDRESS } from '../recipient-address.ts';
import { MATCHES, matchValues } from './message-match.ts';

export interface MessageSearch {
  readonly environmentId: string;
  readonly filter: MessageFilter;
  /** The only channels whose runs the conditions on runs see; by default all of the environment. */
  readonly ofChannels?: readonly string[] | undefined;
  /** UUID of the message after which the page starts; null for the first page. */
  readonly after: string | null;
}

interface FoundMessages {
  /** UUIDs, newest first. */
  readonly ids: readonly string[];
  /** Cursor for the next page; null if no more messages match. */
  readonly nextAfter: string | null;
}

/**
 * The most index entries that one search reads: about 0.2 s of work for PostgreSQL, however large the environment is.
 */
const MAX_EXAMINED = 10_000;
/** Entries per statement. The first is smaller, because most searches find enough at once. */
const FIRST_CHUNK = 200;
const CHUNK = 2_000;

/** Candidates of a search: entries of one index in the order of message ids, selected by `condition`. */
interface Source {
  readonly table: SqlText;
  readonly id: SqlText;
  readonly condition: SqlText;
}

const fromMessages = (condition: SqlText, table = sql`messages`): Source => ({
  table,
  id: sql`id`,
  condition,
});
const fromRuns = (condition: SqlText): Source => ({
  table: sql`delivery_runs`,
  id: sql`message_id`,
  condition,
});

/**
 * The predicates of `delivery_runs_erred` and `delivery_runs_postponed`, which no claim changes: the run has ended or
 * continues after an error, or continues and had a time. {@link MATCHES} decides about the runs found.
 */
const HAS_ERRED = sql`completed_at IS NOT NULL AND last_error_code IS NOT NULL`;
const IS_POSTPONED = sql`completed_at IS NULL AND (scheduled_at IS NOT NULL OR last_error_code IS NOT NULL)`;

/** A rare run that a message with this status, or with a run of this status, must have. */
const RUN_IMPLIED_BY: Partial<Record<MessageStatus | RunStatus, SqlText>> = {
  failed: HAS_ERRED,
  cancelled: HAS_ERRED,
  partially_delivered: HAS_ERRED,
  scheduled: IS_POSTPONED,
  retrying: IS_POSTPONED,
};

/**
 * Chooses the index that leads the search, the most selective one first. The planner does not choose it, because the
 * limit must apply to the entries that are read, not to those that match.
 */
function sourceOf({
  recipientEmail,
  errorCode,
  runStatus,
  status,
  channelId,
  consumer,
  eventKey,
}: MessageFilter): Source {
  if (recipientEmail !== undefined) return fromMessages(HAS_ADDRESS, sql`message_recipients`);
  if (consumer !== undefined) return fromMessages(sql`consumer_id = :consumer`);
  if (errorCode !== undefined) return fromRuns(sql`last_error_code = :errorCode`);
  const implied = (runStatus && RUN_IMPLIED_BY[runStatus]) ?? (status && RUN_IMPLIED_BY[status]);
  if (implied) return fromRuns(implied);
  if (channelId !== undefined) return fromRuns(sql`channel_id = :channelId::uuid`);
  if (eventKey !== undefined) return fromMessages(sql`event_key = :eventKey`);
  return fromMessages(sql`true`);
}

/**
 * The statement that reads the next `rows` candidates and returns which of their messages match, at most `wanted`.
 * Each candidate costs a look-up of its rows, which the correlated subqueries of {@link MATCHES} ensure.
 */
export function chunkStatement(search: MessageSearch, rows: number, wanted: number): Prisma.Sql {
  const { filter, after } = search;
  const { table, id, condition } = sourceOf(filter);
  const { createdAfter, createdBefore, recipientEmail = '' } = filter;
  const text = sql`
    WITH candidate AS MATERIALIZED (
      SELECT ${id} AS id FROM ${table}
       WHERE environment_id = :environmentId::uuid AND ${condition}
         AND ${id} < :after::uuid AND ${id} >= :from::uuid AND ${id} < :to::uuid
       ORDER BY ${id} DESC LIMIT :rows::int
    )
    SELECT (SELECT count(*)::int FROM candidate) AS examined,
           (SELECT id FROM candidate ORDER BY id LIMIT 1) AS position,
           ARRAY(
             SELECT id FROM (SELECT DISTINCT id FROM candidate) AS candidate
              WHERE ${MATCHES}
              ORDER BY id DESC LIMIT :wanted::int) AS matched`;
  return compose(text, {
    ...matchValues(search),
    address: canonicalAddress(recipientEmail),
    after: after ?? ABOVE_ALL_IDS,
    from: createdAfter ? firstUuidAt(createdAfter.getTime()) : BELOW_ALL_IDS,
    to: createdBefore ? firstUuidAt(createdBefore.getTime()) : ABOVE_ALL_IDS,
    ...{ rows, wanted },
  });
}

interface Chunk {
  readonly examined: number;
  readonly position: string | null;
  readonly matched: string[];
}

async function readChunk(db: Queryable, search: MessageSearch, rows: number, wanted: number): Promise<Chunk> {
  const [chunk] = await db.$queryRaw<Chunk[]>(chunkStatement(search, rows, wanted));
  if (!chunk) throw new Error('the search gave no row');
  return chunk;
}

/**
 * Finds up to `limit` messages, newest first. It reads at most `maxExamined` index entries: it can return fewer than
 * `limit`, even none, although there are more, and `nextAfter` then says where to continue. So a filter with few
 * matches in a large environment has a known cost per call.
 */
export async function findMessages(
  db: Queryable,
  { limit, maxExamined = MAX_EXAMINED, ...search }: MessageSearch & { limit: number; maxExamined?: number },
): Promise<FoundMessages> {
  const ids: string[] = [];
  let { after } = search;
  let left = maxExamined;
  for (let rows = FIRST_CHUNK; left > 0; rows = CHUNK) {
    const size = Math.min(rows, left);
    const chunk = await readChunk(db, { ...search, after }, size, limit + 1 - ids.length);
    ids.push(...chunk.matched);
    if (ids.length > limit) return { ids: ids.slice(0, limit), nextAfter: ids[limit - 1] ?? null };
    if (chunk.examined < size) return { ids, nextAfter: null };
    after = chunk.position;
    left -= chunk.examined;
  }
  return { ids, nextAfter: after };
}

/** The number of matching messages, or a lower bound, because the search ends like {@link findMessages}. */
export interface MessageCount {
  readonly matched: number;
  readonly isLowerBound: boolean;
}

/** The most entries that a count reads: about a second of work for PostgreSQL. */
const MAX_COUNTED = 50_000;

export async function countMessages(
  db: Queryable,
  { maxExamined = MAX_COUNTED, ...search }: Omit<MessageSearch, 'after'> & { maxExamined?: number },
): Promise<MessageCount> {
  const { ids, nextAfter } = await findMessages(db, {
    ...search,
    after: null,
    limit: maxExamined,
    maxExamined,
  });
  return { matched: ids.length, isLowerBound: nextAfter !== null };
}
