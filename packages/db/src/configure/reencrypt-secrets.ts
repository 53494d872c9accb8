import { credentialBinding, type SecretBox } from '@postrider/domain';
import { LRUCache } from 'lru-cache';
import { createBatcher } from '../batcher.ts';
import type { Queryable, UnboundDatabase } from '../client.ts';
import { resealServiceKey } from '../suppressions/service-keys.ts';
import { recordAudit } from './audit.ts';
import { type ConfigureDeps, inTransaction } from './change.ts';
import type { SealedCredentials } from './sealed-credentials.ts';

/** A channel's sealed secrets, as its row holds them; the first two are bound to the channel's UUID. */
export interface SealedSecrets {
  readonly id: string;
  readonly sealedSecret: string | null;
  readonly sealedPreviousSecret: string | null;
  readonly sealedCredentials: SealedCredentials | null;
}

/** One secret under two keys. */
interface Resealed {
  readonly channelId: string;
  /** Of a credential; null for a secret with a column of its own. */
  readonly name: string | null;
  readonly from: string;
  readonly to: string;
}

/** The secrets of a channel that are not sealed with the key that encrypts now. */
function outdatedSecrets(
  secretBox: SecretBox,
  { id, sealedSecret, sealedPreviousSecret, sealedCredentials }: SealedSecrets,
): { name: string | null; from: string; boundTo: string }[] {
  return [
    { name: null, from: sealedSecret, boundTo: id },
    { name: null, from: sealedPreviousSecret, boundTo: id },
    ...Object.entries(sealedCredentials ?? {}).map(([name, from]) => ({
      name,
      from,
      boundTo: credentialBinding(id, name),
    })),
  ].flatMap(({ from, ...secret }) =>
    from === null || secretBox.isCurrent(from) ? [] : [{ ...secret, from }],
  );
}

/** Seals a channel's outdated secrets with the current key; those that cannot be opened are left out. */
function resealOutdated(secretBox: SecretBox, channel: SealedSecrets): Resealed[] {
  return outdatedSecrets(secretBox, channel).flatMap(({ name, from, boundTo }) => {
    const opened = secretBox.open(from, boundTo);
    return opened.ok
      ? [{ channelId: channel.id, name, from, to: secretBox.seal(opened.plaintext, boundTo) }]
      : [];
  });
}

/**
 * Puts resealed secrets in the place of what they were made from and returns how many. A text that is not
 * there any more is not replaced, so that a newer secret stays; one that a rotation has moved to be the
 * previous secret is found there. The rows are locked in the order of their ids, so that those who do this at
 * once do not deadlock. `tx` is a transaction.
 */
