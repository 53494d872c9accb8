import type { SecretBox } from '@postrider/domain';
import type { Queryable } from '../client.ts';
import { recordAudit } from './audit.ts';
import { type ConfigureDeps, inTransaction } from './change.ts';
import { type Resealed, resealOutdated, type SealedSecrets, storeResealed } from './reseal.ts';

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
function storeBatch(deps: ConfigureDeps, keyId: string, resealed: readonly Resealed[]): Promise<number> {
  return inTransaction(deps, async (tx) => {
    const secrets = await storeResealed(tx, resealed);
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
 * Seals every secret under an older key with the current one, in batches of {@link BATCH} channels, each a
 * transaction with its audit entry. It can be ended at any point and called again: it goes on with what is
 * left. Secrets that cannot be opened stay as they are, see {@link readSecretKeys}; one that is changed
 * meanwhile is not overwritten.
 * @param options.limit channels after which it stops; all when left out
 * @param options.onProgress hears of each batch
 */
export async function reencryptSecrets(
  deps: ConfigureDeps & { readonly secretBox: SecretBox },
  options: { readonly limit?: number; readonly onProgress?: (progress: ReencryptProgress) => void } = {},
): Promise<ReencryptOutcome> {
  const { limit = Number.POSITIVE_INFINITY, onProgress } = options;
  const { db, secretBox } = deps;
  const [currentKeyId = '', ...keyIds] = secretBox.keyIds;
  let after = BEFORE_ALL;
  let reencrypted = 0;
  let mended = 0;
  while (mended < limit) {
    const batch = Math.min(BATCH, limit - mended);
    const channels = await findOutdated(db, { keyIds, after, limit: batch });
    const resealed = channels.flatMap((channel) => resealOutdated(secretBox, channel));
    if (resealed.length > 0) reencrypted += await storeBatch(deps, currentKeyId, resealed);
    onProgress?.({ reencrypted });
    if (channels.length < batch) return { reencrypted, hasMore: false };
    after = channels.at(-1)?.id ?? after;
    // Channels that cannot be mended do not count: they would end every call at the same place.
    mended += new Set(resealed.map(({ channelId }) => channelId)).size;
  }
  return { reencrypted, hasMore: true };
}
