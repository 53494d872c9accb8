import { countPaused, type UnboundDatabase } from '@postrider/db';
import { withDeadline } from '@postrider/domain';
import type { Metrics } from '@postrider/telemetry';

/** Well below the 10 s that Prometheus waits for a scrape. */
const DEADLINE_MS = 2_000;

/**
 * Exports the number of paused channels and of their held runs. There is no value while the database does not
 * respond.
 */
export function measurePaused(metrics: Metrics, db: UnboundDatabase): void {
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
}
