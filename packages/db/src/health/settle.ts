import {
  COMMON_ATTEMPT_ERROR_CODES,
  type ConfiguredKinds,
  DEFAULT_FAILURE_POLICY,
  decideHealth,
  formatOptionalTime,
  type HealthChange,
  type HealthState,
  type IdSource,
  type KindFacts,
  probeDelayMs,
  WANTED_PAUSES,
} from '@postrider/domain';
import type { RunWakeUp } from '../accept/runs.ts';
import { type LockedChannel, lockChannel } from '../channels/channel-record.ts';
import type { Queryable, UnboundDatabase } from '../client.ts';
import type { ChannelHealth as HealthRow } from '../generated/client.ts';
import type { PageRequest } from '../pages.ts';
import { HELD_FOR_STREAM, HELD_UNTIL } from '../run-statuses.ts';
import { defineStatement } from '../statement.ts';
import { refuseHeldRuns } from '../statements/refuse.ts';
import { oldestOfResumedStreams } from '../suppressions/paused-streams.ts';
import { WORKER_ACTOR } from '../transactions/audit.ts';
import { inTransaction } from '../transactions/transaction.ts';
import { disableChannel, isWantedPause, pauseChannel, reportHealth, resumeChannel } from './pause.ts';

/** How long after its last release a channel still counts as releasing, in milliseconds. */
const RELEASING_MS = 60_000;
/** Error codes of a probe that show nothing about the channel. The next run is then used as the probe. */
const INCONCLUSIVE: readonly string[] = COMMON_ATTEMPT_ERROR_CODES.filter((code) => code !== 'worker_lost');

export interface SettleDeps {
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  readonly kinds: ConfiguredKinds & { readonly definitions: readonly KindFacts[] };
  /** See `ClaimRules`. Without the key, a run with a suppressed recipient may become a probe, which proves nothing. */
  readonly addressHashKey?: () => Promise<Uint8Array | null>;
}

const { warn_after, pause_after, min_attempts } = DEFAULT_FAILURE_POLICY;

/**
 * Channels whose state may have to change. {@link decideHealth} and the result of the probe decide. Whether a channel has held
 * runs is a value and not an EXISTS, which PostgreSQL may answer with a hash table of all held runs.
 */
const findUnsettled = defineStatement<PageRequest, { channel_id: string }>({
  text: `
    SELECT health.channel_id
      FROM channel_health health JOIN channels channel ON channel.id = health.channel_id
     CROSS JOIN LATERAL (
       SELECT COALESCE((channel.failure_policy ->> 'min_attempts')::float8, ${min_attempts}::float8) AS min_attempts,
              now() - make_interval(secs =>
                COALESCE((channel.failure_policy ->> 'warn_after')::float8, ${warn_after}::float8)) AS warn_since,
              now() - make_interval(secs =>
                COALESCE((channel.failure_policy ->> 'pause_after')::float8, ${pause_after}::float8)) AS pause_since) AS policy
     WHERE (health.state <> 'ok' OR health.failing_since IS NOT NULL) AND channel.deleted_at IS NULL AND channel.enabled
       AND (:after::uuid IS NULL OR health.channel_id > :after::uuid)
       AND CASE health.state
             WHEN 'paused' THEN health.reason <> ALL ('{${WANTED_PAUSES.join()}}') AND (
               health.probe_run_id IS NOT NULL OR health.next_probe_at <= now() AND COALESCE((
                 SELECT run.id FROM delivery_runs run
                  WHERE run.held = 'paused' AND run.channel_id = health.channel_id AND run.completed_at IS NULL
                  LIMIT 1), ${oldestOfResumedStreams({ environmentId: 'health.environment_id', channelId: 'health.channel_id' })}) IS NOT NULL)
             WHEN 'failing' THEN
               health.failing_since IS NULL OR health.failing_since <= policy.pause_since OR health.release_rate IS NOT NULL
             ELSE health.failures >= policy.min_attempts
                  AND (health.failing_since <= GREATEST(policy.warn_since, policy.pause_since) OR health.release_rate IS NOT NULL) END
     ORDER BY health.channel_id LIMIT :limit`,
});

interface Settling {
  readonly tx: Queryable;
  readonly deps: SettleDeps;
  readonly locked: LockedChannel;
  readonly health: HealthRow;
  readonly now: Date;
}

