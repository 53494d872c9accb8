import { channelKinds } from '@postrider/channels';
import { channelForAudit, formatId, type IdSource } from '@postrider/domain';
import type { Database, Queryable } from '../client.ts';
import { recordAudit } from '../configure/audit.ts';
import { lockChannel, toChannelRecord } from '../configure/channel-record.ts';
import type { WithKinds } from '../configure/channels.ts';
import { changeInEnvironments } from '../scope/in-environments.ts';
import { type FinishOutcome, type FinishRequest, finishInTransaction } from './finish.ts';

const ACTOR = { name: 'worker', requestId: null, traceId: null };

/** A channel whose endpoint responded with 410 Gone. */
export interface GoneChannel {
  readonly channelId: string;
  /** The revision that the attempt used: a channel changed since then may have another endpoint. */
  readonly revision: number;
  readonly reason: string;
}

async function disableChannel(
  tx: Queryable,
  { newId, kinds = channelKinds }: { newId: IdSource } & WithKinds,
  { channelId, revision, reason }: GoneChannel,
): Promise<void> {
  const locked = await lockChannel(tx, channelId);
  if (!locked?.row.enabled || locked.row.revision !== revision) return;
  const disabled = await tx.channel.update({
    where: { id: channelId },
    data: { enabled: false, disabledReason: reason, revision: { increment: 1 } },
  });
  await recordAudit(
    tx,
    { newId, actor: ACTOR },
    {
      action: 'channel.disabled',
      resourceId: formatId('chn', channelId),
      tenantId: locked.tenantId,
      environmentId: disabled.environmentId,
      before: channelForAudit(toChannelRecord(locked.row), kinds),
      after: channelForAudit(toChannelRecord(disabled), kinds),
    },
  );
}

/**
 * As {@link finishInTransaction}, and disables the channel in the same transaction
 * (docs/specification.md, "Webhooks", HTTP 410). The channel stays as it is when the result was `stale`, or
 * when the channel was changed, disabled or deleted since the claim.
 *
 * The run is locked before the channel. A deletion takes them the other way round, but no run that is
 * running and none that is locked, so that the two cannot wait for each other.
 */
export function finishAndDisableChannel(
  { db, newId, kinds }: { db: Database; newId: IdSource } & WithKinds,
  request: FinishRequest,
  channel: GoneChannel,
): Promise<FinishOutcome> {
  return changeInEnvironments(db, [request.environmentId], async (tx) => {
    const finished = await finishInTransaction(tx, request);
    if (finished.outcome === 'finished') await disableChannel(tx, { newId, kinds }, channel);
    return finished;
  });
}
