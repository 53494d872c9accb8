import { type ChannelKind, LOSSES_BEFORE_QUARANTINE, RATE_TOLERANCE_MS } from '@postrider/domain';
import type { UnboundDatabase } from '../client.ts';
import { IS_WAITING, WAITING } from '../run-statuses.ts';
import { defineStatement } from '../statement.ts';

/** What a worker needs to know of a channel before it claims its runs. Ids are UUIDs. */
export interface ChannelFacts {
  readonly channelId: string;
  readonly environmentId: string;
  readonly tenantId: string;
  readonly kind: ChannelKind;
}

const find = defineStatement<readonly string[], ChannelFacts>({
  text: `
    SELECT channel.id AS "channelId", channel.environment_id AS "environmentId", environment.tenant_id AS "tenantId", channel.kind
      FROM (SELECT unnest((SELECT :ids::uuid[])) AS id) asked
      JOIN channels channel USING (id) JOIN environments environment ON environment.id = channel.environment_id`,
  parameters: { ids: (ids) => ids },
});

/** A waiting run with its channel. Ids are UUIDs. */
interface WaitingRun {
  readonly runId: string;
  readonly channelId: string;
  /** Whether it has a template, or its channel has one. */
  readonly needsRender: boolean;
}

/** Those of these runs that wait. */
export const findWaitingRuns: (db: UnboundDatabase, runIds: readonly string[]) => Promise<WaitingRun[]> =
  defineStatement({
    text: `
    SELECT run.id AS "runId", run.channel_id AS "channelId",
           run.template_version_id IS NOT NULL OR channel.config ->> 'template' IS NOT NULL AS "needsRender"
      FROM (SELECT unnest((SELECT :ids::uuid[])) AS id) asked JOIN delivery_runs run USING (id)
      JOIN channels channel ON channel.id = run.channel_id
     WHERE run.status IN ${WAITING.sql}`,
    parameters: { ids: (ids) => ids },
  });

/** The facts of each of these channels, also of deleted ones; null for an unknown channel. */
export async function findChannels(
  db: UnboundDatabase,
  channelIds: readonly string[],
): Promise<(ChannelFacts | null)[]> {
  const rows = await find(db, channelIds);
  const facts = new Map(rows.map((row) => [row.channelId, row]));
  return channelIds.map((id) => facts.get(id) ?? null);
}

/** A channel with work. Ids are UUIDs. */
export interface PolledChannel {
  readonly channelId: string;
  /**
   * Milliseconds until its first waiting run is due and its rate allows it, by the database's clock; negative if that was
   * before.
   */
  readonly dueInMs: number;
  /** Whether its open attempts are limited. Then a run that has been due for long may be allowed only now. */
  readonly hasMaxInFlight: boolean;
}

interface PollInput {
  readonly kinds: readonly string[];
  /** Ids of channels that are left out. */
  readonly without: readonly string[];
  readonly aheadMs: number;
  readonly limit: number;
}

/**
 * The first waiting run of each channel that has one. It skips from channel to channel in the index `delivery_runs_open` (a
 * loose index scan), so it costs one look-up for each such channel, and one for each run that a worker has claimed or that is in
 * quarantine, however many wait. Channels without waiting runs cost nothing.
 */
const FIRST_RUNS = `
WITH RECURSIVE first (channel_id, due_at) AS (
  (SELECT channel_id, due_at FROM delivery_runs run
    WHERE ${IS_WAITING} AND lost_workers < ${LOSSES_BEFORE_QUARANTINE}
    ORDER BY channel_id, due_at LIMIT 1)
  UNION ALL
  SELECT next.channel_id, next.due_at FROM first CROSS JOIN LATERAL (
    SELECT run.channel_id, run.due_at FROM delivery_runs run
     WHERE ${IS_WAITING} AND run.lost_workers < ${LOSSES_BEFORE_QUARANTINE}
       AND run.channel_id > first.channel_id
     ORDER BY run.channel_id, run.due_at LIMIT 1) next
)`;

/**
 * SQL: whether the limits of `channel` allow a run within `:ahead_ms`. If the rate is used up for longer than a burst takes, the limit
 * was raised or the clock was set back: the claim decides. Whether there is a test is a value and not an EXISTS, which PostgreSQL
 * may answer with a hash table of all tests.
 */
const IS_ALLOWED = `(
  (max_per_second IS NULL OR rate_state IS NULL
     OR rate_state - ${RATE_TOLERANCE_MS} NOT BETWEEN now_ms + :ahead_ms::float8 AND now_ms + :ahead_ms::float8 + ${RATE_TOLERANCE_MS} + 1000 / max_per_second)
  AND (max_in_flight IS NULL OR max_in_flight > (
    SELECT count(*) FROM delivery_runs run
     WHERE run.channel_id = channel.id AND run.limited AND run.completed_at IS NULL AND run.status = 'running'))
  OR (SELECT true FROM delivery_runs run
       WHERE run.channel_id = channel.id AND run.test AND ${IS_WAITING} AND run.due_at <= now()
       LIMIT 1))`;

/** SQL: the position of a channel among those of its tenant, the longest waiting first. Ordered by it, a tenant with many late channels hides no other one. */
const POSITION_IN_TENANT = `row_number() OVER (
       PARTITION BY (SELECT tenant_id FROM environments WHERE environments.id = channel.environment_id) ORDER BY first.due_at)`;

/** The channels to leave out are a subquery, because PostgreSQL hashes it; it would compare each channel with each of an array. */
const poll = defineStatement<
  PollInput,
  { channel_id: string; due_in_ms: number; has_max_in_flight: boolean }
>({
  text: `${FIRST_RUNS}
    SELECT first.channel_id, GREATEST(
             extract(epoch FROM first.due_at - now()) * 1000,
             CASE WHEN max_per_second IS NULL THEN NULL
                  WHEN rate_state - ${RATE_TOLERANCE_MS} > now_ms + :ahead_ms::float8 THEN 0
                  ELSE rate_state - ${RATE_TOLERANCE_MS} - now_ms END)::float8 AS due_in_ms,
           max_in_flight IS NOT NULL AS has_max_in_flight
      FROM first JOIN channels channel ON channel.id = first.channel_id
      LEFT JOIN channel_limit_states state ON state.channel_id = channel.id
     CROSS JOIN LATERAL (SELECT floor(extract(epoch FROM now()) * 1000)::float8 AS now_ms) clock
     WHERE first.due_at <= now() + make_interval(secs => :ahead_ms::float8 / 1000)
       AND first.channel_id NOT IN (SELECT unnest(:without::uuid[]))
       AND channel.kind = ANY (:kinds::text[]) AND ${IS_ALLOWED}
     ORDER BY ${POSITION_IN_TENANT}, first.due_at LIMIT :limit::int`,
  parameters: {
    kinds: ({ kinds }) => kinds,
    without: ({ without }) => without,
    ahead_ms: ({ aheadMs }) => aheadMs,
    limit: ({ limit }) => limit,
  },
});

/**
 * The channels of these kinds that have work within `aheadMs` milliseconds, at most `limit`: tenants in turn, of each those
 * first that wait longest. A channel whose limits allow no run has none, except for tests.
 * Runs in quarantine are left out, because no ordinary claim takes them.
 */
export async function pollChannels(db: UnboundDatabase, input: PollInput): Promise<PolledChannel[]> {
  const rows = await poll(db, input);
  return rows.map((row) => ({
    channelId: row.channel_id,
    dueInMs: row.due_in_ms,
    hasMaxInFlight: row.has_max_in_flight,
  }));
}
