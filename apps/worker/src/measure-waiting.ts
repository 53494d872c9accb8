import { countLimitedRuns, countPaused, type UnboundDatabase } from '@postrider/db';
import { withDeadline } from '@postrider/domain';
import type { Metrics } from '@postrider/telemetry';

/** Well below the 10 s that Prometheus waits for a scrape. */
const DEADLINE_MS = 2_000;
const MAX_COUNTED = 10_000;

/**
 * Exports the number of paused channels, of their held runs, and of the runs that wait for the limits of their channels. There
 * is no value while the database does not respond.
 */
export function measureWaiting(metrics: Metrics, db: UnboundDatabase): void {
  let paused: ReturnType<typeof countPaused> | undefined;
  // A scrape collects all gauges at once: both of the paused channels share one query.
  const readPaused = () => {
    paused ??= withDeadline(countPaused(db), DEADLINE_MS, 'counting paused channels').finally(() => {
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
    'Channels whose runs wait; of the whole service.',
    async () => (await readPaused()).channels,
  );
  show(
    'postrider_runs_held',
    'Runs that wait for a paused channel, counted up to 10,000; of the whole service.',
    async () => (await readPaused()).runs,
  );
  show(
    'postrider_runs_limited',
    'Runs that are due and wait for the limits of their channel, counted up to 10,000; of the whole service.',
    () => withDeadline(countLimitedRuns(db, MAX_COUNTED), DEADLINE_MS, 'counting limited runs'),
  );
}
