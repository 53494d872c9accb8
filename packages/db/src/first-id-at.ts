/** Below every id and above every id: a page without a limit compares with them, so that one plan fits all pages. */
export const BELOW_ALL_IDS = '00000000-0000-0000-0000-000000000000';
export const ABOVE_ALL_IDS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The smallest UUIDv7 of a millisecond since 1970, up to the year 10889. Times before 1970 give that of 1970. */
export function firstUuidAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/**
 * SQL of the smallest UUIDv7 of a millisecond since 1970. Message ids contain their creation time (decision 4), so
 * this lets a time range be queried as an id range. `ms` is SQL of a number, up to the year 10889; fractions are cut
 * off. Times before 1970 give the smallest UUID: a negative number has 16 digits in `to_hex`, and `lpad` would cut
 * off the last.
 */
export function firstIdAt(ms: string): string {
  return `(lpad(to_hex(GREATEST(0, floor(${ms}))::int8), 12, '0') || '70008000000000000000')::uuid`;
}
