import { hash } from 'node:crypto';
import { uuidOfHex } from './base32.ts';

/** A UUID of any version that RFC 9562 defines (1 to 8) and of its variant. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** A string of Structured Fields (RFC 9651 section 3.3.3), the format of the header in the IETF draft. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/** The key in a header value, which may be a quoted string. Null for an invalid quoted string. */
function unquoted(text: string): string | null {
  if (!text.startsWith('"')) return text;
  return QUOTED.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, '$1') ?? null;
}

/** Derives a UUID of version 8 (RFC 9562 section 5.8) from 122 bits of the SHA-256 of a key. */
function uuidOf(key: string): string {
  const bytes = hash('sha256', `idempotency-key:${key}`, 'buffer').subarray(0, 16);
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x80, 6);
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8);
  return uuidOfHex(bytes.toString('hex'));
}

/**
 * Converts an Idempotency-Key to the UUID under which responses are stored, in lower case. Null if the key is invalid
 * (docs/specification.md, "Idempotency", `idempotency_key_invalid`). If keys must be UUIDs, the nil and max UUIDs are
 * refused: a client that forgot to generate a key sends them, and all of its events would count as one. With `any`,
 * the UUID of another key is derived from it. A client that picks that very UUID as another key only gets a conflict
 * with itself.
 */
export function parseIdempotencyKey(text: string, keys: 'uuid' | 'any' = 'uuid'): string | null {
  const key = unquoted(text);
  if (key === null) return null;
  if (UUID.test(key)) return key.toLowerCase();
  return keys === 'any' && VISIBLE_ASCII.test(key) ? uuidOf(key) : null;
}

/** The key of a consumer's request: no other consumer, and not the environment, can send the same one. */
export const keyOfConsumer = (consumerId: string, key: string): string => uuidOf(`${consumerId} ${key}`);

/**
 * The request fingerprint of idempotency: SHA-256 (32 bytes) of the raw body as received, or of a text as UTF-8. See
 * docs/specification.md, "Idempotency".
 */
export function fingerprint(body: Uint8Array | string): Buffer {
  return hash('sha256', body, 'buffer');
}

/** The operations that honour an Idempotency-Key; part of the record's scope. */
export type IdempotentOperation = 'events.create' | 'messages.replay' | 'delivery-runs.cancel';

/** One idempotency record's scope and the SHA-256 of the request's raw body (32 bytes). */
export interface IdempotencyClaim {
  readonly environmentId: string;
  readonly operation: IdempotentOperation;
  /** Lower-case UUID. */
  readonly key: string;
  readonly fingerprint: Uint8Array;
}

/** The identity of a record as one string. */
export function idempotencyScope({ environmentId, operation, key }: IdempotencyClaim): string {
  return `${environmentId} ${operation} ${key}`;
}
