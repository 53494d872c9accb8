import { type ChannelKind, periodOf, SERVICE_KINDS } from '@postrider/domain';
import { acrossEnvironments, type Database, type Queryable, type UnboundDatabase } from '../client.ts';
import { readInEnvironments } from '../transactions/transaction.ts';

export interface DeliveryCounts {
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Runs that are not terminal. */
  readonly pending: number;
}

/** A tenant's usage in the current period: the calendar month, UTC, by the database's clock. */
export interface UsageRecord {
  readonly period: { readonly start: Date; readonly end: Date };
  readonly events: { readonly used: number; readonly limit: number | null };
  readonly deliveries: DeliveryCounts & {
    readonly byChannelKind: Readonly<Record<ChannelKind, DeliveryCounts>>;
  };
  readonly environments: readonly {
    readonly id: string;
    readonly name: string;
    readonly eventsUsed: number;
  }[];
}

type Tally = { -readonly [K in keyof DeliveryCounts]: number };
const emptyTally = (): Tally => ({ succeeded: 0, failed: 0, cancelled: 0, pending: 0 });

/** The most rows of triggers that one read adds up. There are more only while no worker folds them, see {@link foldDeliveryUsage}. */
const MAX_UNFOLDED = 10_000;

/**
 * The counted runs of the period: a row for each environment and kind, whatever their number of runs, and what is not yet
 * folded into these.
 */
async function readDeliveryCounts(
  db: Queryable,
  tenantId: string,
  since: Date,
  kinds: readonly ChannelKind[],
) {
  const rows = await db.$queryRaw<({ kind: ChannelKind } & Record<keyof DeliveryCounts, bigint>)[]>`
    SELECT channel_kind AS kind, sum(pending)::int8 AS pending, sum(succeeded)::int8 AS succeeded,
           sum(failed)::int8 AS failed, sum(cancelled)::int8 AS cancelled
      FROM (SELECT channel_kind, pending, succeeded, failed, cancelled FROM delivery_usage
             WHERE environment_id = ANY(ARRAY(SELECT id FROM environments WHERE tenant_id = ${tenantId}::uuid))
               AND period_start = ${since}::date
            UNION ALL
            SELECT channel_kind, pending, succeeded, failed, cancelled FROM (
              SELECT * FROM delivery_usage_deltas
               WHERE environment_id = ANY(ARRAY(SELECT id FROM environments WHERE tenant_id = ${tenantId}::uuid))
               LIMIT ${MAX_UNFOLDED}) AS unfolded
             WHERE period_start = ${since}::date) AS counted
     GROUP BY 1`;
  const total = emptyTally();
  const byChannelKind = Object.fromEntries(kinds.map((kind) => [kind, emptyTally()]));
  for (const { kind, ...counts } of rows) {
    for (const tally of [total, byChannelKind[kind]]) {
      for (const outcome of Object.keys(counts) as (keyof DeliveryCounts)[]) {
        if (tally) tally[outcome] += Number(counts[outcome]);
      }
    }
  }
  return { ...total, byChannelKind };
}

/**
 * Adds up to `limit` of what triggers have counted of new and ended runs to the usage of their months. Concurrent calls take
 * different rows and write in a fixed order. `after` is the id of the last row of the previous call, see `foldStats`.
 */
