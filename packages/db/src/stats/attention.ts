import { type ChannelHealth, type ChannelKind, HEALTHY, type PausedStreamRecord } from '@postrider/domain';
import { readHealth } from '../channels/health.ts';
import { Prisma, type Queryable } from '../client.ts';
import { type ExpiringSecret, readExpiringSecrets } from '../operational/expiring-secrets.ts';
import { IS_WAITING } from '../run-statuses.ts';
import { blockedChannels, FAILS } from '../statements/channel-state.ts';
import { HAS_LIMITS } from '../statements/limited-runs.ts';

interface NamedChannel {
  readonly environmentId: string;
  readonly channelId: string;
  readonly name: string;
  readonly kind: ChannelKind;
}

/** A channel in the state `failing`, see `channelStateOf`. */
interface FailingChannel extends NamedChannel {
  /** Attempts that failed after the minute of its last success. */
  readonly failures: number;
  readonly lastErrorCode: string;
  /** Precise to the minute. */
  readonly failingSince: Date;
}

/** A stream whose email is held because too many recipients complained. */
type PausedStream = Omit<PausedStreamRecord, 'resumedAt' | 'waiting'>;

interface BlockedChannel extends Omit<NamedChannel, 'environmentId'> {
  /** Its blocked ordering keys, counted up to an equal share of all that are counted. */
  readonly keys: number;
}

/** What needs attention in an environment, each part counted up to a limit: see {@link OF_ONE} and {@link OF_MANY}. */
interface Needs {
  readonly environmentId: string;
  readonly environmentName: string;
  readonly tenantId: string;
  readonly tenantName: string;
  /** Overdue runs, without those that wait for limits. */
  readonly due: number;
  readonly oldestDueAt: Date | null;
  /** Whether the oldest has waited for more than a minute. */
  readonly isLate: boolean;
  readonly used: number;
  /** Null if the plan is unlimited. */
  readonly limit: number | null;
  readonly renderFailures: number;
  readonly blocked: readonly BlockedChannel[];
  readonly failing: readonly FailingChannel[];
  readonly paused: readonly NamedChannel[];
  readonly pausedStreams: readonly PausedStream[];
  /** The secrets that end first. */
  readonly expiring: readonly ExpiringSecret[];
}

/** What needs attention in an environment, with the held runs of its paused channels. */
export interface Attention extends Needs {
  /** How much needs attention; 0 if nothing does. */
  readonly weight: number;
  readonly paused: readonly (NamedChannel & { readonly health: ChannelHealth })[];
}

/** The most that is read of each part: for a single environment, and for each of many. */
const OF_ONE = { channels: 100, dueOfChannel: 1_000, due: 10_000, blocked: 1_000, figures: 10_000 };
const OF_MANY = { channels: 10, dueOfChannel: 100, due: 100, blocked: 100, figures: 1_000 };
/** The used share of a quota from which it is reported. */
const QUOTA_NEAR = 0.8;

/** How much needs attention, to compare environments; 0 if nothing does. */
function weightOf({ failing, paused, pausedStreams, expiring, blocked, ...needs }: Needs): number {
  const ratio = needs.limit === null ? 0 : needs.used / Math.max(1, needs.limit);
  return (
    paused.length +
    pausedStreams.length +
    expiring.length +
    failing.reduce((sum, { failures }) => sum + failures, 0) +
    blocked.reduce((sum, { keys }) => sum + keys, 0) +
    (needs.isLate ? needs.due : 0) +
    needs.renderFailures +
    (ratio >= QUOTA_NEAR ? ratio : 0)
  );
}

const IS_DUE = Prisma.raw(`run.channel_id = channel.id AND ${IS_WAITING} AND run.due_at <= now()`);
/** Consumers can have hundreds of thousands of channels, and each costs a look at its runs. */
const IS_COUNTED = Prisma.raw(`channel.environment_id = scope.id AND channel.consumer_id IS NULL
    AND channel.runs_ended_at IS NULL AND NOT ${HAS_LIMITS.sql}`);

