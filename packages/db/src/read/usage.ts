import { type ChannelRegistry, channelKinds } from '@postrider/channels';
import { type ChannelKind, periodOf } from '@postrider/domain';
import { acrossEnvironments, type Database, Prisma, type Queryable } from '../client.ts';
import { firstIdAt } from '../first-id-at.ts';
import { TERMINAL } from '../run-statuses.ts';
import { readInEnvironments } from '../scope/in-environments.ts';

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

/**
 * Counts the runs created in the period: those of messages of the period, found by their ids, and replays of older
 * messages. So no index of all runs by time is needed.
 */
async function countDeliveries(db: Queryable, tenantId: string, since: Date, kinds: readonly ChannelKind[]) {
  const firstId = firstIdAt(Prisma.sql`${since.getTime()}::float8`);
  const isOfTenant = Prisma.sql`environment_id IN (SELECT id FROM environment)`;
  const rows = await db.$queryRaw<{ kind: ChannelKind; outcome: keyof DeliveryCounts; runs: bigint }[]>`
    WITH environment AS (
      SELECT id FROM environments WHERE tenant_id = ${tenantId}::uuid
    ), counted AS (
      SELECT channel_kind AS kind,
             CASE WHEN status IN ${TERMINAL} THEN status ELSE 'pending' END AS outcome,
             count(*) AS runs
        FROM (SELECT * FROM delivery_runs WHERE ${isOfTenant} AND message_id >= ${firstId}
              UNION ALL
              SELECT * FROM delivery_runs
               WHERE ${isOfTenant} AND replay > 0 AND created_at >= ${since}::timestamptz
                 AND message_id < ${firstId}) AS run
       WHERE NOT EXISTS (
           SELECT FROM messages message
            WHERE message.environment_id = run.environment_id AND message.id = run.message_id
              AND (message.test OR message.operational))
       GROUP BY 1, 2
      UNION ALL
      SELECT channel_kind, status, runs FROM removed_deliveries
       WHERE environment_id IN (SELECT id FROM environment) AND period_start = ${since}::date
    )
    SELECT kind, outcome, sum(runs)::bigint AS runs FROM counted GROUP BY 1, 2`;
  const total = emptyTally();
  const byChannelKind = Object.fromEntries(kinds.map((kind) => [kind, emptyTally()]));
  for (const { kind, outcome, runs } of rows) {
    total[outcome] += Number(runs);
    const ofKind = byChannelKind[kind];
    if (ofKind) ofKind[outcome] += Number(runs);
  }
  return { ...total, byChannelKind };
}

/**
 * The current period's usage of the tenant. It counts runs created in the period, including those removed since,
 * without tests.
 */
export async function readUsage(
  db: Database,
  tenantId: string,
  kinds: ChannelRegistry = channelKinds,
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
  { kinds }: ChannelRegistry,
): Promise<UsageRecord> {
  const [tenant] = await db.$queryRaw<{ now: Date; limit: number | null }[]>`
    SELECT now() AS now, plans.events_per_month AS limit
      FROM tenants JOIN plans ON plans.code = plan_code WHERE tenants.id = ${tenantId}::uuid`;
  if (!tenant) throw new Error(`tenant ${tenantId} does not exist`);
  const period = periodOf(tenant.now);
  const environments = await db.$queryRaw<{ id: string; name: string; events_used: bigint }[]>`
    SELECT id, name, COALESCE(events_used, 0)::bigint AS events_used
      FROM environments LEFT JOIN environment_usage usage
        ON usage.environment_id = id AND period_start = ${period.start}::date
     WHERE tenant_id = ${tenantId}::uuid ORDER BY name`;
  const [total] = await db.$queryRaw<{ events_used: bigint }[]>`
    SELECT events_used FROM tenant_usage WHERE tenant_id = ${tenantId}::uuid AND period_start = ${period.start}::date`;
  return {
    period,
    events: { used: Number(total?.events_used ?? 0), limit: tenant.limit },
    deliveries: await countDeliveries(db, tenantId, period.start, kinds),
    environments: environments.map(({ events_used, ...rest }) => ({
      ...rest,
      eventsUsed: Number(events_used),
    })),
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