async function change(settling: Settling, decided: HealthChange): Promise<void> {
  const { tx, deps, locked, health } = settling;
  const { id } = locked.channel;
  switch (decided.to) {
    case 'ok':
    case 'failing':
      await tx.$executeRaw`
        UPDATE channel_health
           SET state = ${decided.to}, reason = ${'reason' in decided ? decided.reason : null}, transitions = transitions + 1
         WHERE channel_id = ${id}::uuid`;
      await reportHealth(tx, locked.channel, {
        type: decided.to === 'ok' ? 'channel.recovered' : 'channel.failing',
        transitions: health.transitions + 1,
        facts:
          'reason' in decided
            ? { reason: decided.reason, failing_since: formatOptionalTime(health.failingSince) }
            : { was: 'failing' },
      });
      return;
    case 'pause':
      await pauseChannel(tx, { ...deps, actor: WORKER_ACTOR }, { locked, reason: decided.reason });
      return;
    case 'disable':
      await tx.$executeRaw`
        UPDATE channel_health
           SET state = 'ok', reason = NULL, failing_since = NULL, failures = 0, timeouts = 0, transitions = transitions + 1
         WHERE channel_id = ${id}::uuid`;
      await disableChannel(tx, deps, locked, {
        reason: 'All its attempts have failed for as long as its failure policy allows.',
        transitions: () => health.transitions + 1,
        facts: { reason: 'failures', failing_since: formatOptionalTime(health.failingSince) },
      });
      return;
  }
}

type ProbeResult = 'under_way' | 'succeeded' | 'failed' | 'inconclusive';

async function readProbe({ tx, health }: Settling, id: string): Promise<ProbeResult> {
  const run = await tx.deliveryRun.findUnique({
    where: { id },
    select: { status: true, held: true, lastErrorCode: true, completedAt: true },
  });
  if (run === null) return 'inconclusive';
  const { status, held, lastErrorCode, completedAt } = run;
  // A worker of the previous release leaves `held = probe` on a run that it has ended.
  if (status === 'running' || (held === 'probe' && completedAt === null)) return 'under_way';
  if (status === 'succeeded') return 'succeeded';
  if (held?.startsWith(HELD_FOR_STREAM)) return 'inconclusive';
  if (lastErrorCode === 'expired') {
    // It was sent, or it expired before.
    const since = health.nextProbeAt ?? new Date(0);
    const sent = { runId: id, startedAt: { gte: since }, errorCode: { notIn: [...INCONCLUSIVE] } };
    return (await tx.attempt.count({ where: sent })) > 0 ? 'failed' : 'inconclusive';
  }
  // Without a code the run was never tried: it was rescheduled.
  return lastErrorCode === null || INCONCLUSIVE.includes(lastErrorCode) ? 'inconclusive' : 'failed';
}