async function storeResealed(tx: Queryable, resealed: readonly Resealed[]): Promise<number> {
  const ids = resealed.map(({ channelId }) => channelId);
  const names = resealed.map(({ name }) => name);
  const from = resealed.map((secret) => secret.from);
  const to = resealed.map((secret) => secret.to);
  await tx.$queryRaw`SELECT FROM channels WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  const current = await tx.$executeRaw`
    UPDATE channels SET sealed_secret = secret.sealed
      FROM unnest(${ids}::uuid[], ${from}::text[], ${to}::text[]) AS secret (channel_id, outdated, sealed)
     WHERE channels.id = secret.channel_id AND sealed_secret = secret.outdated`;
  const previous = await tx.$executeRaw`
    UPDATE channels SET sealed_previous_secret = secret.sealed
      FROM unnest(${ids}::uuid[], ${from}::text[], ${to}::text[]) AS secret (channel_id, outdated, sealed)
     WHERE channels.id = secret.channel_id AND sealed_previous_secret = secret.outdated`;
  const [credentials] = await tx.$queryRaw<{ replaced: number }[]>`
    WITH fresh AS (
      SELECT channels.id, jsonb_object_agg(secret.name, secret.sealed) AS sealed, count(*) AS replaced
        FROM unnest(${ids}::uuid[], ${names}::text[], ${from}::text[], ${to}::text[])
          AS secret (channel_id, name, outdated, sealed)
        JOIN channels ON channels.id = secret.channel_id
         AND channels.sealed_credentials ->> secret.name = secret.outdated
       GROUP BY channels.id
    ), stored AS (
      UPDATE channels SET sealed_credentials = channels.sealed_credentials || fresh.sealed
        FROM fresh WHERE channels.id = fresh.id
      RETURNING fresh.replaced
    )
    SELECT COALESCE(sum(replaced), 0)::int AS replaced FROM stored`;
  return current + previous + (credentials?.replaced ?? 0);
}

/** Channel versions that a process remembers. */
const MAX_REMEMBERED = 10_000;
/** One at a time, to leave connections to deliveries. */
const BATCHES = { maxItems: 64, maxInFlight: 1, isItemError: () => false };

/**
 * Seals a channel's secrets again, in the background, when they are under an older key than the one that
 * encrypts now. Each version of a channel is taken up once, whatever comes of it, and nothing is ever thrown:
 * what is left is for {@link reencryptSecrets}. It is no change of the channel: its revision stays, and the
 * audit log says nothing.
 */
export function createLazyReseal({
  db,
  secretBox,
  onError,
}: {
  db: UnboundDatabase;
  secretBox: SecretBox;
  onError: (error: unknown) => void;
}): (channel: SealedSecrets & { readonly revision: number }) => void {
  const taken = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  const store = createBatcher(async (items: readonly (readonly Resealed[])[]) => {
    await inTransaction({ db }, (tx) => storeResealed(tx, items.flat()));
    return items.map(() => undefined);
  }, BATCHES);

  return (channel) => {
    if (outdatedSecrets(secretBox, channel).length === 0) return;
    const version = `${channel.id} ${channel.revision}`;
    if (taken.has(version)) return;
    taken.set(version, true);
    const resealed = resealOutdated(secretBox, channel);
    if (resealed.length > 0) store(resealed).catch(onError);
  };
}

/** Channels of one transaction: some 50 ms. */
const BATCH = 500;

export interface ReencryptProgress {
  /** Secrets that are under the current key since the call began. */
  readonly reencrypted: number;
}

export interface ReencryptOutcome extends ReencryptProgress {
  /** Whether the limit ended it: there may be more to do. */
  readonly hasMore: boolean;
}

interface SealedRow {
  id: string;
  sealed_secret: string | null;
  sealed_previous_secret: string | null;
  sealed_credentials: SealedCredentials | null;
}

/** The next channels, by their ids, that have a secret under a key that is known and not the current one. */
async function findOutdated(
  db: Queryable,
  { keyIds, after, limit }: { keyIds: readonly string[]; after: string; limit: number },
): Promise<SealedSecrets[]> {
  const rows = await db.$queryRaw<SealedRow[]>`
    SELECT id, sealed_secret, sealed_previous_secret, sealed_credentials FROM channels
     WHERE id > ${after}::uuid
       AND (split_part(sealed_secret, '.', 2) = ANY(${keyIds}::text[])
         OR split_part(sealed_previous_secret, '.', 2) = ANY(${keyIds}::text[])
         OR EXISTS (SELECT FROM jsonb_each_text(sealed_credentials) AS credential (name, sealed)
                     WHERE split_part(sealed, '.', 2) = ANY(${keyIds}::text[])))
     ORDER BY id LIMIT ${limit}`;
  return rows.map((row) => ({
    id: row.id,
    sealedSecret: row.sealed_secret,
    sealedPreviousSecret: row.sealed_previous_secret,
    sealedCredentials: row.sealed_credentials,
  }));
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

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Seals every secret under an older key with the current one, and the service's own key, in batches of {@link BATCH} channels, each a
 * transaction with its audit entry. It can be ended at any point and called again: it goes on with what is left.
 * Secrets that cannot be opened stay as they are, see {@link readSecretKeys}; one that is changed meanwhile is not
 * overwritten.
 * @param options.limit channels after which it stops; all when left out
 * @param options.onProgress called after each batch
 */
export async function reencryptSecrets(
  deps: ConfigureDeps & { readonly secretBox: SecretBox },
  options: { readonly limit?: number; readonly onProgress?: (progress: ReencryptProgress) => void } = {},
): Promise<ReencryptOutcome> {
  const { limit = Number.POSITIVE_INFINITY, onProgress } = options;
  const { db, secretBox } = deps;
  const [currentKeyId = '', ...keyIds] = secretBox.keyIds;
  let after = BEFORE_ALL;
  let reencrypted = await storeBatch(deps, currentKeyId, (tx) => resealServiceKey(tx, secretBox));
  let changed = 0;
  while (changed < limit) {
    const batch = Math.min(BATCH, limit - changed);
    const channels = await findOutdated(db, { keyIds, after, limit: batch });
    const resealed = channels.flatMap((channel) => resealOutdated(secretBox, channel));
    if (resealed.length > 0) {
      reencrypted += await storeBatch(deps, currentKeyId, (tx) => storeResealed(tx, resealed));
    }
    onProgress?.({ reencrypted });
    if (channels.length < batch) return { reencrypted, hasMore: false };
    after = channels.at(-1)?.id ?? after;
    // Channels whose secrets cannot be opened do not count towards the limit: otherwise every call would stop at the
    // same ones.
    changed += new Set(resealed.map(({ channelId }) => channelId)).size;
  }
  return { reencrypted, hasMore: true };
}
