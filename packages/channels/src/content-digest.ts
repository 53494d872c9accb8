import { hash } from 'node:crypto';

const sha256 = (data: string | Buffer): string => hash('sha256', data, 'hex');

/** Replaces bytes by their digest: as JSON they would take ten times their size. */
function digestible(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return sha256(value);
  if (Array.isArray(value)) return value.map(digestible);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, digestible(item)]));
}

/**
 * SHA-256 of a content, in hexadecimal: of its JSON, whose field order each kind keeps fixed. Bytes are included by
 * their SHA-256.
 */
export function contentDigest(content: unknown): string {
  return sha256(JSON.stringify(digestible(content)));
}