/** Holds a run that was a probe, instead of until it is due: it is then released with the others, in its turn. */
async function holdAgain(tx: Queryable, runId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE delivery_runs SET held = 'paused', due_at = ${HELD_UNTIL}
     WHERE id = ANY (ARRAY(
       SELECT id FROM delivery_runs
        WHERE id = ${runId}::uuid AND completed_at IS NULL AND status = 'retrying' AND held IS NULL
          FOR NO KEY UPDATE SKIP LOCKED))`;
}

/** Evaluates the probe of a paused channel. Returns whether the next probe may begin. */
async function endProbe(settling: Settling): Promise<boolean> {
  const { tx, deps, locked, health, now } = settling;
  if (health.probeRunId === null) return health.nextProbeAt !== null && health.nextProbeAt <= now;
  const result = await readProbe(settling, health.probeRunId);
  if (result === 'under_way') return false;
  if (result === 'succeeded') {
    await resumeChannel(tx, { ...deps, actor: WORKER_ACTOR }, { locked, hasSucceeded: true });
    return false;
  }
  if (result === 'failed') await holdAgain(tx, health.probeRunId);
  const probes = health.probes + (result === 'failed' ? 1 : 0);
  const nextProbeAt = result === 'failed' ? new Date(now.getTime() + probeDelayMs(probes)) : now;
  await tx.channelHealth.update({
    where: { channelId: health.channelId },
    data: { probes, probeRunId: null, nextProbeAt },
  });
  return result === 'inconclusive';
}

/** The oldest held runs. Each probe takes the next one. */
const PROBED_RUNS = 100;

const findNextProbe = defineStatement<HealthRow, { id: string | null }>({
  text: `
    SELECT COALESCE((
      SELECT id FROM (
        SELECT id, row_number() OVER (ORDER BY id) - 1 AS place, count(*) OVER () AS runs FROM (
          SELECT id FROM delivery_runs
           WHERE held = 'paused' AND channel_id = :channelId::uuid AND completed_at IS NULL
           ORDER BY held, channel_id, id LIMIT ${PROBED_RUNS}) oldest) numbered
       WHERE place = :probes::int % runs),
      ${oldestOfResumedStreams({ environmentId: ':environmentId::uuid', channelId: ':channelId::uuid' })}) AS id`,
});

/**
 * Makes a held run that would be sent the probe of its channel, unless there are more to end first. The oldest run comes first, and
 * each probe that fails is followed by the next run: one event that the endpoint refuses does not keep the channel paused. If
 * all its held runs waited for streams that have been resumed since, the oldest of those is the probe.
 */
async function beginProbe(settling: Settling): Promise<RunWakeUp[]> {
  const { tx, deps, health } = settling;
  const { newId, kinds, addressHashKey = async () => null } = deps;
  const rules = { kinds: kinds.definitions, addressHashKey: await addressHashKey() };
  if (await refuseHeldRuns(tx, newId, { channelId: health.channelId, rules })) return [];
  const [next] = await findNextProbe(tx, health);
  // The search by id has no other condition: for a partial index PostgreSQL expects few rows, and would read all of it.
  const [run] = await tx.$queryRaw<{ id: string; channel_kind: string }[]>`
    WITH found AS MATERIALIZED (
      SELECT id, held, completed_at FROM delivery_runs WHERE id = ${next?.id ?? null}::uuid FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE delivery_runs run SET held = 'probe', due_at = now() FROM found
     WHERE run.id = found.id AND found.completed_at IS NULL
       AND (found.held = 'paused' OR starts_with(found.held, ${HELD_FOR_STREAM}))
    RETURNING run.id, run.channel_kind`;
  if (!run) return [];
  await tx.channelHealth.update({ where: { channelId: health.channelId }, data: { probeRunId: run.id } });
  return [{ runId: run.id, channelId: health.channelId, channelKind: run.channel_kind, delayMs: 0 }];
}

/** Locks the channel and then its health row. Null if another transaction has the channel. */
async function lockBoth(
  tx: Queryable,
  channelId: string,
): Promise<Pick<Settling, 'locked' | 'health' | 'now'> | null> {
  const free = await tx.$queryRaw<unknown[]>`
    SELECT FROM channels WHERE id = ${channelId}::uuid FOR NO KEY UPDATE SKIP LOCKED`;
  const locked = free.length > 0 && (await lockChannel(tx, channelId));
  if (!locked) return null;
  const [row] = await tx.$queryRaw<{ now: Date }[]>`
    SELECT now() AS now FROM channel_health WHERE channel_id = ${channelId}::uuid FOR UPDATE`;
  const health = row && (await tx.channelHealth.findUnique({ where: { channelId } }));
  return health ? { locked, health, now: row.now } : null;
}

async function settle(deps: SettleDeps, channelId: string): Promise<RunWakeUp[]> {
  return inTransaction(deps, async (tx) => {
    const both = await lockBoth(tx, channelId);
    if (!both) return [];
    const settling: Settling = { ...both, tx, deps };
    const { health, now, locked } = settling;
    if (!locked.channel.enabled) return [];
    if (health.state === 'paused') {
      if (isWantedPause(health.reason) || !(await endProbe(settling))) return [];
      return beginProbe(settling);
    }
    const isReleasing =
      health.isResuming &&
      health.releaseRate !== null &&
      health.releasedAt !== null &&
      now.getTime() - health.releasedAt.getTime() < RELEASING_MS;
    const observed = { ...health, state: health.state as HealthState, isReleasing };
    const decided = decideHealth(observed, locked.channel.failurePolicy, now);
    if (decided) await change(settling, decided);
    return [];
  });
}

/**
 * Changes the state of up to `limit` channels that have failed or recovered for long enough, and starts due probes.
 * Each channel has its own transaction, whose locks serialise several workers. Returns the wake-ups for the probe runs. An
 * error with one channel is passed to `onError`, and the others continue. Channels are handled in the order of their
 * ids, after `after`; `next` is where the next call continues, null for the beginning. So channels that cannot be
 * settled yet do not block the others.
 */
export async function settleHealth(
  deps: SettleDeps,
  { limit, after, onError }: PageRequest & { readonly onError: (error: unknown) => void },
): Promise<{ readonly probes: readonly RunWakeUp[]; readonly next: string | null }> {
  const probes: RunWakeUp[] = [];
  const found = await findUnsettled(deps.db, { limit, after });
  for (const { channel_id: channelId } of found) {
    try {
      probes.push(...(await settle(deps, channelId)));
    } catch (error) {
      onError(error);
    }
  }
  const next = found.length < limit ? null : (found.at(-1)?.channel_id ?? null);
  return { probes, next };
}
