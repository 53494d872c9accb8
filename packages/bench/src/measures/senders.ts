import { interleave, row } from '../report.ts';
import { type Installation, openInstallation } from '../stack/installation.ts';
import { SENDERS, type Sender } from '../stack/services.ts';
import { type DeliveryFloors, openDeliveryFloors } from './floors.ts';
import { deliverEvents } from './loads.ts';
import type { Findings, Measure, MeasureDeps } from './measure.ts';

const EVENTS = { least: 4_000, most: 40_000 };

interface WithSender {
  readonly sender: Sender;
  readonly installation: Installation;
}

async function measure(
  { bench, extent, say }: MeasureDeps,
  opened: readonly WithSender[],
  floors: DeliveryFloors,
): Promise<Findings> {
  const events = extent.amount(EVENTS.least, EVENTS.most);
  const problems: string[] = [];
  say(`senders: ${events} webhooks a round`);
  const deliver = (installation: Installation) => async () => {
    const run = await deliverEvents(bench, installation, { events });
    problems.push(...run.problems);
    return { per_second: run.perSecond };
  };
  const post = (sender: Sender) => async () => ({ per_second: await floors.posts(sender, events) });
  const results = await interleave(
    extent.rounds,
    opened.flatMap(({ sender, installation }) => [post(sender), deliver(installation)]),
  );
  const rows = opened.map(({ sender }, index) =>
    row({
      what: `${sender}: webhooks delivered, accept to receiver`,
      unit: '/s',
      rounds: results[index * 2 + 1] ?? [],
      floor: { what: `${sender} POSTs alone`, rounds: results[index * 2] ?? [] },
    }),
  );
  const deliveries = new Map(opened.map(({ sender }, index) => [sender, results[index * 2 + 1] ?? []]));
  const got = { what: 'the same with got', rounds: deliveries.get('got') ?? [] };
  const toGot = SENDERS.filter((sender) => sender !== 'got').map((sender) =>
    row({ what: `${sender} to got`, unit: '/s', rounds: deliveries.get(sender) ?? [], floor: got }),
  );
  return {
    name: 'senders',
    title: 'HTTP clients of the worker',
    rows: [...rows, ...toGot],
    goals: [],
    problems,
    notes: ["Installations that differ in the sender behind the worker's port, in turn."],
  };
}

/** The same delivery with each HTTP client that the worker can use. */
export const senders: Measure = {
  name: 'senders',
  async run(deps) {
    const opened: WithSender[] = [];
    const floors = await openDeliveryFloors(deps.bench);
    try {
      for (const sender of SENDERS) {
        opened.push({ sender, installation: await openInstallation(deps.bench, { sender }) });
      }
      return await measure(deps, opened, floors);
    } finally {
      for (const { installation } of opened) await installation.close();
      await floors.close();
    }
  },
};
