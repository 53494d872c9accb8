import { quantile } from '@postrider/rig';
import type { Ledgers } from '../ledgers.ts';
import type { Stretch } from './outage.ts';
import type { Context, Figures } from './scenario.ts';

/** How much later 99 of 100 first attempts begin at most while Redis is away: docs/promises.md. */
const LATE_MS = 1_000;

interface FirstAttempt {
  readonly createdAt: number;
  /** From the acceptance to the start of the attempt. */
  readonly latenessMs: number;
}

/** When the late ones were accepted, by 10 s since Redis went away: one stall looks different from a constant backlog. */
function describeLate(attempts: readonly FirstAttempt[], away: readonly Stretch[], limitMs: number): string {
  const counts = new Map<number, number>();
  for (const { createdAt, latenessMs } of attempts) {
    if (latenessMs <= limitMs) continue;
    const start = away.find(({ from, to }) => createdAt >= from && createdAt < to)?.from ?? createdAt;
    const second = Math.floor((createdAt - start) / 10_000) * 10;
    counts.set(second, (counts.get(second) ?? 0) + 1);
  }
  const parts = [...counts].sort(([a], [b]) => a - b).map(([second, count]) => `${count} at ${second} s`);
  return parts.length === 0 ? '' : `; later than that: ${parts.join(', ')}`;
}

/** What is compared. */
export interface WarmStretches {
  /** From when on the workers kept up with the load (`untilWarm`), in milliseconds since 1970. */
  readonly warmAt: number;
  /** When Redis was away. */
  readonly away: readonly Stretch[];
}

/**
 * Expects that the runs that were accepted while Redis was away began at most a second later than the others, by the database's
 * clock, unless other scenarios run meanwhile: then it only reports figures, because a start of their processes takes the processors
 * for more than a second. Leaves out runs that waited for cold workers: they would hide a delay.
 */
export function expectFirstAttempts(
  { expect, isAlone }: Pick<Context, 'expect' | 'isAlone'>,
  { database }: Pick<Ledgers, 'database'>,
  { warmAt, away }: WarmStretches,
): Figures {
  const during: FirstAttempt[] = [];
  const otherwise: number[] = [];
  for (const { createdAt, scheduledAt, attempts } of database.runs) {
    const [first] = attempts;
    if (!first || scheduledAt !== null || createdAt < warmAt) continue;
    const isAway = away.some(({ from, to }) => createdAt >= from && createdAt < to);
    const latenessMs = first.startedAt - createdAt;
    if (isAway) during.push({ createdAt, latenessMs });
    else otherwise.push(latenessMs);
  }
  expect(during.length > 0, 'runs were accepted while Redis was away');
  const usual = quantile(otherwise, 0.99);
  const lateness = during.map(({ latenessMs }) => latenessMs);
  const late = quantile(lateness, 0.99);
  expect(
    !isAlone || late <= usual + LATE_MS,
    `first attempts without Redis begin within ${LATE_MS} ms of ${usual} (p99); it was ${late} ms${describeLate(during, away, usual + LATE_MS)}`,
  );
  return {
    runs_without_redis: during.length,
    p50_first_attempt_ms: quantile(lateness, 0.5),
    p99_first_attempt_ms: late,
    p99_otherwise_ms: usual,
  };
}
