import { EMAIL_EVENT_KEY } from '../load/event-body.ts';
import type { LoadResult } from '../load/tally.ts';
import { goal, type MeasureReport, type Row, row } from '../report/report.ts';
import { interleave, type Values } from '../report/rounds.ts';
import { type Installation, openInstallation } from '../stack/installation.ts';
import { databaseTime } from '../stack/stored.ts';
import { type DeliveryFloors, openDeliveryFloors } from './floors.ts';
import { SMALL_EVENT, smallEventsTo } from './loads.ts';
import type { Measure, MeasureDeps } from './measure.ts';
import { openRunLedger, untilArrived, untilWritten } from './run-ledger.ts';

const CONNECTIONS = 64;
/** Deliveries of a round. */
const EVENTS = { least: 4_000, most: 40_000 };
const EMAILS = { least: 1_500, most: 15_000 };

type Kind = 'webhook' | 'email';

interface Round {
  readonly values: Values;
  readonly faults: readonly string[];
}

/** Events from the first request to the last arrival, a second. */
async function deliver(
  { bench }: MeasureDeps,
  installation: Installation,
  kind: Kind,
  events: number,
): Promise<Round> {
  const { databaseUrl } = installation;
  const firstReference = bench.takeReferences(events);
  await bench.receivers.ask('expect', { firstReference, events });
  const ledger = await openRunLedger(bench, installation, { delivered: true });
  const since = await databaseTime(databaseUrl);
  const where = smallEventsTo(installation, installation.tenants);
  const event = { ...SMALL_EVENT, eventKey: kind === 'email' ? EMAIL_EVENT_KEY : SMALL_EVENT.eventKey };
  const load: LoadResult = await bench.load.ask('closed', {
    ...where,
    event,
    firstReference,
    connections: CONNECTIONS,
    events,
  });
  ledger.add(load);
  await untilArrived(bench, events);
  const { lastAtMs, distinct } = await bench.receivers.ask('count', null);
  await untilWritten(installation, since);
  return {
    values: { per_second: distinct / ((lastAtMs - load.beganAtMs) / 1_000) },
    faults: await ledger.faults(),
  };
}

const floorRound = async (perSecond: Promise<number>): Promise<Round> => ({
  values: { per_second: await perSecond },
  faults: [],
});

const valuesOf = (rounds: readonly Round[] = []) => rounds.map(({ values }) => values);

/** Of each round, the slower of two floors. */
function slower(one: readonly Round[], other: readonly Round[]): Values[] {
  return one.map(({ values }, round) => ({
    per_second: Math.min(values.per_second ?? 0, other[round]?.values.per_second ?? 0),
  }));
}

async function measureWebhooks(
  deps: MeasureDeps,
  installation: Installation,
  floors: DeliveryFloors,
): Promise<{ rows: Row[]; ratio: number; faults: string[] }> {
  const { extent, sender, say } = deps;
  const events = extent.amount(EVENTS.least, EVENTS.most);
  say(`delivery: ${events} webhooks a round`);
  const [jobs = [], posts = [], sends = []] = await interleave(extent.rounds, [
    () => floorRound(floors.bullmq(events)),
    () => floorRound(floors.posts(sender, events)),
    () => deliver(deps, installation, 'webhook', events),
  ]);
  const webhooks = row({
    what: 'webhooks, accept to receiver: delivered',
    unit: '/s',
    rounds: valuesOf(sends),
    floor: { what: 'the slower floor', rounds: slower(jobs, posts) },
  });
  return {
    rows: [
      row({ what: 'floor: BullMQ add and consume, empty jobs', unit: '/s', rounds: valuesOf(jobs) }),
      row({ what: `floor: ${sender} POSTs to the receiver`, unit: '/s', rounds: valuesOf(posts) }),
      webhooks,
    ],
    ratio: webhooks.ratios?.per_second ?? Number.NaN,
    faults: sends.flatMap(({ faults }) => faults),
  };
}

async function measure(
  deps: MeasureDeps,
  installation: Installation,
  floors: DeliveryFloors,
): Promise<MeasureReport> {
  const warmUp = await deliver(deps, installation, 'webhook', EVENTS.least);
  await floors.posts(deps.sender, EVENTS.least);
  const webhooks = await measureWebhooks(deps, installation, floors);
  const mails = deps.extent.amount(EMAILS.least, EMAILS.most);
  deps.say(`delivery: ${mails} e-mails a round`);
  const [sends = []] = await interleave(deps.extent.rounds, [
    () => deliver(deps, installation, 'email', mails),
  ]);
  return {
    name: 'delivery',
    title: `Delivery, end to end (${deps.sender})`,
    rows: [
      ...webhooks.rows,
      row({ what: 'e-mail, accept to receiver: delivered', unit: '/s', rounds: valuesOf(sends) }),
    ],
    goals: [
      goal('delivery end to end, webhook, to the slower of the BullMQ and got floors', webhooks.ratio, {
        atLeast: 0.5,
      }),
    ],
    faults: [...warmUp.faults, ...webhooks.faults, ...sends.flatMap(({ faults }) => faults)],
    notes: [
      'One API and one worker process: events a second from the first request to the last arrival, while the ' +
        `API accepts from ${CONNECTIONS} connections as fast as it can.`,
    ],
  };
}

/** Events from accept to receiver, against the parts of which the way consists. */
export const delivery: Measure = {
  name: 'delivery',
  async run(deps) {
    const installation = await openInstallation(deps.bench, { email: true });
    const floors = await openDeliveryFloors(deps.bench);
    try {
      return await measure(deps, installation, floors);
    } finally {
      await floors.close();
      await installation.close();
    }
  },
};
