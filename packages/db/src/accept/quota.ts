import { periodOf } from '@postrider/domain';
import type { AnyClient, Queryable } from '../client.ts';

/** The events one environment of a tenant is charged with in a transaction. */
export interface Charge {
  readonly tenantId: string;
  readonly environmentId: string;
}

/**
 * Thrown inside the transaction so that all of it is rolled back: the tenant's plan does not hold the charge.
 */
export class QuotaExceededError extends Error {
  readonly tenantId: string;

  constructor(tenantId: string) {
    super(`the event quota of tenant ${tenantId} does not hold this charge`);
    this.tenantId = tenantId;
  }
}

function countBy(ids: readonly string[]): { ids: string[]; counts: number[] } {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return { ids: [...counts.keys()], counts: [...counts.values()] };
}

/**
 * Counts one event per charge in the period of `now` (the calendar month, UTC), and returns what each tenant has used
 * then. All or nothing: throws {@link QuotaExceededError} when any tenant's current plan does not hold its part. Call it
 * last in the transaction: the tenant's row stays locked until the commit. Rows are taken in id order so that two
 * batches cannot deadlock.
 */
export async function consumeQuota(
  tx: Queryable,
  charges: readonly Charge[],
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  if (charges.length === 0) return new Map();
  const period = periodOf(now).start;
  const environments = countBy(charges.map((charge) => charge.environmentId));
  await tx.$executeRaw`
    INSERT INTO environment_usage AS usage (environment_id, period_start, events_used)
    SELECT id, ${period}::date, events
      FROM unnest(${environments.ids}::uuid[], ${environments.counts}::int[]) AS charge (id, events)
     ORDER BY id
    ON CONFLICT (environment_id, period_start) DO UPDATE SET events_used = usage.events_used + EXCLUDED.events_used`;
  const tenants = countBy(charges.map((charge) => charge.tenantId));
  const charged = await tx.$queryRaw<{ tenant_id: string; events_used: bigint }[]>`
    INSERT INTO tenant_usage AS usage (tenant_id, period_start, events_used)
    SELECT charge.id, ${period}::date, events
      FROM unnest(${tenants.ids}::uuid[], ${tenants.counts}::int[]) AS charge (id, events)
      JOIN tenants ON tenants.id = charge.id
      JOIN plans ON plans.code = tenants.plan_code
     WHERE plans.events_per_month IS NULL OR events <= plans.events_per_month
     ORDER BY charge.id
    ON CONFLICT (tenant_id, period_start) DO UPDATE SET events_used = usage.events_used + EXCLUDED.events_used
      WHERE COALESCE(
        usage.events_used + EXCLUDED.events_used <= (
          SELECT events_per_month FROM tenants JOIN plans ON plans.code = plan_code WHERE tenants.id = usage.tenant_id),
        true)
    RETURNING tenant_id, events_used`;
  const held = new Map(charged.map((row) => [row.tenant_id, Number(row.events_used)]));
  if (held.size === tenants.ids.length) return held;
  throw new QuotaExceededError(tenants.ids.find((id) => !held.has(id)) ?? '');
}

/** The tenant's figures in the period of the database's clock; `limit` is null when the plan is unlimited. */
export interface QuotaState {
  readonly limit: number | null;
  readonly used: number;
  readonly resetsAt: Date;
}

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