async function readNeeds(db: Queryable, ids: readonly string[], most: typeof OF_ONE): Promise<Needs[]> {
  const failing = await db.$queryRaw<FailingChannel[]>`
    SELECT failing.* FROM unnest(${[...ids]}::uuid[]) AS scope (id) CROSS JOIN LATERAL (
      SELECT channel.environment_id AS "environmentId", channel.id AS "channelId", channel.name, channel.kind,
             COALESCE(known.failures, health.failures, 0)::int AS failures,
             COALESCE(known.failing_since, health.failing_since) AS "failingSince",
             COALESCE(known.last_error_code, '') AS "lastErrorCode"
        FROM (
          SELECT channel_id FROM channel_failures known LEFT JOIN channel_health health USING (channel_id)
           WHERE known.environment_id = scope.id AND ${Prisma.raw(FAILS)}
          UNION SELECT channel_id FROM channel_health WHERE environment_id = scope.id AND state = 'failing') AS found
        JOIN channels channel ON channel.id = found.channel_id AND channel.deleted_at IS NULL AND channel.enabled
        LEFT JOIN channel_failures known ON known.channel_id = channel.id
        LEFT JOIN channel_health health ON health.channel_id = channel.id
       WHERE COALESCE(health.state, 'ok') <> 'paused'
       ORDER BY known.failures DESC NULLS LAST, channel.id LIMIT ${most.channels}) AS failing`;
  const paused = await db.$queryRaw<NamedChannel[]>`
    SELECT paused.* FROM unnest(${[...ids]}::uuid[]) AS scope (id) CROSS JOIN LATERAL (
      SELECT channel.environment_id AS "environmentId", channel.id AS "channelId", channel.name, channel.kind
        FROM channel_health health
        JOIN channels channel ON channel.id = health.channel_id AND channel.deleted_at IS NULL AND channel.enabled
       WHERE health.environment_id = scope.id AND health.state = 'paused'
       ORDER BY channel.id DESC LIMIT ${most.channels}) AS paused`;
  const pausedStreams = await db.$queryRaw<PausedStream[]>`
    SELECT paused.* FROM unnest(${[...ids]}::uuid[]) AS scope (id) CROSS JOIN LATERAL (
      SELECT environment_id AS "environmentId", stream, paused_at AS "pausedAt", delivered::float8 AS delivered,
             complained::float8 AS complained
        FROM stream_pauses
       WHERE environment_id = scope.id AND resumed_at IS NULL
       ORDER BY stream LIMIT ${most.channels}) AS paused`;
  const environments = await db.$queryRaw<(Needs & { used: bigint })[]>`
    SELECT scope.id AS "environmentId", environments.name AS "environmentName", tenants.id AS "tenantId",
           tenants.name AS "tenantName", backlog.*, plans.events_per_month AS limit,
           COALESCE(backlog."oldestDueAt" < now() - interval '1 minute', false) AS "isLate",
           COALESCE(usage.events_used, 0)::int8 AS used,
           (SELECT COALESCE(sum(attempts), 0)::int FROM (
              SELECT attempts FROM stats
               WHERE stats.environment_id = scope.id AND span_seconds = 60 AND start >= now() - interval '1 hour'
                 AND error_code = 'template_render_failed' LIMIT ${most.figures}) AS figure) AS "renderFailures",
           (SELECT COALESCE(json_agg(of_channel ORDER BY keys DESC, "channelId"), '[]')
              FROM (
                WITH RECURSIVE ${Prisma.raw(blockedChannels('scope.id'))}
                SELECT found.id AS "channelId", name, kind, keys FROM (
                  SELECT few.*, count(*) OVER () AS channels FROM (
                    (SELECT id, name, kind FROM channels CROSS JOIN LATERAL (
                       SELECT FROM ordering_keys
                        WHERE environment_id = scope.id AND channel_id = channels.id AND blocked_at IS NOT NULL LIMIT 1) AS one
                      WHERE environment_id = scope.id AND consumer_id IS NULL AND deleted_at IS NULL LIMIT ${most.channels})
                    UNION ALL
                    (SELECT channel.* FROM blocked CROSS JOIN LATERAL (
                       SELECT id, name, kind FROM channels
                        WHERE id = channel_id AND consumer_id IS NOT NULL AND deleted_at IS NULL LIMIT 1) AS channel
                      LIMIT ${most.channels})
                    LIMIT ${most.channels}) AS few) AS found
                 CROSS JOIN LATERAL (
                   SELECT count(*)::int AS keys FROM (
                     SELECT FROM ordering_keys
                      WHERE environment_id = scope.id AND channel_id = found.id AND blocked_at IS NOT NULL
                      LIMIT ${most.blocked}::int / found.channels) AS key) AS counted) AS of_channel) AS blocked
      FROM unnest(${[...ids]}::uuid[]) WITH ORDINALITY AS scope (id, batch_index)
      JOIN environments ON environments.id = scope.id
      JOIN tenants ON tenants.id = environments.tenant_id
      JOIN plans ON plans.code = tenants.plan_code
      LEFT JOIN tenant_usage usage ON usage.tenant_id = tenants.id
       AND usage.period_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date
     CROSS JOIN LATERAL (
       SELECT (SELECT count(*)::int FROM (
                 SELECT FROM channels channel CROSS JOIN LATERAL (
                   SELECT FROM delivery_runs run WHERE ${IS_DUE} LIMIT ${most.dueOfChannel}) AS counted
                  WHERE ${IS_COUNTED} LIMIT ${most.due}) AS counted) AS due,
              (SELECT min(first.due_at) FROM channels channel CROSS JOIN LATERAL (
                 SELECT due_at FROM delivery_runs run WHERE ${IS_DUE} ORDER BY due_at LIMIT 1) AS first
                WHERE ${IS_COUNTED}) AS "oldestDueAt") AS backlog
     ORDER BY scope.batch_index`;
  const expiring = await readExpiringSecrets(db, ids, most.channels);
  return environments.map((row) => {
    const isOf = ({ environmentId }: { readonly environmentId: string }) =>
      environmentId === row.environmentId;
    return {
      ...row,
      used: Number(row.used),
      failing: failing.filter(isOf),
      paused: paused.filter(isOf),
      pausedStreams: pausedStreams.filter(isOf),
      expiring: expiring.filter(isOf),
    };
  });
}

