import { channelKinds } from '@postrider/channels';
import {
  type ChannelKind,
  type ChannelRecord,
  channelForAudit,
  formatId,
  type SecretBox,
} from '@postrider/domain';
import { recordAudit } from './audit.ts';
import { type ConfigureDeps, inTransaction } from './change.ts';
import { lockChannel, toChannelRecord } from './channel-record.ts';
import type { WithKinds } from './channels.ts';

export type RotateChannelSecretOutcome =
  | {
      readonly outcome: 'rotated';
      readonly channel: ChannelRecord;
      /** The new secret, shown once. */
      readonly secret: string;
    }
  | { readonly outcome: 'not_found' }
  /** Its kind has no secret that the service makes. */
  | { readonly outcome: 'not_rotatable'; readonly kind: ChannelKind }
  /** The secret before the last rotation still signs until then. */
  | { readonly outcome: 'overlapping'; readonly until: Date };

/**
 * Gives a webhook a new signing secret. The old one signs beside it for `overlapSeconds`, by the database's
 * clock, then the sweeper erases it; with 0 it is gone at once, and so is one that an earlier rotation left.
 * A row holds one secret besides the current one, so a rotation with overlap waits for the end of the last:
 * it would otherwise cut off receivers that were promised more time.
 */
export async function rotateChannelSecret(
  deps: ConfigureDeps & WithKinds & { readonly secretBox: SecretBox },
  { channelId: id, overlapSeconds }: { channelId: string; overlapSeconds: number },
): Promise<RotateChannelSecretOutcome> {
  const { kinds = channelKinds } = deps;
  return inTransaction(deps, async (tx) => {
    const locked = await lockChannel(tx, id);
    if (!locked) return { outcome: 'not_found' };
    const { row } = locked;
    const { secret: ofKind } = kinds.get(row.kind);
    if (ofKind?.type !== 'generated') return { outcome: 'not_rotatable', kind: row.kind };
    const [now] = await tx.$queryRaw<{ is_overlapping: boolean }[]>`
      SELECT COALESCE(previous_secret_expires_at > now(), false) AS is_overlapping
        FROM channels WHERE id = ${id}::uuid`;
    if (overlapSeconds > 0 && now?.is_overlapping && row.previousSecretExpiresAt) {
      return { outcome: 'overlapping', until: row.previousSecretExpiresAt };
    }
    const secret = ofKind.create();
    const previous = overlapSeconds > 0 ? row.sealedSecret : null;
    await tx.$executeRaw`
      UPDATE channels
         SET sealed_secret = ${deps.secretBox.seal(secret, id)}, sealed_previous_secret = ${previous}::text,
             previous_secret_expires_at = CASE WHEN ${previous}::text IS NOT NULL
               THEN now() + make_interval(secs => ${overlapSeconds}::float8) END,
             revision = revision + 1, updated_at = now()
       WHERE id = ${id}::uuid`;
    const rotated = toChannelRecord(await tx.channel.findUniqueOrThrow({ where: { id } }));
    await recordAudit(tx, deps, {
      action: 'channel.secret_rotated',
      resourceId: formatId('chn', id),
      tenantId: locked.tenantId,
      environmentId: row.environmentId,
      before: channelForAudit(toChannelRecord(row), kinds),
      after: channelForAudit(rotated, kinds),
    });
    return { outcome: 'rotated', channel: rotated, secret };
  });
}
