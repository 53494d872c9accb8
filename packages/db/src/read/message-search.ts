import { canonicalAddress, type MessageFilter, type MessageStatus, type RunStatus } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { ABOVE_ALL_IDS, BELOW_ALL_IDS, firstUuidAt } from '../first-id-at.ts';
import type { Page } from '../pages.ts';
import { HAS_ADDRESS } from '../recipient-address.ts';
import { defineStatement } from '../statement.ts';
import { MATCHES, matchValues } from './message-match.ts';
import { searchInChunks } from './search-in-chunks.ts';

export interface MessageSearch {
  readonly environmentId: string;
  readonly filter: MessageFilter;
  /** The only channels whose runs the conditions on runs see; by default all of the environment. */
  readonly ofChannels?: readonly string[] | undefined;
  /** UUID of the message after which the page starts; null for the first page. */
  readonly after: string | null;
}

/**
 * The most index entries that one search reads: about 0.2 s of work for PostgreSQL, however large the environment is.
 */
const MAX_EXAMINED = 10_000;
/** Entries per statement. */
const FIRST_CHUNK = 200;
const CHUNK = 2_000;

/**
 * Defines the search among the entries of one index in the order of message ids, selected by a condition. It reads the next `rows`
 * candidates and returns which of their messages match, at most `wanted`. Each candidate costs a look-up of its rows, which the
 * correlated subqueries of {@link MATCHES} ensure.
 */
const define = (table: 'messages' | 'message_recipients' | 'delivery_runs', condition: string) => {
  const id = table === 'delivery_runs' ? 'message_id' : 'id';
  return defineStatement<object, Chunk>({
    text: `
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
              ORDER BY id DESC LIMIT :wanted::int) AS matched`,
  });
};

/**
 * By the predicates of `delivery_runs_erred` and `delivery_runs_postponed`, which no claim changes: the run has ended or
 * continues after an error, or continues and had a time. {@link MATCHES} decides about the runs found.
 */
const OF_ERRED = define('delivery_runs', 'completed_at IS NOT NULL AND last_error_code IS NOT NULL');
const OF_POSTPONED = define(
  'delivery_runs',
  'completed_at IS NULL AND (scheduled_at IS NOT NULL OR last_error_code IS NOT NULL)',
);
const OF_ADDRESS = define('message_recipients', HAS_ADDRESS);
const OF_CONSUMER = define('messages', 'consumer_id = :consumer');
const OF_ERROR = define('delivery_runs', 'last_error_code = :errorCode');
const OF_CHANNEL = define('delivery_runs', 'channel_id = :channelId::uuid');
const OF_EVENT_KEY = define('messages', 'event_key = :eventKey');
const OF_ALL = define('messages', 'true');

/** The search by a rare run that a message with this status, or with a run of this status, must have. */
const BY_STATUS: Partial<Record<MessageStatus | RunStatus, typeof OF_ALL>> = {
  failed: OF_ERRED,
  cancelled: OF_ERRED,
  partially_delivered: OF_ERRED,
  scheduled: OF_POSTPONED,
  retrying: OF_POSTPONED,
};

/**
 * Chooses the index that leads the search, the most selective one first. The planner does not choose it, because the
 * limit must apply to the entries that are read, not to those that match.
 */
function searchBy(filter: MessageFilter): typeof OF_ALL {
  const { recipientEmail, errorCode, runStatus, status, channelId, consumer, eventKey } = filter;
  if (recipientEmail !== undefined) return OF_ADDRESS;
  if (consumer !== undefined) return OF_CONSUMER;
  if (errorCode !== undefined) return OF_ERROR;
  const implied = (runStatus && BY_STATUS[runStatus]) ?? (status && BY_STATUS[status]);
  if (implied) return implied;
  if (channelId !== undefined) return OF_CHANNEL;
  return eventKey === undefined ? OF_ALL : OF_EVENT_KEY;
}

interface Chunk {
  readonly examined: number;
  readonly position: string | null;
  readonly matched: string[];
}

/** Exported for the test of its plans. */
export async function readChunk(
  db: Queryable,
  search: MessageSearch,
  rows: number,
  wanted: number,
): Promise<Chunk> {
  const { filter, after } = search;
  const { createdAfter, createdBefore, recipientEmail = '' } = filter;
  const [chunk] = await searchBy(filter)(db, {
    ...matchValues(search),
    address: canonicalAddress(recipientEmail),
    after: after ?? ABOVE_ALL_IDS,
    from: createdAfter ? firstUuidAt(createdAfter.getTime()) : BELOW_ALL_IDS,
    to: createdBefore ? firstUuidAt(createdBefore.getTime()) : ABOVE_ALL_IDS,
    rows,
    wanted,
  });
  if (!chunk) throw new Error('the search gave no row');
  return chunk;
}

/** Finds the UUIDs of up to `limit` messages, newest first. It reads at most `maxExamined` index entries, see {@link searchInChunks}. */
export async function findMessages(
  db: Queryable,
  { limit, maxExamined = MAX_EXAMINED, ...search }: MessageSearch & { limit: number; maxExamined?: number },
): Promise<Page<string>> {
  const sizes = { first: FIRST_CHUNK, next: CHUNK, most: maxExamined };
  return searchInChunks(
    { after: search.after, limit },
    sizes,
    (id: string) => id,
    async ({ after, size, wanted }) => {
      const { matched, examined, position } = await readChunk(db, { ...search, after }, size, wanted);
      return { found: matched, examined, end: examined < size ? null : position };
    },
  );
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
  const { rows, nextAfter } = await findMessages(db, {
    ...search,
    after: null,
    limit: maxExamined,
    maxExamined,
  });
  return { matched: rows.length, isLowerBound: nextAfter !== null };
}
