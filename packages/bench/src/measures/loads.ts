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

/** Which events are sent, where, and with which tokens. */
export type Where = Pick<Target, 'urls' | 'tokens' | 'event'>;

/** Small events to an installation, for the given tenants. */
export function smallEventsTo(
  { apis, consumers }: Pick<Installation, 'apis' | 'consumers'>,
  tenants: readonly LoadTenant[],
): Where {
  return {
    urls: apis.map(({ url }) => `${url}/api/v1/events`),
    tokens: tenants.map(({ token }) => token),
    event: consumers > 0 ? { ...SMALL_EVENT, consumers } : SMALL_EVENT,
  };
}

/** Prepares a closed loop that lasts as long as the extent says. */
export const closedLoop =
  ({ bench, extent }: MeasureDeps, where: Where, load: Pick<ClosedLoad, 'connections' | 'batch'>) =>
  (): Promise<LoadResult> =>
    bench.load.ask('closed', {
      ...where,
      firstReference: bench.takeReferences(PLENTY),
      durationMs: extent.roundMs,
      warmUpMs: extent.warmUpMs,
      ...load,
    });

/** Prepares an open loop that lasts as long as the extent says. */
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

const EVENT_KEYS = { webhook: EVENT_KEY, email: EMAIL_EVENT_KEY } as const;

export interface Delivered {
  readonly load: LoadResult;
  readonly arrivals: ArrivalCount;
  /** Events per second, from the first request to the last arrival. */
  readonly perSecond: number;
  /** Reasons why it is void; empty if everything is accounted for. */
  readonly problems: readonly string[];
}

export interface Deliveries {
  readonly events: number;
  readonly kind?: keyof typeof EVENT_KEYS;
  readonly connections?: number;
}

/** Sends a load of events that the receivers expect, and waits until all are delivered and their results are stored. */
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

/** Prepares to send `events` events as fast as they are accepted, and to wait for all of them. */
export function deliverEvents(
  bench: LoadEnds,
  installation: Installation,
  { events, kind = 'webhook', connections = CONNECTIONS }: Deliveries,
): Promise<Delivered> {
  const where = smallEventsTo(installation, installation.tenants);
  const event = { ...where.event, eventKey: EVENT_KEYS[kind] };
  return delivered(bench, installation, events, (firstReference) =>
    bench.load.ask('closed', { ...where, event, firstReference, connections, events }),
  );
}
