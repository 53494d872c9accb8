import { type ChannelHealth, type ChannelKind, HEALTHY } from '@postrider/domain';
import { Prisma, type Queryable } from '../client.ts';
import { readHealth } from '../health/read.ts';
import { HAS_LIMITS } from '../limits/waiting.ts';
import { type ExpiringSecret, readExpiringSecrets } from '../operational/expiring-secrets.ts';
import { WAITING } from '../run-statuses.ts';
import { FAILING_DAYS } from './failures.ts';

/** A channel with failed attempts in the last day and no success since. */
interface FailingChannel {
  readonly environmentId: string;
  readonly channelId: string;
  readonly name: string;
  readonly kind: ChannelKind;
  /** Attempts that failed after the minute of its last success. */
  readonly failures: number;
  readonly lastErrorCode: string;
  /** Precise to the minute. */
  readonly failingSince: Date;
}

/** What needs attention in an environment: overdue runs (without those that wait for limits), used quota, failed templates. */
interface EnvironmentNeeds {
  readonly environmentId: string;
  readonly environmentName: string;
  readonly tenantId: string;
  readonly tenantName: string;
  readonly due: number;
  readonly oldestDueAt: Date | null;
  readonly used: number;
  /** Null if the plan is unlimited. */
  readonly limit: number | null;
  readonly renderFailures: number;
  /** Channels with blocked ordering keys, which are counted up to {@link MAX_BLOCKED} in all. */
  readonly blocked: readonly BlockedChannel[];
}

/** A channel with blocked ordering keys. */
interface BlockedChannel {
  readonly channelId: string;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly keys: number;
}

/** A paused channel with its held runs. */
interface PausedChannel {
  readonly environmentId: string;
  readonly channelId: string;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly health: ChannelHealth;
}

export interface Attention {
  /** When the report was read, by the database's clock. */
  readonly at: Date;
  readonly failing: readonly FailingChannel[];
  readonly paused: readonly PausedChannel[];
  readonly environments: readonly EnvironmentNeeds[];
  /** The secrets that end first. */
  readonly expiring: readonly ExpiringSecret[];
}

/** The most due runs that are counted per channel. */
const MAX_DUE_OF_CHANNEL = 1_000;
/** The same in the report of all environments, which reads the channels of many. */
const MAX_DUE_OF_MANY = 100;
const MAX_FAILING = 100;
const MAX_EXPIRING = 100;
const MAX_ENVIRONMENTS = 1_000;
const MAX_BLOCKED = 1_000;
/** A channel is reported after this many failures in a row, because a single failure is retried. */
const FAILING_FROM = 3;

async function readPaused(db: Queryable, environmentId: string | null): Promise<PausedChannel[]> {
  const rows = await db.channelHealth.findMany({
    where: {
      state: 'paused',
      ...(environmentId ? { environmentId } : {}),
      channel: { deletedAt: null, enabled: true },
    },
    select: { environmentId: true, channelId: true, channel: { select: { name: true, kind: true } } },
    orderBy: { channelId: 'desc' },
    take: MAX_FAILING,
  });
  const health = await readHealth(
    db,
    rows.map(({ channelId }) => channelId),
  );
  return rows.map(({ channel, ...row }) => ({
    ...row,
    ...channel,
    health: health.get(row.channelId) ?? HEALTHY,
  }));
}

