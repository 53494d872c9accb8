import { createHash } from 'node:crypto';

/**
 * The request fingerprint of idempotency: SHA-256 (32 bytes) of the raw body as it was received.
 * Interface specification, Idempotency rules 6; contract section 3.
 */
export function fingerprint(body: Uint8Array): Buffer {
  return createHash('sha256').update(body).digest();
}