export async function foldDeliveryUsage(
  db: UnboundDatabase,
  limit: number,
  after = 0n,
): Promise<{ readonly rows: number; readonly last: bigint }> {
  const [row] = await db.$queryRaw<{ rows: number; last: bigint | null }[]>`
    WITH taken AS (
      DELETE FROM delivery_usage_deltas WHERE id = ANY(ARRAY(
        SELECT id FROM delivery_usage_deltas WHERE id > ${after}::int8 ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED))
      RETURNING *
    ), added AS (
      INSERT INTO delivery_usage AS usage (environment_id, period_start, channel_kind, pending, succeeded, failed, cancelled)
      SELECT environment_id, period_start, channel_kind, sum(pending), sum(succeeded), sum(failed), sum(cancelled)
        FROM taken GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (environment_id, period_start, channel_kind)
      DO UPDATE SET pending = usage.pending + EXCLUDED.pending, succeeded = usage.succeeded + EXCLUDED.succeeded,
                    failed = usage.failed + EXCLUDED.failed, cancelled = usage.cancelled + EXCLUDED.cancelled
    )
    SELECT count(*)::int AS rows, max(id) AS last FROM taken`;
  return { rows: row?.rows ?? 0, last: row?.last ?? after };
}

/**
 * The current period's usage of the tenant. It counts runs created in the period, including those removed since,
 * without tests.
 */
export async function readUsage(
  db: Database,
  tenantId: string,
  kinds: readonly ChannelKind[] = SERVICE_KINDS.map(({ kind }) => kind),
): Promise<UsageRecord> {
  const environments = await acrossEnvironments(db).environment.findMany({
    where: { tenantId },
    select: { id: true },
  });
  const ids = environments.map(({ id }) => id);
  return readInEnvironments(db, ids, (tx) => readUsageInScope(tx, tenantId, kinds));
}

async function readUsageInScope(
  db: Queryable,
  tenantId: string,
  kinds: readonly ChannelKind[],
): Promise<UsageRecord> {
  const [tenant] = await db.$queryRaw<{ now: Date; limit: number | null }[]>`
    SELECT now() AS now, plans.events_per_month AS limit
      FROM tenants JOIN plans ON plans.code = plan_code WHERE tenants.id = ${tenantId}::uuid`;
  if (!tenant) throw new Error(`tenant ${tenantId} does not exist`);
  const period = periodOf(tenant.now);
  const environments = await db.$queryRaw<UsageRecord['environments']>`
    SELECT id, name, COALESCE(events_used, 0)::float8 AS "eventsUsed"
      FROM environments LEFT JOIN environment_usage usage
        ON usage.environment_id = id AND period_start = ${period.start}::date
     WHERE tenant_id = ${tenantId}::uuid ORDER BY name`;
  const [total] = await db.$queryRaw<{ used: number }[]>`
    SELECT events_used::float8 AS used FROM tenant_usage WHERE tenant_id = ${tenantId}::uuid AND period_start = ${period.start}::date`;
  return {
    period,
    events: { used: total?.used ?? 0, limit: tenant.limit },
    deliveries: await readDeliveryCounts(db, tenantId, period.start, kinds),
    environments,
  };
}

interface UsageMonth {
  readonly periodStart: Date;
  readonly eventsUsed: number;
}

/**
 * The events of a tenant in each of the newest `months` calendar months (UTC), newest first, including months without
 * events, and the limit of its current plan. Null if there is no such tenant.
 */
export async function readUsageMonths(
  db: Queryable,
  tenantId: string,
  months: number,
): Promise<{ readonly limit: number | null; readonly months: readonly UsageMonth[] } | null> {
  const rows = await db.$queryRaw<(UsageMonth & { readonly limit: number | null })[]>`
    SELECT plans.events_per_month AS limit, month::date AS "periodStart",
           COALESCE(usage.events_used, 0)::float8 AS "eventsUsed"
      FROM tenants JOIN plans ON plans.code = plan_code
      CROSS JOIN generate_series(
        date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => ${months - 1}::int),
        date_trunc('month', now() AT TIME ZONE 'UTC'), interval '1 month') AS month
      LEFT JOIN tenant_usage usage ON usage.tenant_id = tenants.id AND usage.period_start = month::date
     WHERE tenants.id = ${tenantId}::uuid ORDER BY month DESC`;
  const [first] = rows;
  if (!first) return null;
  return { limit: first.limit, months: rows.map(({ limit: _limit, ...month }) => month) };
}
