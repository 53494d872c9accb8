import { parseHttpDate } from './http-date.ts';

const DELAY_SECONDS = /^\d+$/;

/**
 * How long a Retry-After header asks to wait, in milliseconds from `nowMs`; 0 for a date that is past, null
 * when the header is absent or neither whole seconds nor an HTTP-date. RFC 9110 section 10.2.3.
 */
export function parseRetryAfter(header: string | null | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (DELAY_SECONDS.test(text)) return Math.min(Number(text) * 1_000, Number.MAX_SAFE_INTEGER);
  const date = parseHttpDate(text, nowMs);
  return date === null ? null : Math.max(0, date - nowMs);
}
