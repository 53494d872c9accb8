import { randomBytes } from 'node:crypto';
import { monotonicMs } from '@postrider/rig';
import type { BullmqFloor } from '../floors/bullmq.ts';
import { type Helper, startHelper } from '../helper.ts';
import { createLatencyRecorder } from '../load/tally.ts';
import { goal, interleave, row, type Values } from '../report.ts';
import { type Installation, openInstallation } from '../stack/installation.ts';
import { CONCURRENCY } from './floors.ts';
import { delivered, smallEventsTo } from './loads.ts';
import type { Findings, Measure, MeasureDeps } from './measure.ts';

/** Runs that are scheduled for one second. */
const RUNS = { least: 3_000, most: 10_000 };
const SPREAD_MS = 1_000;
const CONNECTIONS = 64;
/** How far ahead they are scheduled, per run: longer than accepting all of them takes. */
const LEAD_MS_PER_RUN = 1;
const MIN_LEAD_MS = 5_000;

interface Context extends MeasureDeps {
  readonly installation: Installation;
  readonly producer: Helper<BullmqFloor>;
  readonly consumer: Helper<BullmqFloor>;
  readonly runs: number;
  readonly problems: string[];
}

function summaryOf(latenessMs: readonly number[]): Values {
  const recorder = createLatencyRecorder();
  for (const ms of latenessMs) recorder.record(ms);
  const { p50, p95, p99, max } = recorder.summary();
  return { p50, p95, p99, max };
}

const leadMs = (runs: number) => MIN_LEAD_MS + runs * LEAD_MS_PER_RUN;

/** Schedules all runs for one second and returns how late each first byte was, in milliseconds; negative is early. */
async function serviceLateness({ bench, installation, runs, problems }: Context): Promise<number[]> {
  const where = smallEventsTo(installation, installation.tenants);
  const dueAt = Date.now() + leadMs(runs);
  const monotonicDueMs = dueAt - Date.now() + monotonicMs();
  const schedule = { fromMs: dueAt, spreadMs: SPREAD_MS, events: runs };
  const run = await delivered(bench, installation, runs, (firstReference) =>
    bench.load.ask('closed', {
      ...where,
      event: { ...where.event, schedule: { ...schedule, firstReference } },
      firstReference,
      connections: CONNECTIONS,
      events: runs,
    }),
  );
  problems.push(...run.problems);
  const arrivals = [...(await bench.receivers.ask('times', null))];
  return arrivals.map((atMs, index) => atMs - monotonicDueMs - Math.floor((index * SPREAD_MS) / runs));
}

async function floorLateness({ bench, producer, consumer, runs }: Context): Promise<number[]> {
  const queue = { redisUrl: bench.redisUrl, queue: `floor-${randomBytes(4).toString('hex')}` };
  const taking = consumer.ask('consume', { ...queue, jobs: runs, concurrency: CONCURRENCY });
  await producer.ask('add', { ...queue, jobs: runs, delayMs: leadMs(runs), spreadMs: SPREAD_MS });
  return [...(await taking).latenessMs];
}

async function measure(context: Context): Promise<Findings> {
  const { runs, extent, say } = context;
  say(`scheduled: ${runs} runs for one second`);
  let early = 0;
  const [floors = [], subjects = []] = await interleave(Math.max(1, extent.rounds - 2), [
    async () => summaryOf(await floorLateness(context)),
    async () => {
      const latenessMs = await serviceLateness(context);
      early += latenessMs.filter((ms) => ms < 0).length;
      return summaryOf(latenessMs);
    },
  ]);
  const late = row({
    what: `${runs} runs due within one second: lateness at the receiver`,
    unit: 'ms',
    rounds: subjects,
    floor: { what: 'BullMQ, delayed empty jobs', rounds: floors },
  });
  return {
    name: 'scheduled',
    title: 'Scheduled runs',
    rows: [late],
    goals: [
      goal('lateness of scheduled runs, p99, ms', late.values.p99 ?? Number.NaN, { atMost: 500 }),
      goal('scheduled runs that came early', early, { atMost: 0 }),
    ],
    problems: context.problems,
    notes: ['Evenly over the second; from the scheduled time to the first byte at the receiver.'],
  };
}

/** How late runs are when many are scheduled for one second. */
export const scheduled: Measure = {
  name: 'scheduled',
  async run(deps) {
    const installation = await openInstallation(deps.bench, { sender: deps.sender });
    const producer = await startHelper<BullmqFloor>('floors/bullmq');
    const consumer = await startHelper<BullmqFloor>('floors/bullmq');
    try {
      const runs = deps.extent.amount(RUNS.least, RUNS.most);
      return await measure({ ...deps, installation, producer, consumer, runs, problems: [] });
    } finally {
      await Promise.all([producer.close(), consumer.close()]);
      await installation.close();
    }
  },
};
