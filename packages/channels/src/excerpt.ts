/** The most of a response that is read and stored (docs/architecture.md, invariant 8). */
export const MAX_RESPONSE_BYTES = 16 * 1_024;

/** The bytes as text that PostgreSQL can store: valid UTF-8 without NUL, cut between characters. */
export function toExcerpt(chunks: readonly Uint8Array[]): string {
  const bytes = Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES);
  return new TextDecoder('utf-8').decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD');
}
