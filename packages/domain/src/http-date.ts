const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})';

/** The three forms that a recipient must accept: RFC 9110 section 5.6.7. */
const FORMS = [
  new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(
    `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d{2})-${MONTH}-(?<year>\\d{2}) ${TIME} GMT$`,
  ),
  new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];

/**
 * Parses an HTTP-date to milliseconds since the epoch; null if `text` is not one (RFC 9110 section 5.6.7). Does not
 * check the weekday against the date. A two-digit year is the latest matching year that is at most 50 years after
 * `nowMs`.
 */
export function parseHttpDate(text: string, nowMs: number): number | null {
  const parts = FORMS.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (parts === undefined) return null;
  const { day = '', month = '', year = '', hour = '', minute = '', second = '' } = parts;
  const fullYear = year.length === 2 ? expandYear(Number(year), nowMs) : Number(year);
  return utcTime(fullYear, MONTHS.indexOf(month), Number(day), Number(hour), Number(minute), Number(second));
}

function expandYear(twoDigits: number, nowMs: number): number {
  const thisYear = new Date(nowMs).getUTCFullYear();
  const inThisCentury = thisYear - (thisYear % 100) + twoDigits;
  if (inThisCentury > thisYear + 50) return inThisCentury - 100;
  return inThisCentury + 100 <= thisYear + 50 ? inThisCentury + 100 : inThisCentury;
}

function utcTime(year: number, month: number, day: number, hour: number, minute: number, second: number) {
  // 60 is a leap second, which RFC 9110 allows through RFC 5322.
  if (hour > 23 || minute > 59 || second > 60) return null;
  const date = new Date(0);
  // Date.UTC would interpret the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month, day);
  if (date.getUTCMonth() !== month || date.getUTCDate() !== day) return null;
  return date.setUTCHours(hour, minute, second);
}

const DELAY_SECONDS = /^\d+$/;

/**
 * Parses a Retry-After header (RFC 9110 section 10.2.3) to milliseconds from `nowMs`: 0 for a past date, null if the
 * header is missing or neither whole seconds nor an HTTP-date.
 */
export function parseRetryAfter(header: string | null | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (DELAY_SECONDS.test(text)) return Math.min(Number(text) * 1_000, Number.MAX_SAFE_INTEGER);
  const date = parseHttpDate(text, nowMs);
  return date === null ? null : Math.max(0, date - nowMs);
}
