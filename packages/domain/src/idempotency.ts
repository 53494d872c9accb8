import { hash } from 'node:crypto';

/** A UUID of any version that RFC 9562 defines (1 to 8) and of its variant. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** A text as a Structured Field (RFC 9651 section 3.3.3), as the IETF draft has the header. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/** The key in the header's value, which may be a quoted text; null for a value that begins as one and is none. */
function unquoted(text: string): string | null {
  if (!text.startsWith('"')) return text;
  return QUOTED.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, '$1') ?? null;
}

/** A UUID of version 8 (RFC 9562 section 5.8) with 122 bits of the SHA-256 of a key. */
function uuidOf(key: string): string {
  const bytes = hash('sha256', `idempotency-key:${key}`, 'buffer').subarray(0, 16);
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x80, 6);
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [0, 8, 12, 16, 20].map((at, index, starts) => hex.slice(at, starts[index + 1])).join('-');
}

/**
 * The Idempotency-Key as the UUID under which responses are stored, in lower case, or null when it is not one that is taken:
 * docs/specification.md, "Idempotency", `idempotency_key_invalid`. The nil and max UUIDs have no version and
 * are refused where keys must be UUIDs: they are what a client sends that forgot to make a key, and would make all of its
 * events one. With `any`, a key that is no UUID is stored under one that is made of it. A client could choose that very UUID as
 * another key; it would then get its own conflict.
 */
export function parseIdempotencyKey(text: string, keys: 'uuid' | 'any' = 'uuid'): string | null {
  const key = unquoted(text);
  if (key === null) return null;
  if (UUID.test(key)) return key.toLowerCase();
  return keys === 'any' && VISIBLE_ASCII.test(key) ? uuidOf(key) : null;
}

/**
 * The request fingerprint of idempotency: SHA-256 (32 bytes) of the raw body as it was received. See
 * docs/specification.md, "Idempotency".
 */
export function fingerprint(body: Uint8Array): Buffer {
  return hash('sha256', body, 'buffer');
}
