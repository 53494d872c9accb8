import { quantile } from '@postrider/rig';
import type { Ledgers } from '../ledgers.ts';
import type { Stretch } from './outage.ts';
import type { Context, Figures } from './scenario.ts';

/** How much later 99 of 100 first attempts begin at most while Redis is away: docs/promises.md. */
const LATE_MS = 1_000;

/**
 * Expects that the runs that were accepted while Redis was away began at most a second later than the others did on the same
 * busy machine, by the database's clock.
 */
export function expectFirstAttempts(
  { expect }: Pick<Context, 'expect'>,
  { database }: Pick<Ledgers, 'database'>,
  away: readonly Stretch[],
): Figures {
  const during: number[] = [];
  const otherwise: number[] = [];
  for (const { createdAt, scheduledAt, attempts } of database.runs) {
    const [first] = attempts;
    if (!first || scheduledAt !== null) continue;
    const isAway = away.some(({ from, to }) => createdAt >= from && createdAt < to);
    (isAway ? during : otherwise).push(first.startedAt - createdAt);
  }
  expect(during.length > 0, 'runs were accepted while Redis was away');
  const usual = quantile(otherwise, 0.99);
  const late = quantile(during, 0.99);
  expect(
    late <= usual + LATE_MS,
    `first attempts without Redis begin within ${LATE_MS} ms of ${usual} (p99); it was ${late} ms`,
  );
  return {
    runs_without_redis: during.length,
    p50_first_attempt_ms: quantile(during, 0.5),
    p99_first_attempt_ms: late,
    p99_otherwise_ms: usual,
  };
}
