import {
  type ChannelHealth,
  type ChannelRecord,
  FIRST_RELEASE_RATE,
  formatId,
  formatOptionalTime,
  type HealthReason,
  type JsonObject,
  type OperationalEventType,
  probeDelayMs,
  WANTED_PAUSES,
} from '@postrider/domain';
import {
  type LockedChannel,
  lockChannel,
  recordChannel,
  toChannelRecord,
} from '../channels/channel-record.ts';
import { readHealth } from '../channels/health.ts';
import type { Queryable } from '../client.ts';
import type { WithKinds } from '../configure/channels.ts';
import { HELD_UNTIL, WAITING } from '../run-statuses.ts';
import { emitOperational } from '../statements/emit.ts';
import { type ConfigureDeps, recordAudit, WORKER_ACTOR } from '../transactions/audit.ts';
import { inTransaction, timeOf } from '../transactions/transaction.ts';

/** Whether somebody wanted the pause. */
export const isWantedPause = (reason: string | null): boolean =>
  WANTED_PAUSES.some((wanted) => wanted === reason);

/** A state change of a channel. `transitions` distinguishes it from the channel's other changes. */
interface HealthReport {
  readonly type: Extract<OperationalEventType, 'channel.failing' | 'channel.paused' | 'channel.recovered'>;
  readonly transitions: number | string;
  readonly facts: JsonObject;
}

/**
 * Reports a state change of a channel once, in its transaction. Operational channels are not reported, to avoid
 * loops.
 */
export async function reportHealth(
  tx: Queryable,
  { id, environmentId, consumerId, name, kind, operational }: ChannelRecord,
  { type, transitions, facts }: HealthReport,
): Promise<void> {
  if (operational) return;
  await emitOperational(tx, {
    environmentId,
    type,
    payload: {
      channel_id: id,
      name,
      kind,
      ...(consumerId === null ? {} : { consumer: consumerId }),
      ...facts,
    },
    dedupeKey: `channel/${id}/${transitions}`,
  });
}

type Deps = Pick<ConfigureDeps, 'newId' | 'actor'>;

async function audit(
  tx: Queryable,
  deps: Deps,
  { channel }: LockedChannel,
  change: { action: 'channel.paused' | 'channel.resumed'; reason: HealthReason | null },
): Promise<void> {
  const { state, reason } = channel.health;
  await recordAudit(tx, deps, {
    action: change.action,
    resourceId: formatId('chn', channel.id),
    environmentId: channel.environmentId,
    before: { state, reason },
    after: { state: change.action === 'channel.paused' ? 'paused' : 'ok', reason: change.reason },
  });
}

/** The most runs that a pause holds again. The claim holds the others. */
const MAX_RECALLED = 5_000;

/**
 * Holds the probe and the released runs again that no worker has claimed yet. A claim in progress continues. The claim would hold
 * them, too, but that of the previous release sends every run of a paused channel whose `held` is not NULL.
 */
