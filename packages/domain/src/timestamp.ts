/** date-time of RFC 3339 section 5.6; its offset is not optional. */
const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})t([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d+)?(z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/**
 * Parses an RFC 3339 time with an offset, truncated to milliseconds. Returns null if it is invalid, including days that
 * the month does not have, leap seconds (neither JavaScript nor Postgres can store them) and times outside the years 1
 * to 9999 in UTC, the range that Postgres and RFC 3339 share.
 */
export function parseTimestamp(text: string): Date | null {
  const match = RFC_3339.exec(text);
  if (!match) return null;
  const [, year = '', month = '', day = ''] = match;
  if (!isCalendarDay(Number(year), Number(month), Number(day))) return null;
  const time = new Date(text.toUpperCase());
  const utcYear = time.getUTCFullYear();
  return utcYear >= 1 && utcYear <= 9999 ? time : null;
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/**
 * Formats a time as RFC 3339 in UTC with milliseconds and `Z`, like all times of the API (docs/specification.md, "JSON
 * and time").
 */
export function formatTime(time: Date): string {
  return time.toISOString();
}

/** Like {@link formatTime}; null stays null. */
export function formatOptionalTime(time: Date | null): string | null {
  return time && formatTime(time);
}

export type Period = { start: Date; end: Date };

/**
 * The usage period that contains `date`: the calendar month in UTC. `start` is inclusive; `end`, when the quota resets,
 * is exclusive. See docs/specification.md, "Quota and payment".
 */
export function periodOf(date: Date): Period {
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) };
}
