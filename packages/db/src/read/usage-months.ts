import type { Queryable } from '../client.ts';

export interface UsageMonth {
  readonly periodStart: Date;
  readonly eventsUsed: number;
}

/**
 * What a tenant has used in each of the newest `months` calendar months (UTC), newest first, months without events among
 * them, and what its plan allows now; null when there is no such tenant.
 */
export async function readUsageMonths(
  db: Queryable,
  tenantId: string,
  months: number,
): Promise<{ readonly limit: number | null; readonly months: readonly UsageMonth[] } | null> {
  const rows = await db.$queryRaw<{ limit: number | null; period_start: Date; events_used: bigint }[]>`
    SELECT plans.events_per_month AS limit, month::date AS period_start,
           COALESCE(usage.events_used, 0)::bigint AS events_used
      FROM tenants JOIN plans ON plans.code = plan_code
      CROSS JOIN generate_series(
        date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => ${months - 1}::int),
        date_trunc('month', now() AT TIME ZONE 'UTC'), interval '1 month') AS month
      LEFT JOIN tenant_usage usage ON usage.tenant_id = tenants.id AND usage.period_start = month::date
     WHERE tenants.id = ${tenantId}::uuid ORDER BY month DESC`;
  const [first] = rows;
  if (!first) return null;
  return {
    limit: first.limit,
    months: rows.map((row) => ({ periodStart: row.period_start, eventsUsed: Number(row.events_used) })),
  };
}
