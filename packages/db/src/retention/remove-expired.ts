import type { Queryable, UnboundDatabase } from '../client.ts';
import { TERMINAL } from '../run-statuses.ts';
import { inTransaction } from '../transactions/transaction.ts';
import { type ExpiredRange, findExpiredRange, isPaused, lockCursor } from './cursor.ts';

/** Messages per batch, and rows including their runs and attempts: a transaction of about 0.1 s (decision 13). */
const MAX_MESSAGES = 1_000;
const MAX_ROWS = 10_000;
/**
 * The pause after a batch, as a multiple of its duration. So removal uses a quarter of one PostgreSQL process, on any
 * machine and with any number of workers.
 */
const PAUSE_PER_WORK = 3;
/** The pause after all environments are done, and after a batch that failed. */
const PAUSE_SECONDS = 60;

type RetentionOutcome =
  | { readonly outcome: 'removed'; readonly messages: number }
  /** Some environments have nothing to remove. The others come next. */
  | { readonly outcome: 'examined' }
  /** All environments are done. The next pass starts later. */
  | { readonly outcome: 'finished' }
  /** In a pause, or locked by another worker. */
  | { readonly outcome: 'not_due' };

/** The next messages of the range that fit in the batch, at least one. The run row says how many attempts there are. */
async function choosePage(tx: Queryable, { environmentId, position, horizon }: ExpiredRange) {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    WITH page AS MATERIALIZED (
      SELECT id FROM messages
       WHERE environment_id = ${environmentId}::uuid AND id > ${position}::uuid AND id < ${horizon}::uuid
       ORDER BY id LIMIT ${MAX_MESSAGES}
    ), weighed AS (
      SELECT id, 1 + (SELECT COALESCE(sum(1 + attempt_count), 0) FROM delivery_runs run
                       WHERE run.environment_id = ${environmentId}::uuid AND run.message_id = page.id) AS weight
        FROM page
    ), summed AS (
      SELECT id, sum(weight) OVER (ORDER BY id) - weight AS before FROM weighed
    )
    SELECT id FROM summed WHERE before < ${MAX_ROWS} ORDER BY id`;
  return rows.map(({ id }) => id);
}

/** Locks messages for removal and returns their ids. Messages locked by others are left for the next pass. */
async function lockMessages(tx: Queryable, environmentId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM messages WHERE environment_id = ${environmentId}::uuid AND id = ANY(${ids}::uuid[])
     ORDER BY id FOR UPDATE SKIP LOCKED`;
  return rows.map(({ id }) => id);
}

/**
 * Removes those messages whose runs are all terminal; foreign keys remove runs and attempts. This must be its own
 * statement after the locks: a replay locks the message before it creates runs, so this statement sees all of them.
 */
function removeLocked(tx: Queryable, environmentId: string, ids: readonly string[]): Promise<number> {
  return tx.$executeRaw`
    WITH expired AS MATERIALIZED (
      SELECT id, test OR operational IS NOT NULL AS uncounted FROM messages
       WHERE environment_id = ${environmentId}::uuid AND id = ANY(${ids}::uuid[])
         AND NOT EXISTS (
           SELECT FROM delivery_runs run
            WHERE run.environment_id = ${environmentId}::uuid AND run.message_id = messages.id
              AND run.status NOT IN ${TERMINAL})
    ), counted AS (
      INSERT INTO removed_deliveries AS removed (environment_id, period_start, channel_kind, status, runs)
      SELECT ${environmentId}::uuid, date_trunc('month', created_at AT TIME ZONE 'UTC')::date, channel_kind, status,
             count(*)
        FROM expired JOIN delivery_runs run ON run.environment_id = ${environmentId}::uuid AND message_id = expired.id
       WHERE NOT expired.uncounted
       GROUP BY 2, 3, 4
      ON CONFLICT (environment_id, period_start, channel_kind, status)
        DO UPDATE SET runs = removed.runs + EXCLUDED.runs
    )
    DELETE FROM messages USING expired
     WHERE messages.environment_id = ${environmentId}::uuid AND messages.id = expired.id`;
}

/** Moves the position, and pauses for a multiple of the transaction's duration. */
const moveTo = (tx: Queryable, environmentId: string, position: string): Promise<number> =>
  tx.$executeRaw`
    UPDATE retention_turn
       SET environment_id = ${environmentId}::uuid, position = ${position}::uuid,
           next_at = clock_timestamp() + ${PAUSE_PER_WORK}::int * (clock_timestamp() - now())`;

async function removeBatch(tx: Queryable): Promise<RetentionOutcome> {
  const cursor = await lockCursor(tx);
  if (!cursor) return { outcome: 'not_due' };
  const { range, next } = await findExpiredRange(tx, cursor);
  if (next) {
    await moveTo(tx, next.environmentId, next.position);
    return { outcome: 'examined' };
  }
  if (!range) {
    await tx.$executeRaw`
      UPDATE retention_turn SET environment_id = DEFAULT, position = DEFAULT,
             next_at = now() + make_interval(secs => ${PAUSE_SECONDS}::int)`;
    return { outcome: 'finished' };
  }
  const { environmentId, horizon } = range;
  const page = await choosePage(tx, range);
  const messages = await removeLocked(tx, environmentId, await lockMessages(tx, environmentId, page));
  await moveTo(tx, environmentId, page.at(-1) ?? horizon);
  return { outcome: 'removed', messages };
}

function pauseAfterFailure(db: UnboundDatabase): Promise<number> {
  return db.$executeRaw`
    UPDATE retention_turn SET next_at = now() + make_interval(secs => ${PAUSE_SECONDS}::int) WHERE next_at <= now()`;
}

/**
 * Removes the next messages that are older than their plan's `retention_days` (docs/runbook.md, "Retention and erasure"),
 * with their runs and attempts. Messages with open runs stay until these end. A batch is one short transaction, which
 * locks the row with the position, so any number of workers may call this and a lost worker leaves nothing half done.
 * Usage figures are kept. Rejects if the batch fails; any worker repeats it a minute later.
 */
export async function removeExpiredMessages(db: UnboundDatabase): Promise<RetentionOutcome> {
  if (await isPaused(db)) return { outcome: 'not_due' };
  try {
    return await inTransaction({ db }, removeBatch);
  } catch (error) {
    // Without PostgreSQL nothing can be recorded. The batch is repeated as soon as it is back.
    await pauseAfterFailure(db).catch(() => undefined);
    throw error;
  }
}
