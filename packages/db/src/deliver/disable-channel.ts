import { formatId, type IdSource } from '@postrider/domain';
import type { Database } from '../client.ts';
import { recordAudit } from '../configure/audit.ts';
import { inTransaction } from '../configure/change.ts';
import { channelForAudit, lockChannel, toChannelRecord } from '../configure/channel-record.ts';

/** Who disables a channel by itself. */
const ACTOR = { name: 'worker', requestId: null, traceId: null };

/** Disables a channel because its endpoint is gone for good (HTTP 410). Idempotent. */
export async function disableChannel(
  { db, newId }: { db: Database; newId: IdSource },
  { channelId, reason }: { channelId: string; reason: string },
): Promise<void> {
  await inTransaction({ db }, async (tx) => {
    const locked = await lockChannel(tx, channelId);
    if (!locked?.row.enabled) return;
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
        before: channelForAudit(toChannelRecord(locked.row)),
        after: channelForAudit(toChannelRecord(disabled)),
      },
    );
  });
}