/** Reads what needs attention in these environments, in their order; less of each in an overview of many. */
export async function readAttention(
  db: Queryable,
  ids: readonly string[],
  { isOverview = false } = {},
): Promise<Attention[]> {
  const needs = await readNeeds(db, ids, isOverview ? OF_MANY : OF_ONE);
  const health = await readHealth(
    db,
    needs.flatMap(({ paused }) => paused.map(({ channelId }) => channelId)),
  );
  return needs.map((of) => ({
    ...of,
    weight: weightOf(of),
    paused: of.paused.map((channel) => ({ ...channel, health: health.get(channel.channelId) ?? HEALTHY })),
  }));
}

/** Environments whose needs are read at once. */
const PAGE = 50;

/**
 * Keeps how much needs attention in the next environments after `after` (null: in the first ones) whose own was kept more than
 * `freshMs` ago, by the database's clock. Returns after which environment the next call continues; null for the beginning.
 */
export async function keepAttention(
  db: Queryable,
  { after, freshMs }: { readonly after: string | null; readonly freshMs: number },
): Promise<string | null> {
  const page = await db.$queryRaw<{ id: string; stale: boolean }[]>`
    SELECT environments.id,
           COALESCE(kept.kept_at <= now() - make_interval(secs => ${freshMs}::float8 / 1000), true) AS stale
      FROM environments LEFT JOIN environment_attention kept ON kept.environment_id = environments.id
     WHERE environments.id > COALESCE(${after}::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
     ORDER BY environments.id LIMIT ${PAGE}`;
  const stale = page.filter((environment) => environment.stale).map(({ id }) => id);
  if (stale.length > 0) {
    const needs = await readNeeds(db, stale, OF_MANY);
    // In the order of ids, so that concurrent calls do not deadlock.
    await db.$executeRaw`
      INSERT INTO environment_attention (environment_id, weight, kept_at)
      SELECT id, weight, now()
        FROM unnest(${needs.map(({ environmentId }) => environmentId)}::uuid[], ${needs.map(weightOf)}::float8[])
          AS needs (id, weight)
       ORDER BY id
      ON CONFLICT (environment_id) DO UPDATE SET weight = EXCLUDED.weight, kept_at = EXCLUDED.kept_at`;
  }
  return page.length < PAGE ? null : (page.at(-1)?.id ?? null);
}

/** The environments in which most needs attention, as {@link keepAttention} has kept it, at most `limit`. */
export async function findNeedy(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT environment_id AS id FROM environment_attention WHERE weight > 0 ORDER BY weight DESC LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** What the holder of a token may see of it: not the operator's own channels, nor other tokens. */
export async function attentionOfOutsider(db: Queryable, of: Attention): Promise<Attention> {
  const { environmentId } = of;
  const rows = await db.channel.findMany({
    where: { environmentId, operational: true },
    select: { id: true },
  });
  const hidden = new Set(rows.map(({ id }) => id));
  const isOwn = ({ channelId }: { readonly channelId: string }) => !hidden.has(channelId);
  return {
    ...of,
    failing: of.failing.filter(isOwn),
    paused: of.paused.filter(isOwn),
    blocked: of.blocked.filter(isOwn),
    expiring: of.expiring.filter(({ type, id }) => type !== 'token' && !hidden.has(id)),
  };
}
