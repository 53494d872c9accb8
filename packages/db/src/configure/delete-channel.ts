import { channelKinds } from '@postrider/channels';
import { channelForAudit, formatId } from '@postrider/domain';
import { endRunsOfChannel } from '../deliver/close-runs.ts';
import { recordAudit } from './audit.ts';
import { type ConfigureDeps, inTransaction } from './change.ts';
import { lockChannel, toChannelRecord } from './channel-record.ts';
import type { WithKinds } from './channels.ts';

/** Runs that the deletion itself ends: about 50 ms of work. The sweeper ends what is beyond. */
const RUNS_AT_ONCE = 500;

export type DeleteChannelOutcome = { readonly outcome: 'deleted' } | { readonly outcome: 'not_found' };

/**
 * Deletes a channel: from the commit on none of its runs is taken. Runs that wait become `failed` with an
 * attempt `channel_disabled`, the first {@link RUNS_AT_ONCE} of them here and the others by the sweeper;
 * those that are running finish by themselves and are not retried. The row stays, because runs refer to it,
 * without its secrets.
 */
export async function deleteChannel(
  deps: ConfigureDeps & WithKinds,
  id: string,
): Promise<DeleteChannelOutcome> {
  return inTransaction(deps, async (tx) => {
    const locked = await lockChannel(tx, id);
    if (!locked) return { outcome: 'not_found' };
    await tx.$executeRaw`
      UPDATE channels
         SET deleted_at = now(), updated_at = now(), revision = revision + 1, sealed_secret = NULL,
             sealed_previous_secret = NULL, previous_secret_expires_at = NULL
       WHERE id = ${id}::uuid`;
    await endRunsOfChannel(tx, deps.newId, { channelId: id, limit: RUNS_AT_ONCE });
    await recordAudit(tx, deps, {
      action: 'channel.deleted',
      resourceId: formatId('chn', id),
      tenantId: locked.tenantId,
      environmentId: locked.row.environmentId,
      before: channelForAudit(toChannelRecord(locked.row), deps.kinds ?? channelKinds),
      after: null,
    });
    return { outcome: 'deleted' };
  });
}
