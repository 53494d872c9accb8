import { ALL_STREAMS, addressHash } from '@postrider/domain';
import { type Database, Prisma } from '../client.ts';
import { readInEnvironments } from '../transactions/transaction.ts';
import type { ServiceKeySource } from './service-keys.ts';

/** The message whose copies are checked. Ids are UUIDs. */
interface CopiesToCheck {
  readonly environmentId: string;
  readonly messageId: string;
  readonly addresses: readonly string[];
}

/** Those of a message's copies that are suppressed now, by the rules of a claim. */
export async function findSuppressedCopies(
  { db, keys }: { readonly db: Database; readonly keys: ServiceKeySource },
  { environmentId, messageId, addresses }: CopiesToCheck,
): Promise<string[]> {
  const { addressHash: key } = await keys.get();
  const hashOf = (address: string) => Buffer.from(addressHash(key, environmentId, address)).toString('hex');
  const hashes = addresses.map(hashOf);
  const rows = await readInEnvironments(
    db,
    [environmentId],
    (tx) => tx.$queryRaw<{ hash: string }[]>`
      SELECT encode(entry.address_hash, 'hex') AS hash
        FROM suppressions entry JOIN messages message ON message.environment_id = entry.environment_id
       WHERE entry.environment_id = ${environmentId}::uuid AND message.id = ${messageId}::uuid
         AND entry.address_hash IN (SELECT decode(hash, 'hex') FROM unnest(${hashes}::text[]) AS hash)
         AND entry.scope IN (${ALL_STREAMS}, message.stream) AND ${IN_FORCE} AND NOT message.ignore_suppression`,
  );
  const suppressed = new Set(rows.map(({ hash }) => hash));
  return addresses.filter((_, index) => suppressed.has(hashes[index] ?? ''));
}

/** SQL: whether an entry is still in force. A sweep removes expired ones later. */
export const IN_FORCE = Prisma.raw('(entry.expires_at IS NULL OR entry.expires_at > now())');
