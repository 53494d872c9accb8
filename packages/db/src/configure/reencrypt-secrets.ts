import type { SecretBox } from '@postrider/domain';
import { LRUCache } from 'lru-cache';
import { createBatcher } from '../batcher.ts';
import type { Queryable, UnboundDatabase } from '../client.ts';
import { resealServiceKey } from '../suppressions/service-keys.ts';
import { recordAudit } from './audit.ts';
import { type ConfigureDeps, inTransaction } from './change.ts';

/** A channel's sealed secrets, as its row holds them; both are bound to the channel's UUID. */
export interface SealedSecrets {
  readonly id: string;
  readonly sealedSecret: string | null;
  readonly sealedPreviousSecret: string | null;
}

/** One secret under two keys. */
interface Resealed {
  readonly channelId: string;
  readonly from: string;
  readonly to: string;
}

/** The secrets of a channel that are not sealed with the key that encrypts now. */
function outdatedSecrets(
  secretBox: SecretBox,
  { sealedSecret, sealedPreviousSecret }: SealedSecrets,
): string[] {
  return [sealedSecret, sealedPreviousSecret].filter(
    (sealed) => sealed !== null && !secretBox.isCurrent(sealed),
  ) as string[];
}

/** Seals a channel's outdated secrets with the current key; those that cannot be opened are left out. */
function resealOutdated(secretBox: SecretBox, channel: SealedSecrets): Resealed[] {
  return outdatedSecrets(secretBox, channel).flatMap((from) => {
    const opened = secretBox.open(from, channel.id);
    return opened.ok
      ? [{ channelId: channel.id, from, to: secretBox.seal(opened.plaintext, channel.id) }]
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
  return current + previous;
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
}

/** The next channels, by their ids, that have a secret under a key that is known and not the current one. */
async function findOutdated(
  db: Queryable,
  { keyIds, after, limit }: { keyIds: readonly string[]; after: string; limit: number },
): Promise<SealedSecrets[]> {
  const rows = await db.$queryRaw<SealedRow[]>`
    SELECT id, sealed_secret, sealed_previous_secret FROM channels
     WHERE id > ${after}::uuid
       AND (split_part(sealed_secret, '.', 2) = ANY(${keyIds}::text[])
         OR split_part(sealed_previous_secret, '.', 2) = ANY(${keyIds}::text[]))
     ORDER BY id LIMIT ${limit}`;
  return rows.map((row) => ({
    id: row.id,
    sealedSecret: row.sealed_secret,
    sealedPreviousSecret: row.sealed_previous_secret,
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
