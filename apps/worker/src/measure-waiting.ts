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
  const read = () => withDeadline(countPaused(db), DEADLINE_MS, 'counting paused channels').catch(() => null);
  metrics.gauge(
    'postrider_channels_paused',
    'Channels whose runs wait; of the whole service.',
    [],
    async (gauge) => {
      const counts = await read();
      gauge.reset();
      if (counts) gauge.set(counts.channels);
    },
  );
  metrics.gauge(
    'postrider_runs_held',
    'Runs that wait for a paused channel, counted up to 10,000; of the whole service.',
    [],
    async (gauge) => {
      const counts = await read();
      gauge.reset();
      if (counts) gauge.set(counts.runs);
    },
  );
  metrics.gauge(
    'postrider_runs_limited',
    'Runs that are due and wait for the limits of their channel, counted up to 10,000; of the whole service.',
    [],
    async (gauge) => {
      const counting = withDeadline(countLimitedRuns(db, MAX_COUNTED), DEADLINE_MS, 'counting limited runs');
      const runs = await counting.catch(() => null);
      gauge.reset();
      if (runs !== null) gauge.set(runs);
    },
  );
}
