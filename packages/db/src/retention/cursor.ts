import { Prisma, type Queryable } from '../client.ts';
import { firstIdAt } from '../first-id-at.ts';

/** The position of the removal. Both are UUIDs; the order is that of ids. */
interface RetentionCursor {
  readonly environmentId: string;
  /** The last examined message. */
  readonly position: string;
}

/** The next messages to examine. */
export interface ExpiredRange extends RetentionCursor {
  /** Messages with smaller ids are older than the plan keeps them. */
  readonly horizon: string;
}

/** The position of the removal, locked. Null during a pause, and if another worker has it. */
export async function lockCursor(tx: Queryable): Promise<RetentionCursor | null> {
  const [cursor] = await tx.$queryRaw<RetentionCursor[]>`
    SELECT environment_id AS "environmentId", position FROM retention_turn
     WHERE next_at <= now() FOR UPDATE SKIP LOCKED`;
  return cursor ?? null;
}

/** Whether the removal is paused. Reads without a lock, because it usually is. */
export async function isPaused(db: Queryable): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`SELECT 1 FROM retention_turn WHERE next_at <= now()`;
  return rows.length === 0;
}

const OLDEST_KEPT_MS = Prisma.sql`extract(epoch FROM now() - make_interval(days => retention_days)) * 1000`;

/** The environments that one step looks into: about five pages each, of plan, tenant and messages. */
const MAX_ENVIRONMENTS = 200;
/** After all messages of an environment. */
const END = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The result of a step: the first messages to examine, or where the next step continues; both null at the end. */
interface ExpiredStep {
  readonly range: ExpiredRange | null;
  readonly next: RetentionCursor | null;
}

interface StepRow {
  environmentId: string | null;
  position: string | null;
  horizon: string | null;
  last: string | null;
  examined: number;
}

/**
 * The first environment with messages that are old enough, of the next {@link MAX_ENVIRONMENTS} from the cursor on.
 * Message ids contain their creation time (decision 4), so an age is a range of the primary key. The order and the limit
 * make each environment one index look-up.
 */
export async function findExpiredRange(
  tx: Queryable,
  { environmentId, position }: RetentionCursor,
): Promise<ExpiredStep> {
  const [row] = await tx.$queryRaw<StepRow[]>`
    WITH examined AS MATERIALIZED (
      SELECT id, tenant_id FROM environments WHERE id >= ${environmentId}::uuid ORDER BY id LIMIT ${MAX_ENVIRONMENTS}
    ), environment AS (
      SELECT examined.id, ${firstIdAt(OLDEST_KEPT_MS)} AS horizon,
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
    SELECT first.id AS "environmentId", first.position, first.horizon, step.last, step.examined
      FROM (SELECT (array_agg(id ORDER BY id DESC))[1] AS last, count(*)::int AS examined FROM examined) AS step
      LEFT JOIN first ON true`;
  if (row?.environmentId && row.position && row.horizon) {
    const { environmentId, position, horizon } = row;
    return { range: { environmentId, position, horizon }, next: null };
  }
  if (!row?.last || row.examined < MAX_ENVIRONMENTS) return { range: null, next: null };
  return { range: null, next: { environmentId: row.last, position: END } };
}
