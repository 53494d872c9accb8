import type { Refused } from '@postrider/listener';
import type { Metrics } from './metrics.ts';

/**
 * Counts what the limits of a process's listeners refuse, by reason: clients only see closed connections.
 */
export function countRefusals(metrics: Pick<Metrics, 'counter'>): (reason: Refused) => void {
  const refusals = metrics.counter(
    'postrider_listener_refusals_total',
    'Connections closed or not accepted because of a limit, and requests refused before the application.',
    ['reason'],
  );
  return (reason) => refusals.inc({ reason });
}
