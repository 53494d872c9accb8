/** One key as a segment of a JSON Pointer, without its slash: RFC 6901 section 3. */
export function escapePointerSegment(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
