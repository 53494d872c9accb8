import type { Stats } from '@postrider/client';
import type { Counters } from './contract.ts';
import { HOUR_MS, type Scope } from './scope.ts';

const MINUTE_MS = 60_000;
export const DAY_MS = 24 * HOUR_MS;

/** The ranges of charts: the number and the length of their parts. */
const RANGES = {
  '1h': { name: '1 hour', parts: 60, stepMs: MINUTE_MS, interval: 'minute' },
  '24h': { name: '24 hours', parts: 24, stepMs: HOUR_MS, interval: 'hour' },
  '7d': { name: '7 days', parts: 28, stepMs: 6 * HOUR_MS, interval: 'hour' },
  '30d': { name: '30 days', parts: 30, stepMs: DAY_MS, interval: 'hour' },
} as const;

export type Range = keyof typeof RANGES;

export const RANGE_NAMES = Object.entries(RANGES).map(([range, { name }]) => [range as Range, name] as const);

export const rangeOf = (text: string | undefined): Range =>
  text && text in RANGES ? (text as Range) : '24h';

export const rangeName = (range: Range) => RANGES[range].name;

/** Counts of the parts of a range. */
export interface Figures {
  readonly stepMs: number;
  /** The beginnings of the parts, RFC 3339. */
  readonly times: readonly string[];
  readonly parts: readonly Counters[];
  readonly totals: Counters;
}

const NOTHING: Counters = {
  accepted: 0,
  delivered: 0,
  failed: 0,
  attempts: 0,
  bounced: 0,
  complained: 0,
  latency_ms: null,
};

/** The sum of counts. */
export const sumOf = (all: readonly Counters[]) => all.reduce(add, NOTHING);

/** Adds counts. Percentiles cannot be added: the highest is shown. */
function add(a: Counters, b: Counters): Counters {
  const highest = (name: 'p50' | 'p95' | 'p99') => {
    const both = [a, b].flatMap(({ latency_ms }) => latency_ms?.[name] ?? []);
    return both.length > 0 ? Math.max(...both) : null;
  };
  return {
    accepted: a.accepted + b.accepted,
    delivered: a.delivered + b.delivered,
    failed: a.failed + b.failed,
    attempts: a.attempts + b.attempts,
    bounced: a.bounced + b.bounced,
    complained: a.complained + b.complained,
    latency_ms:
      a.latency_ms || b.latency_ms ? { p50: highest('p50'), p95: highest('p95'), p99: highest('p99') } : null,
  };
}

/** The beginnings of parts of one length, the current part last. Parts of 6 hours and of a day follow the user's clock. */
export function startsOf(parts: number, stepMs: number, now = Date.now()): number[] {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const zero = stepMs > HOUR_MS ? midnight : 0;
  const last = zero + Math.floor((now - zero) / stepMs) * stepMs;
  return Array.from({ length: parts }, (_, index) => last - (parts - 1 - index) * stepMs);
}

/** The part of each bucket, added up. */
export function partsOf(starts: readonly number[], buckets: Stats['buckets']): Counters[] {
  const parts: Counters[] = starts.map(() => NOTHING);
  for (const bucket of buckets) {
    const index = starts.findLastIndex((start) => start <= Date.parse(bucket.start));
    // The first hour may begin before the first part, where the time zone is not a whole hour from UTC.
    const at = Math.max(0, index);
    parts[at] = add(parts[at] ?? NOTHING, bucket);
  }
  return parts;
}

/** Reads the counts of an environment. */
export async function readFigures(scope: Scope, range: Range): Promise<Figures> {
  const { parts, stepMs, interval } = RANGES[range];
  const unit = interval === 'minute' ? MINUTE_MS : HOUR_MS;
  const starts = startsOf(parts, stepMs);
  const { buckets, totals } = await scope.stats({
    from: new Date(Math.floor((starts[0] ?? 0) / unit) * unit).toISOString(),
    to: new Date((Math.floor(Date.now() / unit) + 1) * unit).toISOString(),
    interval,
  });
  return {
    stepMs,
    times: starts.map((start) => new Date(start).toISOString()),
    parts: partsOf(starts, buckets),
    totals,
  };
}
