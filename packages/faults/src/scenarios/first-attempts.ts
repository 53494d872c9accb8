import { quantile } from '@postrider/rig';
import type { Ledgers } from '../ledgers.ts';
import type { Stretch } from './outage.ts';
import type { Context, Figures } from './scenario.ts';

/** How late 99 of 100 first attempts are at most while Redis is away: docs/promises.md. */
const LATE_MS = 1_000;

/**
 * Expects that the runs that were accepted while Redis was away began within a second, by the database's clock.
 * @param allowance `machine`: later by as much as the other runs were, because other scenarios use the machine, too
 */
export function expectFirstAttempts(
  { expect }: Pick<Context, 'expect'>,
  { database }: Pick<Ledgers, 'database'>,
  { away, allowance }: { readonly away: readonly Stretch[]; readonly allowance: 'none' | 'machine' },
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
  const limit = LATE_MS + (allowance === 'machine' ? usual : 0);
  expect(late <= limit, `first attempts are at most ${limit} ms late (p99) without Redis; it was ${late} ms`);
  return {
    runs_without_redis: during.length,
    p50_first_attempt_ms: quantile(during, 0.5),
    p99_first_attempt_ms: late,
    p99_otherwise_ms: usual,
  };
}
