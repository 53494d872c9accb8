import { credentialBinding, type SecretBox } from '@postrider/domain';
import { Prisma, type Queryable } from '../client.ts';
import { BELOW_ALL_IDS } from '../first-id-at.ts';
import { reencryptServiceKey } from '../suppressions/service-keys.ts';
import { type ConfigureDeps, recordAudit } from '../transactions/audit.ts';
import { inTransaction } from '../transactions/transaction.ts';
import type { EncryptedCredentials } from './encrypted-credentials.ts';

/** The encrypted secrets of a channel. They are bound to its UUID, credentials also to their names. */
export interface EncryptedSecrets {
  readonly id: string;
  readonly sealedSecret: string | null;
  readonly sealedPreviousSecret: string | null;
  readonly sealedCredentials: EncryptedCredentials | null;
}

/** One secret encrypted with the old and with the new key. */
interface Reencrypted {
  readonly channelId: string;
  /** The credential's name; null for a secret with its own column. */
  readonly name: string | null;
  readonly from: string;
  readonly to: string;
}

/** Encrypts a channel's outdated secrets with the current key. Secrets that cannot be decrypted are left out. */
function reencryptOutdated(
  secretBox: SecretBox,
  { id, sealedSecret, sealedPreviousSecret, sealedCredentials }: EncryptedSecrets,
): Reencrypted[] {
  const secrets = [
    { name: null, from: sealedSecret, boundTo: id },
    { name: null, from: sealedPreviousSecret, boundTo: id },
    ...Object.entries(sealedCredentials ?? {}).map(([name, from]) => ({
      name,
      from,
      boundTo: credentialBinding(id, name),
    })),
  ];
  return secrets.flatMap(({ name, from, boundTo }) => {
    if (from === null || secretBox.isCurrent(from)) return [];
    const decrypted = secretBox.decrypt(from, boundTo);
    return decrypted.ok
      ? [{ channelId: id, name, from, to: secretBox.encrypt(decrypted.plaintext, boundTo) }]
      : [];
  });
}

/**
 * Replaces secrets by their re-encrypted values and returns how many were replaced. A secret that changed meanwhile
 * is left alone; one that a rotation made the previous secret is replaced there. Rows are locked in the order of
 * their ids, so that concurrent calls do not deadlock. `tx` is a transaction.
 */
async function storeReencrypted(tx: Queryable, reencrypted: readonly Reencrypted[]): Promise<number> {
  const ids = reencrypted.map(({ channelId }) => channelId);
  const names = reencrypted.map(({ name }) => name);
  const from = reencrypted.map((secret) => secret.from);
  const to = reencrypted.map((secret) => secret.to);
  await tx.$queryRaw`SELECT FROM channels WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  let replaced = 0;
  for (const column of [Prisma.raw('sealed_secret'), Prisma.raw('sealed_previous_secret')]) {
    replaced += await tx.$executeRaw`
      UPDATE channels SET ${column} = secret.encrypted
        FROM unnest(${ids}::uuid[], ${from}::text[], ${to}::text[]) AS secret (channel_id, outdated, encrypted)
       WHERE channels.id = secret.channel_id AND ${column} = secret.outdated`;
  }
  const [credentials] = await tx.$queryRaw<{ replaced: number }[]>`
    WITH fresh AS (
      SELECT channels.id, jsonb_object_agg(secret.name, secret.encrypted) AS encrypted, count(*) AS replaced
        FROM unnest(${ids}::uuid[], ${names}::text[], ${from}::text[], ${to}::text[])
          AS secret (channel_id, name, outdated, encrypted)
        JOIN channels ON channels.id = secret.channel_id
         AND channels.sealed_credentials ->> secret.name = secret.outdated
       GROUP BY channels.id
    ), stored AS (
      UPDATE channels SET sealed_credentials = channels.sealed_credentials || fresh.encrypted
        FROM fresh WHERE channels.id = fresh.id
      RETURNING fresh.replaced
    )
    SELECT COALESCE(sum(replaced), 0)::int AS replaced FROM stored`;
  return replaced + (credentials?.replaced ?? 0);
}

/** Channels per transaction, which takes some 50 ms. */
const BATCH = 500;

interface ReencryptOutcome {
  /** Secrets re-encrypted with the current key by this call. */
  readonly reencrypted: number;
  /** Whether the limit was reached, so that more may be left. */
  readonly hasMore: boolean;
}

/** The next channels, by id, with a secret under a known key that is not the current one. */
function findOutdated(
  db: Queryable,
  { keyIds, after, limit }: { keyIds: readonly string[]; after: string; limit: number },
): Promise<EncryptedSecrets[]> {
  return db.$queryRaw<EncryptedSecrets[]>`
    SELECT id, sealed_secret AS "sealedSecret", sealed_previous_secret AS "sealedPreviousSecret",
           sealed_credentials AS "sealedCredentials"
      FROM channels
     WHERE id > ${after}::uuid
       AND (split_part(sealed_secret, '.', 2) = ANY(${keyIds}::text[])
         OR split_part(sealed_previous_secret, '.', 2) = ANY(${keyIds}::text[])
         OR EXISTS (SELECT FROM jsonb_each_text(sealed_credentials) AS credential (name, encrypted)
                     WHERE split_part(encrypted, '.', 2) = ANY(${keyIds}::text[])))
     ORDER BY id LIMIT ${limit}`;
}

/** Stores a batch with its audit entry and returns how many secrets were replaced. */
function storeBatch(
  deps: ConfigureDeps,
  keyId: string,
  store: (tx: Queryable) => Promise<number>,
): Promise<number> {
  return inTransaction(deps, async (tx) => {
    const secrets = await store(tx);
    if (secrets > 0) {
      await recordAudit(tx, deps, {
        action: 'secrets.reencrypted',
        resourceId: keyId,
        before: null,
        after: { key_id: keyId, secrets },
      });
    }
    return secrets;
  });
}

/**
 * Re-encrypts every secret under an older key, including the service's own key, in batches of {@link BATCH} channels.
 * Each batch is a transaction with an audit entry. The call can be interrupted at any point and repeated: it
 * continues with what is left. Secrets that cannot be decrypted stay as they are (see `readSecretKeys`), and
 * secrets that change meanwhile are not overwritten.
 * @param options.limit the most channels; all if left out
 */
export async function reencryptSecrets(
  deps: ConfigureDeps & { readonly secretBox: SecretBox },
  { limit = Number.POSITIVE_INFINITY }: { readonly limit?: number } = {},
): Promise<ReencryptOutcome> {
  const { db, secretBox } = deps;
  const [currentKeyId = '', ...keyIds] = secretBox.keyIds;
  let after = BELOW_ALL_IDS;
  let reencrypted = await storeBatch(deps, currentKeyId, (tx) => reencryptServiceKey(tx, secretBox));
  let changed = 0;
  while (changed < limit) {
    const batch = Math.min(BATCH, limit - changed);
    const channels = await findOutdated(db, { keyIds, after, limit: batch });
    const secrets = channels.flatMap((channel) => reencryptOutdated(secretBox, channel));
    if (secrets.length > 0) {
      reencrypted += await storeBatch(deps, currentKeyId, (tx) => storeReencrypted(tx, secrets));
    }
    if (channels.length < batch) return { reencrypted, hasMore: false };
    after = channels.at(-1)?.id ?? after;
    // Channels whose secrets cannot be decrypted do not count towards the limit, or every call would stop at the same
    // ones.
    changed += new Set(secrets.map(({ channelId }) => channelId)).size;
  }
  return { reencrypted, hasMore: true };
}
