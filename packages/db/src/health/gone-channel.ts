import type { IdSource } from '@postrider/domain';
import { lockChannel } from '../channels/channel-record.ts';
import type { Database, Queryable } from '../client.ts';
import type { WithKinds } from '../configure/channels.ts';
import type { ClaimedRun } from '../statements/claimed-run.ts';
import { type EndedAttempt, type FinishAttempt, finishInTransaction } from '../statements/finish.ts';
import { WORKER_ACTOR } from '../transactions/audit.ts';
import { changeInEnvironments } from '../transactions/transaction.ts';
import { disableChannel, pauseChannel } from './pause.ts';

type GoneDeps = WithKinds & { readonly newId: IdSource };

async function stopChannel(
  tx: Queryable,
  { newId, kinds }: GoneDeps,
  { run: { channel }, outcome: { error } }: EndedAttempt<ClaimedRun>,
): Promise<void> {
  const locked = await lockChannel(tx, channel.id);
  // A channel that was changed since the claim may have another endpoint.
  if (!locked?.row.enabled || locked.row.revision !== channel.revision) return;
  if (!error?.endpointGone || locked.channel.failurePolicy.then === 'pause') {
    const reason = error?.endpointGone ? 'gone' : 'receiver';
    await pauseChannel(tx, { newId, actor: WORKER_ACTOR }, { locked, reason });
    return;
  }
  await disableChannel(tx, { newId, kinds }, locked, {
    reason: error.message,
    transitions: (newRevision) => `gone/${newRevision}`,
    facts: { reason: 'gone', failing_since: null },
  });
}

/**
 * Like {@link finishInTransaction}, for an attempt whose endpoint is gone or asks for a pause. It pauses the channel in the same
 * transaction, or disables it if it is gone and its failure policy says so (docs/specification.md, "Channel health"). The channel
 * is not changed if the result was `stale`, or if the channel was changed, disabled or deleted since the claim. The run is locked
 * before the channel. A deletion locks the other way round, but it locks no running and no locked run, so the two cannot
 * deadlock.
 */
export function finishWithGoneChannel(
  { db, ...deps }: { db: Database } & GoneDeps,
  ended: EndedAttempt<ClaimedRun>,
): ReturnType<FinishAttempt> {
  return changeInEnvironments(db, [ended.run.environmentId], async (tx) => {
    const written = await finishInTransaction(tx, ended);
    if (written === 'finished') await stopChannel(tx, deps, ended);
    return written;
  });
}
