import { createEventBodies } from '../load/event-body.ts';
import { type GoalResult, goal, interleave, type Row, row, type Values } from '../report.ts';
import { fillWithMessages } from '../stack/fill.ts';
import { type Installation, openInstallation } from '../stack/installation.ts';
import { closedLoop, deliverEvents, rateOf, SMALL_EVENT, smallEventsTo } from './loads.ts';
import type { Findings, Measure, MeasureDeps } from './measure.ts';
import { openRunLedger } from './run-ledger.ts';

const CONNECTIONS = 64;
const EVENTS = { least: 3_000, most: 30_000 };
/** Messages that are stored before the load; in the small form as many as can be made in seconds. */
const STORED = [
  { least: 20_000, most: 1_000_000 },
  { least: 100_000, most: 5_000_000 },
] as const;
/** An environment's limit, less the channel that takes the event. */
const OTHER_CHANNELS = 99;
const CHANNEL_TENANTS = 10;

interface Grown {
  readonly what: string;
  readonly installation: Installation;
}

const withThousands = (count: number) => count.toLocaleString('en-GB');

async function openWith({ bench, sender, say }: MeasureDeps, messages: number): Promise<Grown> {
  say(`growth: fills a database with ${withThousands(messages)} messages`);
  const installation = await openInstallation(bench, { sender });
  const [tenant] = installation.tenants;
  const { payload } = JSON.parse(createEventBodies(SMALL_EVENT)(0));
  if (tenant) await fillWithMessages(installation.databaseUrl, tenant, messages, JSON.stringify(payload));
  return { what: `${withThousands(messages)} messages stored`, installation };
}

/** Adds installations one at a time, so that the caller can close those that are open if a later one fails. */
async function openAll(deps: MeasureDeps, opened: Grown[]): Promise<void> {
  const { bench, extent, sender } = deps;
  opened.push({ what: 'empty', installation: await openInstallation(bench, { sender }) });
  for (const { least, most } of STORED) opened.push(await openWith(deps, extent.amount(least, most)));
  const channels = { tenants: CHANNEL_TENANTS, otherWebhooks: OTHER_CHANNELS };
  opened.push({
    what: `${withThousands(CHANNEL_TENANTS * (OTHER_CHANNELS + 1))} channels`,
    installation: await openInstallation(bench, { sender, ...channels }),
  });
}

/** Measures all in turn, and compares each with the empty one. */
async function compare(
  { extent }: MeasureDeps,
  what: string,
  grown: readonly Grown[],
  measure: (installation: Installation) => Promise<Values>,
): Promise<Row[]> {
  const results = await interleave(
    extent.rounds,
    grown.map(
      ({ installation }) =>
        () =>
          measure(installation),
    ),
  );
  const floor = { what: 'empty', rounds: results[0] ?? [] };
  return grown.map((each, index) =>
    row({
      what: `${each.what}: ${what}`,
      unit: '/s',
      rounds: results[index] ?? [],
      ...(index > 0 ? { floor } : {}),
    }),
  );
}

async function deliver(deps: MeasureDeps, grown: readonly Grown[], problems: string[]): Promise<Row[]> {
  const events = deps.extent.amount(EVENTS.least, EVENTS.most);
  deps.say(`growth: ${events} webhooks a round`);
  return compare(deps, 'delivered', grown, async (installation) => {
    const run = await deliverEvents(deps.bench, installation, { events });
    problems.push(...run.problems);
    return { per_second: run.perSecond };
  });
}

async function accept(deps: MeasureDeps, grown: readonly Grown[], problems: string[]): Promise<Row[]> {
  deps.say('growth: acceptance');
  for (const { installation } of grown) await installation.stopWorkers();
  return compare(deps, 'accepted', grown, async (installation) => {
    const ledger = await openRunLedger(deps.bench, installation, { delivered: false });
    const where = smallEventsTo(installation, installation.tenants);
    const result = await closedLoop(deps, where, { connections: CONNECTIONS })();
    ledger.add(result);
    problems.push(...(await ledger.problems()));
    return rateOf(result);
  });
}

function goalsOf(accepted: readonly Row[]): GoalResult[] {
  const largest = accepted[STORED.length];
  return [
    goal(
      `acceptance with ${largest?.what.split(':')[0]} to an empty database`,
      largest?.ratios?.per_second ?? Number.NaN,
      {
        atLeast: 0.9,
      },
    ),
  ];
}

async function measure(deps: MeasureDeps, grown: readonly Grown[]): Promise<Findings> {
  const problems: string[] = [];
  const sent = await deliver(deps, grown, problems);
  const accepted = await accept(deps, grown, problems);
  return {
    name: 'growth',
    title: 'Growth',
    rows: [...accepted, ...sent],
    goals: goalsOf(accepted),
    problems,
    notes: [
      'Stored: delivered messages with their runs and attempts over 30 days, the answers of the last 24 hours. ' +
        'Each in a database of its own on one server with its default settings (shared_buffers 128 MB).',
    ],
  };
}

/** Acceptance and delivery with many stored messages, and with many channels. */
export const growth: Measure = {
  name: 'growth',
  async run(deps) {
    const grown: Grown[] = [];
    try {
      await openAll(deps, grown);
      return await measure(deps, grown);
    } finally {
      for (const { installation } of grown) await installation.close();
    }
  },
};
