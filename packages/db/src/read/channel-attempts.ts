import { type AttemptStatus, type RunStatus, UUID_FORM } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import type { Page, PageRequest } from '../pages.ts';
import { defineStatement } from '../statement.ts';
import type { AttemptRecord } from './deliveries.ts';
import { searchInChunks } from './search-in-chunks.ts';

/** An attempt of a channel, with what it delivered. Ids are UUIDs. */
export interface ChannelAttempt extends Omit<AttemptRecord, 'tried' | 'skippedCopies'> {
  readonly runId: string;
  readonly messageId: string;
  readonly eventKey: string;
  readonly replay: number;
  readonly runStatus: RunStatus;
  readonly test: boolean;
}

interface AttemptsQuery extends PageRequest {
  readonly channelId: string;
  readonly environmentId: string;
  readonly outcome?: AttemptStatus | undefined;
  readonly errorCode?: string | undefined;
  readonly startedAfter?: Date | undefined;
}

/** A position: the UUIDs of a message and of one of its runs, and the number of an attempt. */
const POSITION = new RegExp(`^(${UUID_FORM}) (${UUID_FORM}) (\\d{1,9})$`);
export const isAttemptPosition = (text: string): boolean => POSITION.test(text);
/** Before all. */
const FIRST = 'ffffffff-ffff-ffff-ffff-ffffffffffff ffffffff-ffff-ffff-ffff-ffffffffffff 999999999';

/** The runs that a page examines, for filters that match little. */
const MAX_EXAMINED = 5_000;
const FIRST_CHUNK = 100;
const CHUNK = 1_000;

/** Characters of a response in the list. */
const MAX_EXCERPT = 1_000;

interface Chunk extends AttemptsQuery {
  readonly position: string;
  readonly runs: number;
}

const part =
  (of: number) =>
  ({ position }: Chunk) =>
    POSITION.exec(position)?.[of] ?? '';

interface Row extends Omit<ChannelAttempt, 'response'> {
  readonly examined: number;
  readonly lastMessage: string | null;
  readonly lastRun: string | null;
  readonly statusCode: number | null;
  readonly bodyExcerpt: string | null;
}

/**
 * The next attempts of the next runs of a channel, by the index of its runs alone: with the environment as a condition, PostgreSQL
 * would read the runs of all channels in the order of another index. The event key is not joined: PostgreSQL would read all messages.
 */
const readChunk = defineStatement<Chunk, Row>({
  text: `
    WITH run AS MATERIALIZED (
      SELECT id, message_id, replay, status, test FROM delivery_runs
       WHERE channel_id = :channelId::uuid AND message_id <= :message::uuid
         AND (message_id, id) <= (:message::uuid, :run::uuid)
       ORDER BY message_id DESC, id DESC LIMIT :runs::int
    ), last AS (
      SELECT id, message_id FROM run ORDER BY message_id, id LIMIT 1
    )
    SELECT (SELECT count(*)::int FROM run) AS examined, last.message_id AS "lastMessage", last.id AS "lastRun", found.*
      FROM (SELECT 1) AS one LEFT JOIN last ON true LEFT JOIN LATERAL (
        SELECT run.id AS "runId", run.message_id AS "messageId", run.replay, run.status AS "runStatus", run.test IS TRUE AS test,
               (SELECT event_key FROM messages
                 WHERE environment_id = :environmentId::uuid AND messages.id = run.message_id) AS "eventKey", attempt.*
          FROM run
         CROSS JOIN LATERAL (
           SELECT id, number, status, error_code AS "errorCode", error_message AS "errorMessage", retryable, started_at AS "startedAt",
                  completed_at AS "completedAt", duration_ms AS "durationMs", response_status AS "statusCode",
                  left(response_excerpt, ${MAX_EXCERPT}) AS "bodyExcerpt", sender, provider_message_id AS "providerMessageId"
             FROM attempts
            WHERE run_id = run.id AND (run.message_id, run.id, number) < (:message::uuid, :run::uuid, :number::int)
              AND status = COALESCE(:outcome::text, status)
              AND (:errorCode::text IS NULL OR error_code = :errorCode::text)
              AND started_at >= COALESCE(:startedAfter::timestamptz, '-infinity')) AS attempt
         ORDER BY run.message_id DESC, run.id DESC, attempt.number DESC LIMIT :limit::int) AS found ON true
     ORDER BY found."messageId" DESC, found."runId" DESC, found.number DESC`,
  parameters: {
    message: part(1),
    run: part(2),
    number: (chunk) => Number(part(3)(chunk)),
    outcome: ({ outcome }) => outcome ?? null,
    errorCode: ({ errorCode }) => errorCode ?? null,
    startedAfter: ({ startedAfter }) => startedAfter ?? null,
  },
});

const positionOf = ({ messageId, runId, number }: ChannelAttempt) => `${messageId} ${runId} ${number}`;

/**
 * A page of the attempts of a channel, those of the newest messages first, and of one run the newest first; see {@link searchInChunks}.
 */
export async function listChannelAttempts(
  db: Queryable,
  query: AttemptsQuery,
): Promise<Page<ChannelAttempt>> {
  const sizes = { first: FIRST_CHUNK, next: CHUNK, most: MAX_EXAMINED };
  return searchInChunks(query, sizes, positionOf, async ({ after, size, wanted }) => {
    const rows = await readChunk(db, { ...query, position: after ?? FIRST, runs: size, limit: wanted });
    const [first] = rows;
    const found = rows.flatMap(({ statusCode, bodyExcerpt, ...attempt }) => {
      // The only row of a chunk without attempts.
      if (attempt.id === null) return [];
      return [{ ...attempt, response: statusCode === null ? null : { statusCode, bodyExcerpt } }];
    });
    const isLast = !first || first.examined < size;
    // Behind all attempts of the last run: numbers begin with 1.
    const end = isLast ? null : `${first.lastMessage} ${first.lastRun} 0`;
    return { found, examined: first?.examined ?? 0, end };
  });
}
