import type { HealthReason, IdSource } from '@postrider/domain';
import { lockChannel } from '../channels/channel-record.ts';
import type { HealthOffset } from '../channels/health.ts';
import type { Database, Queryable } from '../client.ts';
import type { WithKinds } from '../configure/channels.ts';
import { type EndedAttempt, type FinishAttempt, finishInTransaction } from '../statements/finish.ts';
import { WORKER_ACTOR } from '../transactions/audit.ts';
import { changeInEnvironments } from '../transactions/transaction.ts';
import { disableChannel, pauseChannel } from './pause.ts';

/** A channel whose endpoint responded with 410 Gone, or asked to pause it. */
export interface GoneChannel {
  readonly channelId: string;
  /** The revision that the attempt used. A channel changed since then may have another endpoint. */
  readonly revision: number;
  readonly reason: string;
  readonly cause: Extract<HealthReason, 'gone' | 'receiver'>;
}

type GoneDeps = WithKinds & { readonly newId: IdSource; readonly offsetMs?: HealthOffset };

async function stopChannel(
  tx: Queryable,
  { newId, kinds, offsetMs = 0 }: GoneDeps,
  { channelId, revision, reason, cause }: GoneChannel,
): Promise<void> {
  const locked = await lockChannel(tx, channelId);
  if (!locked?.row.enabled || locked.row.revision !== revision) return;
  if (cause === 'receiver' || locked.channel.failurePolicy.then === 'pause') {
    await pauseChannel(tx, { newId, actor: WORKER_ACTOR, offsetMs }, { locked, reason: cause });
    return;
  }
  await disableChannel(tx, { newId, kinds }, locked, {
    reason,
    transitions: (newRevision) => `gone/${newRevision}`,
    facts: { reason: 'gone', failing_since: null },
  });
}

/**
 * Like {@link finishInTransaction}, and pauses the channel in the same transaction, or disables it if it is gone and its
 * failure policy says so (docs/specification.md, "Channel health"). The channel is not changed if the result was
 * `stale`, or if the channel was changed, disabled or deleted since the claim. The run is locked before the channel.
 * A deletion locks the other way round, but it locks no running and no locked run, so the two cannot deadlock.
 */
export function finishWithGoneChannel(
  { db, ...deps }: { db: Database } & GoneDeps,
  ended: EndedAttempt,
  channel: GoneChannel,
): ReturnType<FinishAttempt> {
  return changeInEnvironments(db, [ended.run.environmentId], async (tx) => {
    const written = await finishInTransaction(tx, ended);
    if (written === 'finished') await stopChannel(tx, deps, channel);
    return written;
  });
}
