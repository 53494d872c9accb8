import { countLimitedRuns, countPaused, inShare, type UnboundDatabase, withShare } from '@postrider/db';
import { withDeadline } from '@postrider/domain';
import type { Metrics } from '@postrider/telemetry';

/** Well below the 10 s that Prometheus waits for a scrape. */
const DEADLINE_MS = 2_000;
const MAX_COUNTED = 10_000;

/**
 * Exports the number of paused channels, of their held runs, and of runs that wait for channel limits. There is no
 * value while the database does not respond.
 */
export function measureWaiting(metrics: Metrics, db: UnboundDatabase): void {
  let paused: ReturnType<typeof countPaused> | undefined;
  // A scrape collects all gauges at once, so the two gauges of paused channels share one query.
  const readPaused = () => {
    paused ??= inShare('housekeep', () =>
      withDeadline(countPaused(db), DEADLINE_MS, 'counting paused channels'),
    ).finally(() => {
      paused = undefined;
    });
    return paused;
  };
  const show = (name: string, help: string, read: () => Promise<number>) =>
    metrics.gauge(name, help, [], async (gauge) => {
      const value = await read().catch(() => null);
      gauge.reset();
      if (value !== null) gauge.set(value);
    });
  show(
    'postrider_channels_paused',
    'Paused channels of the whole service.',
    async () => (await readPaused()).channels,
  );
  show(
    'postrider_runs_held',
    'Runs of the whole service that wait for a paused channel, counted up to 10,000.',
    async () => (await readPaused()).runs,
  );
  show(
    'postrider_runs_limited',
    'Due runs of the whole service that wait for the limits of their channel, counted up to 10,000.',
    withShare('housekeep', () =>
      withDeadline(countLimitedRuns(db, MAX_COUNTED), DEADLINE_MS, 'counting limited runs'),
    ),
  );
}
