import { isDeepStrictEqual } from 'node:util';
import {
  type ChannelOptions,
  type ChannelRecord,
  type ChannelTarget,
  type ConfiguredKind,
  type ConfiguredKinds,
  type CredentialChanges,
  conflict,
  credentialBinding,
  credentialsSet,
  formatTime,
  type JsonObject,
  presentChannel,
  reject,
  type SecretBox,
} from '@postrider/domain';
import {
  type LockedChannel,
  lockChannel,
  recordChannel,
  toChannelRecord,
} from '../channels/channel-record.ts';
import { readEntitlement } from '../channels/entitlement.ts';
import type { Queryable } from '../client.ts';
import { probeSoon } from '../health/pause.ts';
import { unblockKeys } from '../ordering/blocked.ts';
import { endRunsOfChannel } from '../statements/end-waiting-runs.ts';
import type { ConfigureDeps } from '../transactions/audit.ts';
import { inTransaction, timeOf } from '../transactions/transaction.ts';
import {
  type CreatedChannel,
  channelData,
  plaintextUrls,
  rejectKind,
  requireHttps,
  type WithKinds,
} from './channels.ts';
import { credentialsOfRow, encryptCredentials } from './encrypted-credentials.ts';

/** The new state of a channel. Its kind cannot change. */
export type ChannelChange = ChannelOptions &
  ChannelTarget & {
    /** Changes of the operator's credentials. A generated secret is rotated instead. */
    readonly credentials: CredentialChanges;
  };

type Deps = ConfigureDeps & WithKinds & { readonly secretBox: SecretBox; readonly httpsOnly?: boolean };

/** Whether an environment allows https only. The answer holds until the end of the transaction. */
async function lockHttpsOnly(tx: Queryable, environmentId: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ https_only: boolean }[]>`
    SELECT https_only FROM environments WHERE id = ${environmentId}::uuid FOR SHARE`;
  return row?.https_only ?? false;
}

function changesNothing(
  current: ChannelRecord,
  { credentials, ...rest }: ChannelChange,
  kinds: ConfiguredKinds,
): boolean {
  const set = new Set(credentialsSet(current, kinds.get(current.kind)));
  const areKept = Object.entries(credentials).every(([name, value]) => value === null && !set.has(name));
  const present = (channel: ChannelRecord) => presentChannel(channel, kinds);
  return areKept && isDeepStrictEqual(present({ ...current, ...rest }), present(current));
}

/** The names of set and removed credentials, for the audit log. */
function changedForAudit(credentials: CredentialChanges): JsonObject {
  const names = Object.keys(credentials).sort();
  return names.length === 0 ? {} : { credentials_changed: names };
}

/**
 * Changes a channel that the transaction has locked. Enabling it clears the reason for which the service disabled it.
 * Waiting runs are sent with the new configuration. If nothing differs, it writes nothing.
 * @throws RefusedError if it would be enabled without being in the tenant's plan, or would have URLs that are not allowed
 */
export async function changeChannel(
  tx: Queryable,
  deps: Deps,
  { channel: current, row: before }: LockedChannel,
  next: ChannelChange,
): Promise<ChannelRecord> {
  const { kinds } = deps;
  const { id } = current;
  if (changesNothing(current, next, kinds)) return current;
  const paths = plaintextUrls(kinds.get(current.kind), next.config);
  if (paths.length > 0 && (deps.httpsOnly || (await lockHttpsOnly(tx, current.environmentId))))
    requireHttps(paths);
  if (next.enabled && !current.enabled) {
    const entitlement = await readEntitlement(tx, current.environmentId);
    if (!entitlement?.channelKinds.includes(current.kind)) rejectKind('/enabled');
  }
  const row = await tx.channel.update({
    where: { id },
    data: {
      ...channelData(next),
      disabledReason: next.enabled ? null : current.disabledReason,
      ...encryptCredentials(deps.secretBox, kinds.get(current.kind), {
        id,
        encrypted: credentialsOfRow(before),
        changes: next.credentials,
      }),
      revision: { increment: 1 },
      updatedAt: await timeOf(tx),
    },
  });
  if (next.ordering === 'none' || next.onExhausted === 'skip') await unblockKeys(tx, id);
  const { senderStates } = current;
  const changed = { ...toChannelRecord(row, await probeSoon(tx, current)), senderStates };
  const also = changedForAudit(next.credentials);
  await recordChannel(tx, deps, { action: 'channel.updated', before: current, after: changed, also });
  return changed;
}

/**
 * The columns of the credentials that rotate with the secret. A credential that cannot be decrypted gets no overlap.
 */
