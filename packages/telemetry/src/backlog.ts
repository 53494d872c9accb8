import type { Gauge, Metrics } from './metrics.ts';

/** What is due of a kind and waits to be taken up. */
export interface BacklogOfKind {
  readonly kind: string;
  readonly dueRuns: number;
  readonly ageSeconds: number;
}

export interface BacklogDeps {
  /** Asks the database; settles within a time that a scrape can wait for. */
  readonly read: () => Promise<readonly BacklogOfKind[]>;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
  /** How old an answer may be that is given again, in milliseconds; 10 s unless said. */
  readonly maxAgeMs?: number;
}

const MAX_AGE_MS = 10_000;

/**
 * Shows the backlog, the numbers that workers are scaled by. Whoever reads the metrics, and however often, the
 * database is asked once in `maxAgeMs` at most. While it does not answer there is no value: an old one would
 * tell that all is well.
 */
export function measureBacklog(
  metrics: Metrics,
  { read, monotonicMs, maxAgeMs = MAX_AGE_MS }: BacklogDeps,
): void {
  let last: { readonly at: number; readonly answer: Promise<readonly BacklogOfKind[]> } | undefined;

  function readAgainWhenOld(): Promise<readonly BacklogOfKind[]> {
    if (last === undefined || monotonicMs() - last.at >= maxAgeMs) {
      last = { at: monotonicMs(), answer: read().catch(() => []) };
    }
    return last.answer;
  }

  const show = (figureOf: (backlog: BacklogOfKind) => number) => async (gauge: Gauge<'kind'>) => {
    const backlogs = await readAgainWhenOld();
    gauge.reset();
    for (const backlog of backlogs) gauge.set({ kind: backlog.kind }, figureOf(backlog));
  };
  metrics.gauge(
    'postrider_backlog_due_runs',
    'Runs that are due and wait to be taken up, counted up to 10,000; of the whole service.',
    ['kind'],
    show(({ dueRuns }) => dueRuns),
  );
  metrics.gauge(
    'postrider_backlog_age_seconds',
    'Since the oldest run that waits fell due; of the whole service.',
    ['kind'],
    show(({ ageSeconds }) => ageSeconds),
  );
}
