import { createHash } from 'node:crypto';

/**
 * The request fingerprint of idempotency: SHA-256 (32 bytes) of the raw body as it was received. See
 * docs/specification.md, "Idempotency".
 */
export function fingerprint(body: Uint8Array): Buffer {
  return createHash('sha256').update(body).digest();
}
