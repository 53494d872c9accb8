import { EVENT_KEY, type EventShape } from '../load/event-body.ts';
import type { ClosedLoad, OpenLoad, Target } from '../load/loops.ts';
import type { LoadResult } from '../load/tally.ts';
import type { Values } from '../report.ts';
import type { Installation } from '../stack/installation.ts';
import type { LoadTenant } from '../stack/tenants.ts';
import type { MeasureDeps } from './measure.ts';

/** More events than any load of constant length sends. */
const PLENTY = 10_000_000;

/** An event of 0.3 KiB that is due at once. */
export const SMALL_EVENT: EventShape = { eventKey: EVENT_KEY, bytes: 307, schedule: null };

/** Where events are sent, for whom, and which. */
export type Where = Pick<Target, 'urls' | 'tokens' | 'event'>;

/** Small events to an installation, for some of its tenants. */
export function smallEventsTo({ apis }: Pick<Installation, 'apis'>, tenants: readonly LoadTenant[]): Where {
  return {
    urls: apis.map(({ url }) => `${url}/api/v1/events`),
    tokens: tenants.map(({ token }) => token),
    event: SMALL_EVENT,
  };
}

/** Prepares a closed loop of the extent's length. */
export const closedLoop =
  ({ bench, extent }: MeasureDeps, where: Where, load: Pick<ClosedLoad, 'connections'>) =>
  (): Promise<LoadResult> =>
    bench.load.ask('closed', {
      ...where,
      firstReference: bench.takeReferences(PLENTY),
      durationMs: extent.roundMs,
      warmUpMs: extent.warmUpMs,
      ...load,
    });

/** Prepares an open loop of the extent's length. */
export const openLoop =
  ({ bench, extent }: MeasureDeps, where: Where, load: Pick<OpenLoad, 'connections' | 'rate'>) =>
  (): Promise<LoadResult> =>
    bench.load.ask('open', {
      ...where,
      firstReference: bench.takeReferences(PLENTY),
      durationMs: extent.roundMs,
      warmUpMs: extent.warmUpMs,
      ...load,
    });

export const perSecond = ({ accepted, seconds }: LoadResult) => accepted / seconds;

export const rateOf = (result: LoadResult): Values => ({ per_second: perSecond(result) });

export function latenciesOf({ latencies: { p50, p95, p99, max } }: LoadResult): Values {
  return { p50, p95, p99, max };
}
