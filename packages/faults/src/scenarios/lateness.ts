import type { LedgerRun } from '../ledgers.ts';
import { quantile } from './quantile.ts';
import type { Figures } from './scenario.ts';

/** How long after their time scheduled runs were taken up, by the database's clock. */
export function lateness(runs: readonly LedgerRun[]): Figures {
  const late = runs
    .flatMap(({ scheduledAt, attempts }) =>
      scheduledAt !== null && attempts[0] ? [attempts[0].startedAt - scheduledAt] : [],
    )
    .sort((a, b) => a - b);
  return {
    scheduled_runs: late.length,
    earliest_ms: late[0] ?? 0,
    median_lateness_ms: quantile(late, 0.5),
    longest_lateness_ms: late.at(-1) ?? 0,
  };
}
