import { hash } from 'node:crypto';

/** A UUID of any version that RFC 9562 defines (1 to 8) and of its variant. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * The Idempotency-Key in lower case, in which keys are compared, or null when it is not a UUID of a version:
 * docs/specification.md, "Idempotency", `idempotency_key_invalid`. The nil and max UUIDs have no version and
 * are refused: they are what a client sends that forgot to make a key, and would make all of its events one.
 */
export function parseIdempotencyKey(text: string): string | null {
  return UUID.test(text) ? text.toLowerCase() : null;
}

/**
 * The request fingerprint of idempotency: SHA-256 (32 bytes) of the raw body as it was received. See
 * docs/specification.md, "Idempotency".
 */
export function fingerprint(body: Uint8Array): Buffer {
  return hash('sha256', body, 'buffer');
}
