const JSON_TYPE = /^application\/json\s*(?:;(.*))?$/is;
const CHARSET = /(?:^|;)\s*charset\s*=\s*"?([^";\s]+)"?/i;

/**
 * Whether a body of this Content-Type and Content-Encoding is JSON as this service reads it:
 * `application/json`, with or without a charset (docs/specification.md, "Request bodies"). A charset other
 * than UTF-8 is refused because RFC 8259 section 8.1 knows no other, a content coding because decompression
 * would undo the limit on the body's size.
 */
export function isJsonBody(contentType: string | undefined, contentEncoding: string | undefined): boolean {
  if (contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== 'identity') return false;
  const match = JSON_TYPE.exec(contentType?.trim() ?? '');
  if (!match) return false;
  const charset = CHARSET.exec(match[1] ?? '')?.[1]?.toLowerCase();
  return charset === undefined || charset === 'utf-8' || charset === 'utf8';
}
