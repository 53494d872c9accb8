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

/**
 * The first environment from the cursor on with messages that are old enough; null if there is none. Message ids contain
 * their creation time (decision 4), so an age is a range of the primary key. The order and the limit make each
 * environment one index look-up.
 */
export async function findExpiredRange(
  tx: Queryable,
  { environmentId, position }: RetentionCursor,
): Promise<ExpiredRange | null> {
  const [range] = await tx.$queryRaw<ExpiredRange[]>`
    SELECT environment.id AS "environmentId", environment.position, environment.horizon
      FROM (
        SELECT environments.id,
               CASE WHEN environments.id = ${environmentId}::uuid THEN ${position}::uuid
                    ELSE '00000000-0000-0000-0000-000000000000' END AS position,
               ${firstIdAt(OLDEST_KEPT_MS)} AS horizon
          FROM environments
          JOIN tenants ON tenants.id = environments.tenant_id
          JOIN plans ON plans.code = tenants.plan_code
         WHERE retention_days IS NOT NULL AND environments.id >= ${environmentId}::uuid
      ) AS environment
     WHERE (SELECT true FROM messages
             WHERE environment_id = environment.id AND messages.id > environment.position AND messages.id < environment.horizon
             ORDER BY messages.id LIMIT 1)
     ORDER BY environment.id LIMIT 1`;
  return range ?? null;
}
