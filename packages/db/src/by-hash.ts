const toHex = (hash: Uint8Array) => Buffer.from(hash).toString('hex');

/** Hashes as a statement gets them: texts, of which it decodes each. */
export const hexOf = (hashes: readonly Uint8Array[]): string[] => hashes.map(toHex);

/** What was found by its hash, as PostgreSQL encodes it in hex, in the order of `hashes`; null for others. */
export function inOrderOfHashes<Found>(
  hashes: readonly Uint8Array[],
  found: readonly (readonly [hash: string, found: Found])[],
): (Found | null)[] {
  const byHash = new Map(found);
  return hashes.map((hash) => byHash.get(toHex(hash)) ?? null);
}
