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
