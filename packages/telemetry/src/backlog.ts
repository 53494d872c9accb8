import type { Gauge, Metrics } from './metrics.ts';
import { reuse } from './reuse.ts';

/** The due runs of a channel kind that wait. */
export interface BacklogOfKind {
  readonly kind: string;
  readonly dueRuns: number;
  readonly ageSeconds: number;
}

export interface BacklogDeps {
  /** Queries the database. Must settle within the time limit of a scrape. */
  readonly read: () => Promise<readonly BacklogOfKind[]>;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicMs: () => number;
}

/** How long a result is reused. */
const MAX_AGE_MS = 10_000;

/**
 * Exports the backlog, the numbers that workers are scaled by. The database is asked at most once in 10 s,
 * however often the metrics are read. While it does not respond there is no value: an old one would look healthy.
 */
export function measureBacklog(metrics: Metrics, { read, monotonicMs }: BacklogDeps): void {
  const current = reuse(() => read().catch(() => []), MAX_AGE_MS, monotonicMs);
  const show = (figureOf: (backlog: BacklogOfKind) => number) => async (gauge: Gauge<'kind'>) => {
    const backlogs = await current();
    gauge.reset();
    for (const backlog of backlogs) gauge.set({ kind: backlog.kind }, figureOf(backlog));
  };
  metrics.gauge(
    'postrider_backlog_due_runs',
    'Due runs of the whole service that wait to be started, counted up to 10,000.',
    ['kind'],
    show(({ dueRuns }) => dueRuns),
  );
  metrics.gauge(
    'postrider_backlog_age_seconds',
    'Time since the oldest waiting run of the whole service was due.',
    ['kind'],
    show(({ ageSeconds }) => ageSeconds),
  );
}
