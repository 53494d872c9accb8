import { periodOf } from '@postrider/domain';
import { type AnyClient, databaseErrorCodes } from '../client.ts';

/** Thrown inside the transaction to roll it back: a tenant's plan does not allow the charge. */
export class QuotaExceededError extends Error {
  readonly tenantId: string;

  constructor(tenantId: string) {
    super(`the event quota of tenant ${tenantId} does not hold this charge`);
    this.tenantId = tenantId;
  }
}

/** A charge that the plan does not allow evaluates to NULL, which this NOT NULL column refuses with this SQLSTATE. */
const NOT_NULL_VIOLATION = '23502';
const CHARGED_COLUMN = 'events_used';

/** Whether PostgreSQL refused a charge that a plan does not allow. */
export function isQuotaRefusal(error: unknown): boolean {
  return (
    databaseErrorCodes(error).includes(NOT_NULL_VIOLATION) &&
    error instanceof Error &&
    error.message.includes(CHARGED_COLUMN)
  );
}

/** The tenant's usage in the current period by the database's clock; `limit` is null if the plan is unlimited. */
interface QuotaState {
  readonly limit: number | null;
  readonly used: number;
  readonly resetsAt: Date;
}

/** Reads the tenant's quota. Throws if the tenant does not exist. */
export async function readQuota(db: AnyClient, tenantId: string): Promise<QuotaState> {
  const [row] = await db.$queryRaw<{ limit: number | null; used: bigint; now: Date }[]>`
    SELECT plans.events_per_month AS limit, COALESCE(usage.events_used, 0)::bigint AS used, now() AS now
      FROM tenants
      JOIN plans ON plans.code = tenants.plan_code
      LEFT JOIN tenant_usage usage
        ON usage.tenant_id = tenants.id AND usage.period_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date
     WHERE tenants.id = ${tenantId}::uuid`;
  if (!row) throw new Error(`tenant ${tenantId} does not exist`);
  return { limit: row.limit, used: Number(row.used), resetsAt: periodOf(row.now).end };
}
