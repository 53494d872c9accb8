import { createHash } from 'node:crypto';

/**
 * SHA-256 in hexadecimal of what a delivery sends, whatever its kind: of its content as JSON, whose fields each kind makes in
 * one order.
 */
export function contentDigest(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
