import { isDeepStrictEqual } from 'node:util';
import { formatId, type PasswordChange, type SecretBox } from '@postrider/domain';
import type { Prisma } from '../client.ts';
import { recordAudit } from './audit.ts';
import { type ConfigureDeps, type Decision, inTransaction } from './change.ts';
import {
  type ChannelOptions,
  type ChannelRecord,
  type ChannelTarget,
  channelForAudit,
  lockChannel,
  presentChannel,
  toChannelRecord,
} from './channel-record.ts';
import { readEntitlement, targetData } from './channels.ts';

/** What a channel is to become. Its kind stays. */
export type ChannelChange = ChannelOptions &
  ChannelTarget & {
    /** Of an email channel; a webhook keeps its secret, see rotation. */
    readonly password: PasswordChange;
  };

export type UpdateChannelOutcome<Refusal> =
  | { readonly outcome: 'updated'; readonly channel: ChannelRecord }
  | { readonly outcome: 'not_found' }
  /** It was to be enabled, and the tenant's plan does not include channels of this kind. */
  | { readonly outcome: 'kind_not_in_plan' }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

type Deps = ConfigureDeps & { readonly secretBox: SecretBox };

function sealedChange({ secretBox }: Deps, id: string, password: PasswordChange) {
  switch (password.kind) {
    case 'keep':
      return {};
    case 'remove':
      return { sealedSecret: null };
    case 'replace':
      return { sealedSecret: secretBox.seal(password.password, id) };
  }
}

function changesNothing(current: ChannelRecord, next: ChannelChange): boolean {
  const { password, ...rest } = next;
  const isPasswordKept = password.kind === 'keep' || (password.kind === 'remove' && !current.hasPassword);
  const changed = presentChannel({ ...current, ...rest } as ChannelRecord);
  return isPasswordKept && isDeepStrictEqual(changed, presentChannel(current));
}

/**
 * Changes a channel to what `decide` makes of it, which sees the locked row: of two changes at once the
 * second decides on what the first has left. Enabling it clears the reason for which the service had disabled
 * it. Runs that wait are sent as the channel then is. A change of nothing writes nothing.
 */
export async function updateChannel<Refusal>(
  deps: Deps,
  id: string,
  decide: (current: ChannelRecord) => Decision<ChannelChange, Refusal>,
): Promise<UpdateChannelOutcome<Refusal>> {
  return inTransaction(deps, async (tx) => {
    const locked = await lockChannel(tx, id);
    if (!locked) return { outcome: 'not_found' };
    const current = toChannelRecord(locked.row);
    const decision = decide(current);
    if (decision.outcome === 'refused') return decision;
    const { next } = decision;
    if (changesNothing(current, next)) return { outcome: 'updated', channel: current };
    if (next.enabled && !current.enabled) {
      const entitlement = await readEntitlement(tx, current.environmentId);
      if (!entitlement?.channelKinds.includes(current.kind)) return { outcome: 'kind_not_in_plan' };
    }
    const row = await tx.channel.update({
      where: { id },
      data: {
        name: next.name,
        enabled: next.enabled,
        disabledReason: next.enabled ? null : current.disabledReason,
        eventKeys: [...next.eventKeys],
        ...targetData(next),
        retry: next.retry as Prisma.InputJsonObject,
        ...sealedChange(deps, id, next.password),
        revision: { increment: 1 },
      },
    });
    const updated = toChannelRecord(row);
    await recordAudit(tx, deps, {
      action: 'channel.updated',
      resourceId: formatId('chn', id),
      tenantId: locked.tenantId,
      environmentId: updated.environmentId,
      before: channelForAudit(current),
      after: channelForAudit(updated),
    });
    return { outcome: 'updated', channel: updated };
  });
}
