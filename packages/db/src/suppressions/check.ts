import { ALL_STREAMS, addressHash, hmacBlocks } from '@postrider/domain';
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
export const IN_FORCE = Prisma.sql`(entry.expires_at IS NULL OR entry.expires_at > now())`;

/** One index look-up. Most environments have no entries. */
const HAS_ENTRIES = Prisma.sql`EXISTS (
  SELECT FROM suppressions entry WHERE entry.environment_id = run.environment_id)`;

/**
 * SQL of what suppresses a run, such as `hard_bounce, scope all`; null if nothing does. For a statement with a row `run` of
 * `delivery_runs` and a column `kind.address_field` (the recipient's field that can be suppressed, or null). See `SUPPRESSION`
 * of the claim.
 * @param key of `addressHash`. Null if it cannot be decrypted: then nothing is known to be suppressed
 */
export function suppressedBy(key: Uint8Array | null): Prisma.Sql {
  if (key === null) return Prisma.sql`NULL::text`;
  const { inner, outer } = hmacBlocks(key);
  return Prisma.sql`CASE WHEN kind.address_field IS NULL OR NOT ${HAS_ENTRIES} THEN NULL ELSE (
      SELECT entry.source || ', scope ' || entry.scope
        FROM messages message
        JOIN suppressions entry ON entry.environment_id = message.environment_id
         AND entry.address_hash = sha256(${outer}::bytea || sha256(${inner}::bytea || convert_to(
               run.environment_id::text || ':' || lower((message.recipient ->> kind.address_field) COLLATE "C"), 'UTF8')))
         AND entry.scope IN (${ALL_STREAMS}, message.stream) AND ${IN_FORCE}
       WHERE message.environment_id = run.environment_id AND message.id = run.message_id
         AND NOT message.ignore_suppression
       ORDER BY entry.created_at LIMIT 1) END`;
}
