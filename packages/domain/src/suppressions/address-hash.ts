import { createHmac } from 'node:crypto';

/**
 * The spelling in which suppressed addresses are compared: ASCII letters in lower case, including the local part.
 * Mailbox providers treat `Ada@` and `ada@` alike and report bounces in either spelling, and nobody who has
 * unsubscribed should get mail because of a capital letter (docs/specification.md, "Suppressed recipients").
 */
export function suppressedSpelling(address: string): string {
  return address.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The block size of SHA-256, in bytes. */
const BLOCK_BYTES = 64;

/**
 * The keyed hash of an address: HMAC-SHA256 of `<environment's UUID>:<address>`, so equal addresses in two
 * environments have different hashes.
 */
export function addressHash(
  key: Uint8Array,
  environmentId: string,
  address: string,
): Uint8Array<ArrayBuffer> {
  const text = `${environmentId}:${suppressedSpelling(address)}`;
  return Uint8Array.from(createHmac('sha256', key).update(text, 'utf8').digest());
}

/**
 * The two key blocks of RFC 2104, `K XOR ipad` and `K XOR opad`. A database with SHA-256 can compute {@link
 * addressHash} from them as `sha256(outer || sha256(inner || text))`.
 * @param key at most 64 bytes
 */
export function hmacBlocks(key: Uint8Array): {
  readonly inner: Uint8Array<ArrayBuffer>;
  readonly outer: Uint8Array<ArrayBuffer>;
} {
  if (key.length > BLOCK_BYTES) throw new TypeError('hmacBlocks wants a key of at most 64 bytes');
  const block = (pad: number) => Uint8Array.from({ length: BLOCK_BYTES }, (_, at) => (key[at] ?? 0) ^ pad);
  return { inner: block(0x36), outer: block(0x5c) };
}