async function recallRuns(tx: Queryable, channelId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE delivery_runs SET held = 'paused', due_at = ${HELD_UNTIL}
     WHERE id = ANY (ARRAY(
       SELECT id FROM delivery_runs
        WHERE held IN ('probe', 'released') AND channel_id = ${channelId}::uuid AND completed_at IS NULL AND status IN ${WAITING}
        LIMIT ${MAX_RECALLED} FOR NO KEY UPDATE SKIP LOCKED))`;
}

/**
 * Pauses a channel that the transaction has locked: from the commit on its runs are held instead of claimed. A
 * channel paused by an operator or its receiver is not probed. Returns whether anything changed. A paused channel stays
 * paused, but a receiver's pause replaces that of the service, and an operator's both.
 */
export async function pauseChannel(
  tx: Queryable,
  deps: Deps,
  { locked, reason }: { readonly locked: LockedChannel; readonly reason: HealthReason },
): Promise<boolean> {
  const { id, environmentId } = locked.channel;
  const isManual = reason === 'manual';
  const isWanted = isWantedPause(reason);
  const [paused] = await tx.$queryRaw<
    { transitions: number; failing_since: Date | null; next_probe_at: Date | null }[]
  >`
    INSERT INTO channel_health AS health (channel_id, environment_id, state, reason, failing_since, next_probe_at, transitions)
    VALUES (${id}::uuid, ${environmentId}::uuid, 'paused', ${reason}, CASE WHEN ${isWanted} THEN NULL ELSE now() END,
            CASE WHEN NOT ${isWanted} THEN now() + make_interval(secs => ${probeDelayMs(0)}::float8 / 1000) END, 1)
    ON CONFLICT (channel_id) DO UPDATE
      SET state = 'paused', reason = EXCLUDED.reason,
          failing_since = COALESCE(health.failing_since, EXCLUDED.failing_since), next_probe_at = EXCLUDED.next_probe_at,
          probes = 0, probe_run_id = NULL, release_rate = NULL, released_at = NULL, transitions = health.transitions + 1
      WHERE health.state <> 'paused' OR ${isManual} AND health.reason <> 'manual'
         OR ${isWanted} AND health.reason <> ALL (${[...WANTED_PAUSES]}::text[])
    RETURNING transitions, failing_since, next_probe_at`;
  if (!paused) return false;
  await tx.$executeRaw`
    UPDATE channels SET paused = true, paused_at = CASE WHEN paused THEN paused_at ELSE now() END WHERE id = ${id}::uuid`;
  await recallRuns(tx, id);
  await audit(tx, deps, locked, { action: 'channel.paused', reason });
  await reportHealth(tx, locked.channel, {
    type: 'channel.paused',
    transitions: paused.transitions,
    facts: {
      reason,
      action: 'pause',
      failing_since: formatOptionalTime(paused.failing_since),
      next_probe_at: formatOptionalTime(paused.next_probe_at),
    },
  });
  return true;
}

/**
 * Ends the pause of a channel that the transaction has locked. The health sweep releases its held runs in order, at
 * an increasing rate. Returns whether the channel was paused.
 */
export async function resumeChannel(
  tx: Queryable,
  deps: Deps,
  { locked, hasSucceeded }: { readonly locked: LockedChannel; readonly hasSucceeded: boolean },
): Promise<boolean> {
  const { id } = locked.channel;
  const [resumed] = await tx.$queryRaw<{ transitions: number }[]>`
    UPDATE channel_health
       SET state = 'ok', reason = NULL, failing_since = NULL, failures = 0, timeouts = 0, next_probe_at = NULL, probes = 0,
           probe_run_id = NULL, release_rate = ${FIRST_RELEASE_RATE}::float8, released_at = now(), is_resuming = true,
           last_success_at = CASE WHEN ${hasSucceeded} THEN now() ELSE last_success_at END, transitions = transitions + 1
     WHERE channel_id = ${id}::uuid AND state = 'paused'
    RETURNING transitions`;
  if (!resumed) return false;
  await tx.$executeRaw`UPDATE channels SET paused = false, resumed_at = now() WHERE id = ${id}::uuid`;
  await audit(tx, deps, locked, { action: 'channel.resumed', reason: null });
  const { transitions } = resumed;
  await reportHealth(tx, locked.channel, {
    type: 'channel.recovered',
    transitions,
    facts: { was: 'paused', reason: locked.channel.health.reason, manual: !hasSucceeded },
  });
  return true;
}

/** Disables a channel that the transaction has locked, for the service. `transitions`: as of a report, by the new revision. */
export async function disableChannel(
  tx: Queryable,
  deps: WithKinds & Pick<ConfigureDeps, 'newId'>,
  { channel: before }: LockedChannel,
  change: {
    readonly reason: string;
    readonly transitions: (newRevision: number) => HealthReport['transitions'];
    readonly facts: JsonObject;
  },
): Promise<void> {
  const row = await tx.channel.update({
    where: { id: before.id },
    data: {
      enabled: false,
      disabledReason: change.reason,
      revision: { increment: 1 },
      updatedAt: await timeOf(tx),
    },
  });
  const after = toChannelRecord(row);
  const audited = { ...deps, actor: WORKER_ACTOR };
  await recordChannel(tx, audited, { action: 'channel.disabled', before, after });
  await reportHealth(tx, before, {
    type: 'channel.paused',
    transitions: change.transitions(row.revision),
    facts: { ...change.facts, action: 'disable', next_probe_at: null },
  });
}

/**
 * Makes the next probe of a channel that the service paused due now, because the endpoint may work again. Returns its
 * health.
 */
export async function probeSoon(
  tx: Queryable,
  { id, health }: { readonly id: string; readonly health: ChannelHealth },
): Promise<ChannelHealth> {
  if (health.state !== 'paused' || isWantedPause(health.reason)) return health;
  await tx.$executeRaw`
    UPDATE channel_health SET next_probe_at = LEAST(next_probe_at, now())
     WHERE channel_id = ${id}::uuid AND state = 'paused' AND reason <> ALL (${[...WANTED_PAUSES]}::text[])`;
  return (await readHealth(tx, [id])).get(id) ?? health;
}

/**
 * Pauses or resumes a channel for an operator. Null if there is no such channel. If nothing differs, it writes
 * nothing.
 */
export function switchChannel(
  deps: ConfigureDeps,
  { channelId, to }: { readonly channelId: string; readonly to: 'paused' | 'resumed' },
): Promise<LockedChannel | null> {
  return inTransaction(deps, async (tx) => {
    const locked = await lockChannel(tx, channelId);
    if (!locked) return null;
    if (to === 'paused') await pauseChannel(tx, deps, { locked, reason: 'manual' });
    else await resumeChannel(tx, deps, { locked, hasSucceeded: false });
    return lockChannel(tx, channelId);
  });
}