/** What needs an operator's attention, in one environment or, if null, in those with events counted in the last day. */
export async function readAttention(db: Queryable, environmentId: string | null): Promise<Attention> {
  const scope =
    environmentId === null
      ? Prisma.sql`SELECT id FROM environments ORDER BY id DESC LIMIT ${MAX_ENVIRONMENTS}`
      : Prisma.sql`SELECT id FROM environments WHERE id = ${environmentId}::uuid`;
  const [{ at }] = await db.$queryRaw<[{ at: Date }]>`SELECT now() AS at`;
  const failing = await db.$queryRaw<
    {
      environment_id: string;
      id: string;
      name: string;
      kind: ChannelKind;
      failures: number;
      last_error_code: string;
      failing_since: Date;
    }[]
  >`
    SELECT channels.environment_id, channels.id, channels.name, channels.kind, known.failures::int AS failures,
           known.failing_since, known.last_error_code
      FROM channel_failures known
      JOIN channels ON channels.id = known.channel_id AND channels.deleted_at IS NULL
     WHERE known.failures >= ${FAILING_FROM}::int AND known.failed_at >= now() - make_interval(days => ${FAILING_DAYS}::int)
       ${environmentId === null ? Prisma.empty : Prisma.sql`AND known.environment_id = ${environmentId}::uuid`}
     ORDER BY known.failures DESC, channels.id LIMIT ${MAX_FAILING}`;
  const environments = await db.$queryRaw<
    {
      environment_id: string;
      environment_name: string;
      tenant_id: string;
      tenant_name: string;
      due: number;
      oldest_due_at: Date | null;
      used: bigint;
      limit: number | null;
      render_failures: number;
      blocked: readonly BlockedChannel[];
    }[]
  >`
    WITH scope AS MATERIALIZED (${scope})
    SELECT environments.id AS environment_id, environments.name AS environment_name, tenants.id AS tenant_id,
           tenants.name AS tenant_name, backlog.due, backlog.oldest_due_at,
           COALESCE(usage.events_used, 0)::int8 AS used, plans.events_per_month AS limit,
           (SELECT COALESCE(sum(attempts), 0)::int FROM stats
             WHERE stats.environment_id = environments.id AND span_seconds = 60 AND start >= now() - interval '1 hour'
               AND error_code = 'template_render_failed') AS render_failures,
           (SELECT COALESCE(json_agg(of_channel ORDER BY keys DESC, "channelId"), '[]')
              FROM (
                SELECT id AS "channelId", name, kind, count(*)::int AS keys FROM (
                  SELECT channels.id, channels.name, channels.kind
                    FROM ordering_keys known JOIN channels ON channels.id = known.channel_id
                   WHERE known.environment_id = environments.id AND known.blocked_at IS NOT NULL
                     AND channels.deleted_at IS NULL
                   LIMIT ${MAX_BLOCKED}) AS blocked
                 GROUP BY 1, 2, 3) AS of_channel) AS blocked
      FROM scope
      JOIN environments ON environments.id = scope.id
      JOIN tenants ON tenants.id = environments.tenant_id
      JOIN plans ON plans.code = tenants.plan_code
      LEFT JOIN tenant_usage usage ON usage.tenant_id = tenants.id
       AND usage.period_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date
     CROSS JOIN LATERAL (
       SELECT COALESCE(sum(due.runs), 0)::int AS due, min(due.oldest) AS oldest_due_at
         FROM channels channel CROSS JOIN LATERAL (
           SELECT count(*) AS runs, min(due_at) AS oldest FROM (
             SELECT due_at FROM delivery_runs run
              WHERE run.channel_id = channel.id AND run.completed_at IS NULL AND run.due_at <= now()
                AND run.status IN ${WAITING}
              ORDER BY due_at LIMIT ${environmentId === null ? MAX_DUE_OF_MANY : MAX_DUE_OF_CHANNEL}) AS waiting) AS due
        WHERE channel.environment_id = environments.id AND channel.runs_ended_at IS NULL AND NOT ${HAS_LIMITS}) AS backlog`;
  const paused = await readPaused(db, environmentId);
  const expiring = await readExpiringSecrets(db, scope, MAX_EXPIRING);
  return {
    at,
    paused,
    expiring,
    failing: failing.map((row) => ({
      environmentId: row.environment_id,
      channelId: row.id,
      name: row.name,
      kind: row.kind,
      failures: row.failures,
      lastErrorCode: row.last_error_code,
      failingSince: row.failing_since,
    })),
    environments: environments.map((row) => ({
      environmentId: row.environment_id,
      environmentName: row.environment_name,
      tenantId: row.tenant_id,
      tenantName: row.tenant_name,
      due: row.due,
      oldestDueAt: row.oldest_due_at,
      used: Number(row.used),
      limit: row.limit,
      renderFailures: row.render_failures,
      blocked: row.blocked,
    })),
  };
}
