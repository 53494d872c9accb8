import { isDeepStrictEqual } from 'node:util';
import { channelKinds, type SecretChange } from '@postrider/channels';
import {
  type ChannelOptions,
  type ChannelRecord,
  type ChannelTarget,
  channelForAudit,
  formatId,
  presentChannel,
  type SecretBox,
} from '@postrider/domain';
import type { Prisma } from '../client.ts';
import { recordAudit } from './audit.ts';
import { type ConfigureDeps, type Decision, inTransaction } from './change.ts';
import { lockChannel, toChannelRecord } from './channel-record.ts';
import { readEntitlement, targetData, type WithKinds } from './channels.ts';

/** What a channel is to become. Its kind stays. */
export type ChannelChange = ChannelOptions &
  ChannelTarget & {
    /** Only of a kind whose secret is given; one that was made is rotated. */
    readonly secret: SecretChange;
  };

export type UpdateChannelOutcome<Refusal> =
  | { readonly outcome: 'updated'; readonly channel: ChannelRecord }
  | { readonly outcome: 'not_found' }
  /** It was to be enabled, and the tenant's plan does not include channels of this kind. */
  | { readonly outcome: 'kind_not_in_plan' }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

type Deps = ConfigureDeps & WithKinds & { readonly secretBox: SecretBox };

function sealedChange({ secretBox }: Deps, id: string, secret: SecretChange) {
  switch (secret.kind) {
    case 'keep':
      return {};
    case 'remove':
      return { sealedSecret: null };
    case 'replace':
      return { sealedSecret: secretBox.seal(secret.secret, id) };
  }
}

function changesNothing(
  current: ChannelRecord,
  { secret, ...rest }: ChannelChange,
  present: (channel: ChannelRecord) => unknown,
): boolean {
  const isSecretKept = secret.kind === 'keep' || (secret.kind === 'remove' && !current.hasSecret);
  return isSecretKept && isDeepStrictEqual(present({ ...current, ...rest }), present(current));
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
  const { kinds = channelKinds } = deps;
  return inTransaction(deps, async (tx) => {
    const locked = await lockChannel(tx, id);
    if (!locked) return { outcome: 'not_found' };
    const current = toChannelRecord(locked.row);
    const decision = decide(current);
    if (decision.outcome === 'refused') return decision;
    const { next } = decision;
    if (changesNothing(current, next, (channel) => presentChannel(channel, kinds)))
      return { outcome: 'updated', channel: current };
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
        ...sealedChange(deps, id, next.secret),
        revision: { increment: 1 },
      },
    });
    const updated = toChannelRecord(row);
    await recordAudit(tx, deps, {
      action: 'channel.updated',
      resourceId: formatId('chn', id),
      tenantId: locked.tenantId,
      environmentId: updated.environmentId,
      before: channelForAudit(current, kinds),
      after: channelForAudit(updated, kinds),
    });
    return { outcome: 'updated', channel: updated };
  });
}
