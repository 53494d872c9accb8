import { EMAIL_EVENT_KEY, EVENT_KEY, type EventShape } from '../load/event-body.ts';
import type { ClosedLoad, OpenLoad, Target } from '../load/loops.ts';
import type { LoadResult } from '../load/tally.ts';
import type { ArrivalCount } from '../receivers.ts';
import type { Values } from '../report.ts';
import type { Installation } from '../stack/installation.ts';
import type { LoadTenant } from '../stack/tenants.ts';
import type { LoadEnds } from '../stack/workbench.ts';
import type { MeasureDeps } from './measure.ts';
import { openRunLedger, untilArrived, untilWritten } from './run-ledger.ts';

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

const CONNECTIONS = 64;

export const EVENT_KEYS = { webhook: EVENT_KEY, email: EMAIL_EVENT_KEY } as const;

export interface Delivered {
  readonly load: LoadResult;
  readonly arrivals: ArrivalCount;
  /** Events from the first request to the last arrival, a second. */
  readonly perSecond: number;
  /** Why it is void; nothing when all is accounted for. */
  readonly problems: readonly string[];
}

export interface Deliveries {
  readonly events: number;
  readonly kind?: keyof typeof EVENT_KEYS;
  readonly connections?: number;
}

/** Sends a load, whose events the receivers expect, and waits until all of it is delivered and written. */
export async function delivered(
  bench: LoadEnds,
  installation: Installation,
  events: number,
  send: (firstReference: number) => Promise<LoadResult>,
): Promise<Delivered> {
  const firstReference = bench.takeReferences(events);
  await bench.receivers.ask('expect', { firstReference, events });
  const ledger = await openRunLedger(bench, installation, { delivered: true });
  const load = await send(firstReference);
  ledger.add(load);
  await untilArrived(bench, events - load.unanswered);
  const arrivals = await bench.receivers.ask('count', null);
  await untilWritten(installation);
  return {
    load,
    arrivals,
    perSecond: arrivals.distinct / ((arrivals.lastAtMs - load.beganAtMs) / 1_000),
    problems: await ledger.problems(),
  };
}

/** Sends so many events as fast as they are accepted, and waits for all of them. */
export function deliverEvents(
  bench: LoadEnds,
  installation: Installation,
  { events, kind = 'webhook', connections = CONNECTIONS }: Deliveries,
): Promise<Delivered> {
  const where = smallEventsTo(installation, installation.tenants);
  const event = { ...SMALL_EVENT, eventKey: EVENT_KEYS[kind] };
  return delivered(bench, installation, events, (firstReference) =>
    bench.load.ask('closed', { ...where, event, firstReference, connections, events }),
  );
}