function rotatedCredentials(
  secretBox: SecretBox,
  kind: ConfiguredKind,
  { row, hasOverlap }: { row: LockedChannel['row']; hasOverlap: boolean },
) {
  const { id } = row;
  const encrypted = credentialsOfRow(row);
  const changes: Record<string, string | null> = {};
  for (const { name, previous } of kind.rotatedCredentials ?? []) {
    const current = encrypted[name];
    if (current === undefined || kind.secret === null) continue;
    const decrypted = secretBox.decrypt(current, credentialBinding(id, name));
    changes[name] = kind.secret.create(name);
    changes[previous] = hasOverlap && decrypted.ok ? decrypted.plaintext : null;
  }
  return encryptCredentials(secretBox, kind, { id, encrypted, changes });
}

/**
 * Gives a channel a new generated secret. The old one stays valid for `overlapSeconds` by the database's clock; then
 * a sweep erases it. With 0 it is erased at once, together with one that an earlier rotation left. A row holds only
 * one previous secret, so a rotation with an overlap is refused until the last overlap ends: otherwise receivers
 * would lose time that they were promised. The new secret is shown once. It is null if a given one signs instead.
 * @throws RefusedError then, and if there is no such channel, its kind has no generated secret, or only a given one signs
 */
export async function rotateChannelSecret(
  deps: ConfigureDeps & WithKinds & { readonly secretBox: SecretBox },
  { channelId: id, overlapSeconds }: { channelId: string; overlapSeconds: number },
): Promise<CreatedChannel> {
  const { kinds } = deps;
  return inTransaction(deps, async (tx) => {
    const locked = (await lockChannel(tx, id)) ?? reject('channel_not_found');
    const { row } = locked;
    const { secret: ofKind, label } = kinds.get(row.kind);
    if (ofKind?.type !== 'generated') reject(conflict(`The secret of ${label} cannot be rotated.`));
    const { rotatedCredentials: keys = [] } = kinds.get(row.kind);
    const credentials = credentialsOfRow(row);
    const isReplaced = ofKind.replacedBy !== undefined && ofKind.replacedBy in credentials;
    if (isReplaced && !keys.some(({ name }) => name in credentials))
      reject(conflict('A given secret signs, so no generated one does: give the channel another one.'));
    const [now] = await tx.$queryRaw<{ is_overlapping: boolean }[]>`
      SELECT COALESCE(previous_secret_expires_at > now(), false) AS is_overlapping
        FROM channels WHERE id = ${id}::uuid`;
    if (overlapSeconds > 0 && now?.is_overlapping && row.previousSecretExpiresAt) {
      const until = formatTime(row.previousSecretExpiresAt);
      const message =
        `The secret before the last rotation still signs until ${until}. ` +
        'Wait until then, or rotate with overlap_seconds 0, which ends both at once.';
      reject(conflict(message));
    }
    const secret = ofKind.create();
    const previous = overlapSeconds > 0 ? row.sealedSecret : null;
    await tx.channel.update({
      where: { id },
      data: rotatedCredentials(deps.secretBox, kinds.get(row.kind), { row, hasOverlap: overlapSeconds > 0 }),
    });
    await tx.$executeRaw`
      UPDATE channels
         SET sealed_secret = ${deps.secretBox.encrypt(secret, id)}, sealed_previous_secret = ${previous}::text,
             previous_secret_expires_at = CASE WHEN ${previous}::text IS NOT NULL
               THEN now() + make_interval(secs => ${overlapSeconds}::float8) END,
             revision = revision + 1, updated_at = now()
       WHERE id = ${id}::uuid`;
    const { channel: rotated } = (await lockChannel(tx, id)) ?? locked;
    const before = toChannelRecord(row);
    await recordChannel(tx, deps, { action: 'channel.secret_rotated', before, after: rotated });
    return { channel: rotated, secret: isReplaced ? null : secret };
  });
}

/** Runs that the deletion itself ends, which takes about 50 ms. A sweep ends the others. */
const RUNS_AT_ONCE = 500;

/**
 * Deletes a channel: from the commit on none of its runs is taken. Runs that wait become `failed` with an
 * attempt `channel_disabled`, the first {@link RUNS_AT_ONCE} of them here and the others by the sweeper;
 * those that are running finish by themselves and are not retried. The row stays, because runs refer to it; the
 * trigger `channels_erase_deleted` takes its secrets and its feedback token from it. Returns whether it existed.
 */
export async function deleteChannel(deps: ConfigureDeps & WithKinds, id: string): Promise<boolean> {
  return inTransaction(deps, async (tx) => {
    const locked = await lockChannel(tx, id);
    if (!locked) return false;
    await tx.$executeRaw`
      UPDATE channels
         SET deleted_at = now(), updated_at = now(), revision = revision + 1
       WHERE id = ${id}::uuid`;
    await endRunsOfChannel(tx, deps.newId, { channelId: id, limit: RUNS_AT_ONCE });
    const before = toChannelRecord(locked.row);
    await recordChannel(tx, deps, { action: 'channel.deleted', before, after: null });
    return true;
  });
}
