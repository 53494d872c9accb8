/** date-time of RFC 3339 section 5.6; its offset is not optional. */
const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})t([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d+)?(z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/**
 * The time that an RFC 3339 text with offset names, to the millisecond (what is finer is cut off), or null. A
 * day that its month does not have is refused, as is a leap second, which neither JavaScript nor Postgres can
 * hold, and a time that is not in the years 1 to 9999 of UTC, which is what Postgres and RFC 3339 have in
 * common.
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

/** RFC 3339, UTC, milliseconds, `Z`: how every time is presented (docs/specification.md, "JSON and time"). */
export function formatTime(time: Date): string {
  return time.toISOString();
}

/** {@link formatTime} of a time that may be missing. */
export function formatOptionalTime(time: Date | null): string | null {
  return time && formatTime(time);
}

export type Period = { start: Date; end: Date };

/**
 * The usage period that holds `date`: the calendar month in UTC, `start` inside it and `end` (the next
 * month's start, when the quota resets) outside. See docs/specification.md, "Quota and payment".
 */
export function periodOf(date: Date): Period {
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) };
}
