import { Prisma } from './client.ts';

const toHex = (hash: Uint8Array) => Buffer.from(hash).toString('hex');

/** SQL: whether a column with hashes has one of these. */
export const hashIn = (column: string, hashes: readonly Uint8Array[]): Prisma.Sql =>
  Prisma.sql`${Prisma.raw(column)} IN (SELECT decode(text, 'hex') FROM unnest(${hashes.map(toHex)}::text[]) AS text)`;

/** What was found by its hash, as PostgreSQL encodes it in hex, in the order of `hashes`; null for others. */
export function inOrderOfHashes<Found>(
  hashes: readonly Uint8Array[],
  found: readonly (readonly [hash: string, found: Found])[],
): (Found | null)[] {
  const byHash = new Map(found);
  return hashes.map((hash) => byHash.get(toHex(hash)) ?? null);
}
