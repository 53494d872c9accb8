import { goal, interleave, type Row, row, type Values } from '../report.ts';
import { type Installation, openInstallation } from '../stack/installation.ts';
import { type DeliveryFloors, openDeliveryFloors } from './floors.ts';
import { deliverEvents } from './loads.ts';
import type { Findings, Measure, MeasureDeps } from './measure.ts';

/** Deliveries per round. */
const EVENTS = { least: 4_000, most: 40_000 };
const EMAILS = { least: 1_500, most: 15_000 };

interface Context extends MeasureDeps {
  readonly installation: Installation;
  readonly floors: DeliveryFloors;
  /** Reasons why rounds are void; filled by them. */
  readonly problems: string[];
}

type Round = () => Promise<Values>;

const deliveryRound =
  ({ bench, installation, problems }: Context, kind: 'webhook' | 'email', events: number): Round =>
  async () => {
    const delivered = await deliverEvents(bench, installation, { kind, events });
    problems.push(...delivered.problems);
    return { per_second: delivered.perSecond };
  };

const floorRound =
  (measure: () => Promise<number>): Round =>
  async () => ({ per_second: await measure() });

/** The slower of two floors in each round. */
function slower(one: readonly Values[], other: readonly Values[]): Values[] {
  return one.map((values, round) => ({
    per_second: Math.min(values.per_second ?? 0, other[round]?.per_second ?? 0),
  }));
}

async function measureWebhooks(context: Context): Promise<Row[]> {
  const { extent, sender, floors, say } = context;
  const events = extent.amount(EVENTS.least, EVENTS.most);
  say(`delivery: ${events} webhooks a round`);
  const [jobs = [], posts = [], sends = []] = await interleave(extent.rounds, [
    floorRound(() => floors.bullmq(events)),
    floorRound(() => floors.posts(sender, events)),
    deliveryRound(context, 'webhook', events),
  ]);
  const floor = { what: `the slower of BullMQ and ${sender}`, rounds: slower(jobs, posts) };
  return [
    row({ what: 'webhook, accept to receiver: delivered', unit: '/s', rounds: sends, floor }),
    row({ what: 'floor: BullMQ add and consume, empty jobs', unit: '/s', rounds: jobs }),
    row({ what: `floor: ${sender} POSTs to the receiver`, unit: '/s', rounds: posts }),
  ];
}

async function measureMails(context: Context): Promise<Row[]> {
  const { extent, floors, say } = context;
  const mails = extent.amount(EMAILS.least, EMAILS.most);
  say(`delivery: ${mails} emails a round`);
  const [sent = [], sends = []] = await interleave(extent.rounds, [
    floorRound(() => floors.mails(mails)),
    deliveryRound(context, 'email', mails),
  ]);
  const floor = { what: 'nodemailer to the receiver', rounds: sent };
  return [row({ what: 'email, accept to receiver: delivered', unit: '/s', rounds: sends, floor })];
}

async function measure(context: Context): Promise<Findings> {
  const { sender, floors, problems } = context;
  await deliveryRound(context, 'webhook', EVENTS.least)();
  await floors.posts(sender, EVENTS.least);
  const webhooks = await measureWebhooks(context);
  const mails = await measureMails(context);
  const ratio = webhooks[0]?.ratios?.per_second ?? Number.NaN;
  return {
    name: 'delivery',
    title: `Delivery, end to end (${sender})`,
    rows: [...webhooks, ...mails],
    goals: [
      goal(`delivery end to end, webhook, to the slower of the BullMQ and ${sender} floors`, ratio, {
        atLeast: 0.5,
      }),
    ],
    problems,
    notes: [
      'One API and one worker process: events a second from the first request to the last arrival, while the ' +
        'API accepts from 64 connections as fast as it can.',
    ],
  };
}

/** The rate of events from acceptance to the receiver, compared with the parts of a delivery alone. */
export const delivery: Measure = {
  name: 'delivery',
  async run(deps) {
    const installation = await openInstallation(deps.bench, { email: true, sender: deps.sender });
    const floors = await openDeliveryFloors(deps.bench);
    try {
      return await measure({ ...deps, installation, floors, problems: [] });
    } finally {
      await floors.close();
      await installation.close();
    }
  },
};
