import { goal, interleave, type Row, row, type Values } from '../report.ts';
import { CHANNELS_PER_CONSUMER } from '../stack/fill-consumers.ts';
import { type Installation, openInstallation } from '../stack/installation.ts';
import { memoryOf, processorSeconds } from '../usage.ts';
import { closedLoop, deliverEvents, perSecond, smallEventsTo } from './loads.ts';
import type { Findings, Measure, MeasureDeps } from './measure.ts';
import { openRunLedger } from './run-ledger.ts';

const CONSUMERS = 100_000;
const CONNECTIONS = 64;
const EVENTS = { least: 3_000, most: 30_000 };
const ROUNDS = 5;
/** The goals: the rates keep 90 %, and a process needs at most this much more memory. */
const MIN_PART = 0.9;
const MAX_MORE_MEBIBYTES = 50;
const MEBI = 1_048_576;

/** The resident memory of the API, and of the worker if it runs. */
async function memoryIn({ apis, workers }: Installation): Promise<Values> {
  const [api, worker] = [apis[0], workers[0]];
  const mebibytes = async (pid: number) => (await memoryOf(pid)).now / MEBI;
  return {
    ...(api && { api: await mebibytes(api.pid) }),
    ...(worker && { worker: await mebibytes(worker.pid) }),
  };
}

/** Runs a load of a round, and returns its rate with the processor time of an event, in microseconds. */
async function withProcessorTime(
  { bench }: MeasureDeps,
  { apis, workers }: Installation,
  load: () => Promise<{ readonly perSecond: number; readonly events: number }>,
): Promise<Values> {
  const pids = { api: apis[0]?.pid, worker: workers[0]?.pid, ...bench.pids };
  const running = Object.entries(pids).flatMap(([name, pid]) => (pid === undefined ? [] : [{ name, pid }]));
  const read = () => processorSeconds(running.map(({ pid }) => pid));
  const before = await read();
  const { perSecond, events } = await load();
  const after = await read();
  const used = running.map(({ name }, index) => [
    `${name}_us`,
    (((after[index] ?? 0) - (before[index] ?? 0)) * 1e6) / events,
  ]);
  return { per_second: perSecond, ...Object.fromEntries(used) };
}

async function measure(deps: MeasureDeps, plain: Installation, many: Installation): Promise<Findings> {
  const { bench, extent, say } = deps;
  const both = [plain, many] as const;
  const rounds = Math.max(ROUNDS, extent.rounds);
  const events = extent.amount(EVENTS.least, EVENTS.most);
  const problems: string[] = [];
  const floorOf = (results: readonly Values[] = []) => ({
    what: 'one channel of the environment',
    rounds: results,
  });
  const compare = (what: string, [floor, subject]: readonly Values[][]) =>
    row({ what, unit: '/s', rounds: subject ?? [], floor: floorOf(floor) });

  say(`consumers: ${events} webhooks a round`);
  const deliver = (installation: Installation) => () =>
    withProcessorTime(deps, installation, async () => {
      const run = await deliverEvents(bench, installation, { events });
      problems.push(...run.problems);
      return { perSecond: run.perSecond, events };
    });
  const delivery = compare('delivered', await interleave(rounds, both.map(deliver)));
  const memory = await Promise.all(both.map(memoryIn));

  say('consumers: acceptance');
  await Promise.all(both.map((installation) => installation.stopWorkers()));
  const accept = (installation: Installation) => () =>
    withProcessorTime(deps, installation, async () => {
      const ledger = await openRunLedger(bench, installation, { delivered: false });
      const where = smallEventsTo(installation, installation.tenants);
      const result = await closedLoop(deps, where, { connections: CONNECTIONS })();
      ledger.add(result);
      problems.push(...(await ledger.problems()));
      return { perSecond: perSecond(result), events: result.sent };
    });
  const acceptance = compare(
    `accepted, ${CONNECTIONS} connections`,
    await interleave(rounds, both.map(accept)),
  );

  const more = (name: string) => (memory[1]?.[name] ?? Number.NaN) - (memory[0]?.[name] ?? Number.NaN);
  const part = (what: string, { ratios }: Row) =>
    goal(`${what} for consumers, to one channel`, ratios?.per_second ?? Number.NaN, { atLeast: MIN_PART });
  return {
    name: 'consumers',
    title: `${CONSUMERS.toLocaleString('en-GB')} consumers with ${CHANNELS_PER_CONSUMER} channels each`,
    rows: [
      acceptance,
      delivery,
      row({
        what: 'memory after the deliveries',
        unit: 'MiB',
        rounds: memory.slice(1),
        floor: floorOf(memory.slice(0, 1)),
      }),
    ],
    goals: [
      part('acceptance', acceptance),
      part('delivery', delivery),
      ...['api', 'worker'].map((name) =>
        goal(`more memory of the ${name} with consumers, MiB`, more(name), { atMost: MAX_MORE_MEBIBYTES }),
      ),
    ],
    problems,
    notes: [
      'Each event makes one run, and is of another consumer than those before: no cache helps. Processor time is that of an ' +
        'event, in microseconds.',
    ],
  };
}

/** What consumers cost, compared with one channel of the environment. */
export const consumers: Measure = {
  name: 'consumers',
  async run(deps) {
    const plain = await openInstallation(deps.bench, { sender: deps.sender });
    deps.say(`consumers: creates ${CONSUMERS} with their channels`);
    const many = await openInstallation(deps.bench, { sender: deps.sender, consumers: CONSUMERS }).catch(
      async (error) => {
        await plain.close();
        throw error;
      },
    );
    try {
      return await measure(deps, plain, many);
    } finally {
      await plain.close();
      await many.close();
    }
  },
};
