import { EMAIL_EVENT_KEY, EVENT_KEY } from '../load/event-body.ts';
import type { LoadResult } from '../load/tally.ts';
import type { ArrivalCount } from '../receivers.ts';
import type { Installation } from '../stack/installation.ts';
import type { LoadEnds } from '../stack/workbench.ts';
import { SMALL_EVENT, smallEventsTo } from './loads.ts';
import { openRunLedger, untilArrived, untilWritten } from './run-ledger.ts';

const CONNECTIONS = 64;

export const EVENT_KEYS = { webhook: EVENT_KEY, email: EMAIL_EVENT_KEY } as const;

export interface Delivered {
  readonly load: LoadResult;
  readonly arrivals: ArrivalCount;
  /** Events from the first request to the last arrival, a second. */
  readonly perSecond: number;
  /** Why it is void; nothing when all is accounted for. */
  readonly faults: readonly string[];
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
    faults: await ledger.faults(),
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
