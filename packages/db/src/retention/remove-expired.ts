import { Prisma, type Queryable, type UnboundDatabase } from '../client.ts';
import { firstIdAt } from '../first-id-at.ts';
import { TERMINAL } from '../run-statuses.ts';
import { inTransaction } from '../transactions/transaction.ts';

/** The position of the removal. Both are UUIDs; the order is that of ids. */
interface RetentionCursor {
  readonly environmentId: string;
  /** The last examined message. */
  readonly position: string;
}

/** The next messages to examine. */
interface ExpiredRange extends RetentionCursor {
  /** Messages with smaller ids are older than the plan keeps them. */
  readonly horizon: string;
}

/** The position of the removal, locked. Null during a pause, and if another worker has it. */
async function lockCursor(tx: Queryable): Promise<RetentionCursor | null> {
  const [cursor] = await tx.$queryRaw<RetentionCursor[]>`
    SELECT environment_id AS "environmentId", position FROM retention_turn
     WHERE next_at <= now() FOR UPDATE SKIP LOCKED`;
  return cursor ?? null;
}

const HORIZON = Prisma.raw(
  firstIdAt('extract(epoch FROM now() - make_interval(days => retention_days)) * 1000'),
);

/** The environments that one step looks into: about five pages each, of plan, tenant and messages. */
const MAX_ENVIRONMENTS = 200;
/** After all messages of an environment. */
const END = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The first messages to examine; or without these the environment after which the next step continues, null at the end. */
type ExpiredStep = ExpiredRange | { readonly environmentId: null; readonly next: string | null };

/**
 * The first environment with messages that are old enough, of the next {@link MAX_ENVIRONMENTS} from the cursor on.
 * Message ids contain their creation time (decision 4), so an age is a range of the primary key. The order and the limit
 * make each environment one index look-up.
 */
async function findExpiredStep(
  tx: Queryable,
  { environmentId, position }: RetentionCursor,
): Promise<ExpiredStep> {
  // One row, also without messages: the join is an outer one.
  const [step] = await tx.$queryRaw<ExpiredStep[]>`
    WITH examined AS MATERIALIZED (
      SELECT id, tenant_id FROM environments WHERE id >= ${environmentId}::uuid ORDER BY id LIMIT ${MAX_ENVIRONMENTS}
    ), environment AS (
      SELECT examined.id, ${HORIZON} AS horizon,
             CASE WHEN examined.id = ${environmentId}::uuid THEN ${position}::uuid
                  ELSE '00000000-0000-0000-0000-000000000000' END AS position
        FROM examined
        JOIN tenants ON tenants.id = examined.tenant_id
        JOIN plans ON plans.code = tenants.plan_code
       WHERE retention_days IS NOT NULL
    ), first AS (
      SELECT * FROM environment
       WHERE (SELECT true FROM messages
               WHERE environment_id = environment.id AND messages.id > environment.position AND messages.id < environment.horizon
               ORDER BY messages.id LIMIT 1)
       ORDER BY environment.id LIMIT 1
    )
    SELECT first.id AS "environmentId", first.position, first.horizon,
           (SELECT id FROM examined ORDER BY id OFFSET ${MAX_ENVIRONMENTS - 1} LIMIT 1) AS next
      FROM (SELECT) AS one LEFT JOIN first ON true`;
  return step ?? { environmentId: null, next: null };
}

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
 * Removes those messages whose runs are all terminal; foreign keys remove runs and attempts. A run that has the turn of its ordering
 * key stays until the turn has moved or the key is blocked, because its end decides which of the two happens. This must be its own
 * statement after the locks: a replay locks the message before it creates runs, so this statement sees all of them.
 */
function removeLocked(tx: Queryable, environmentId: string, ids: readonly string[]): Promise<number> {
  return tx.$executeRaw`
    WITH expired AS MATERIALIZED (
      SELECT id, test OR operational IS NOT NULL AS uncounted FROM messages
       WHERE environment_id = ${environmentId}::uuid AND id = ANY(${ids}::uuid[])
         AND NOT EXISTS (
           SELECT FROM delivery_runs run
             LEFT JOIN ordering_keys known ON known.channel_id = run.channel_id AND known.key = run.ordering_key
                   AND known.turn = run.sequence AND known.blocked_at IS NULL
            WHERE run.environment_id = ${environmentId}::uuid AND run.message_id = messages.id
              AND (run.status NOT IN ${TERMINAL} OR known.turn IS NOT NULL))
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
  const step = await findExpiredStep(tx, cursor);
  if (step.environmentId !== null) {
    const { environmentId, horizon } = step;
    const page = await choosePage(tx, step);
    const messages = await removeLocked(tx, environmentId, await lockMessages(tx, environmentId, page));
    await moveTo(tx, environmentId, page.at(-1) ?? horizon);
    return { outcome: 'removed', messages };
  }
  if (step.next !== null) {
    await moveTo(tx, step.next, END);
    return { outcome: 'examined' };
  }
  await tx.$executeRaw`
    UPDATE retention_turn SET environment_id = DEFAULT, position = DEFAULT,
           next_at = now() + make_interval(secs => ${PAUSE_SECONDS}::int)`;
  return { outcome: 'finished' };
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
  try {
    return await inTransaction({ db }, removeBatch);
  } catch (error) {
    // Without PostgreSQL nothing can be recorded. The batch is repeated as soon as it is back.
    await pauseAfterFailure(db).catch(() => undefined);
    throw error;
  }
}
