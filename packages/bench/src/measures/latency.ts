import { randomBytes } from 'node:crypto';
import { median } from '@postrider/rig';
import type { PipelineFloor } from '../floors/pipeline.ts';
import { startHelper } from '../helper.ts';
import { createArrivalSchedule } from '../load/loops.ts';
import { createLatencyRecorder, type LoadResult } from '../load/tally.ts';
import { type GoalResult, goal, interleave, type Row, row, type Values } from '../report.ts';
import { type Installation, openInstallation } from '../stack/installation.ts';
import type { Workbench } from '../stack/workbench.ts';
import { CONCURRENCY } from './floors.ts';
import { deliverEvents, delivered, smallEventsTo, type Where } from './loads.ts';
import type { Findings, Measure, MeasureDeps } from './measure.ts';
import { untilArrived } from './run-ledger.ts';

/** The measured rates, as shares of the peak rate. */
const PARTS = [0.1, 0.5, 0.8];
const GOAL_PART = 0.5;
const CONNECTIONS = 64;
/** How many events are sent to find the peak rate. */
const PEAK_EVENTS = 4_000;
const PEAK_ROUNDS = 3;
/** How long each rate is kept, in milliseconds. */
const DURATION = { least: 3_000, most: 30_000 };

interface Context extends MeasureDeps {
  readonly installation: Installation;
  readonly floor: Where;
  readonly problems: string[];
}

/** A round's latencies, from the client to the receiver. */
interface Round {
  readonly accepted: Values;
  readonly intended: Values;
}

function summaryOf(latencies: readonly number[]): Values {
  const recorder = createLatencyRecorder();
  for (const ms of latencies) if (!Number.isNaN(ms)) recorder.record(ms);
  const { p50, p95, p99, max } = recorder.summary();
  return { p50, p95, p99, max };
}

/** The time to the first byte at the receiver, from the answer and from the time when the event was due to be sent. */
async function roundOf(bench: Workbench, load: LoadResult, rate: number): Promise<Round> {
  const arrivedAtMs = await bench.receivers.ask('times', null);
  const intendedAtMs = (index: number) => load.beganAtMs + (index * 1_000) / rate;
  const arrivals = [...arrivedAtMs];
  return {
    accepted: summaryOf(arrivals.map((atMs, index) => atMs - (load.acceptedAtMs[index] ?? Number.NaN))),
    intended: summaryOf(arrivals.map((atMs, index) => atMs - intendedAtMs(index))),
  };
}

const sendAt = ({ bench, extent }: MeasureDeps, where: Where, rate: number, firstReference: number) =>
  bench.load.ask('open', {
    ...where,
    firstReference,
    connections: CONNECTIONS,
    rate,
    durationMs: extent.amount(DURATION.least, DURATION.most),
  });

const eventsAt = ({ extent }: MeasureDeps, rate: number) =>
  createArrivalSchedule(rate, extent.amount(DURATION.least, DURATION.most)).count;

async function serviceRound(context: Context, rate: number): Promise<Round> {
  const { bench, installation, problems } = context;
  const where = smallEventsTo(installation, installation.tenants);
  const run = await delivered(bench, installation, eventsAt(context, rate), (firstReference) =>
    sendAt(context, where, rate, firstReference),
  );
  problems.push(...run.problems);
  return roundOf(bench, run.load, rate);
}

async function floorRound(context: Context, rate: number): Promise<Round> {
  const { bench, floor } = context;
  const events = eventsAt(context, rate);
  const firstReference = bench.takeReferences(events);
  await bench.receivers.ask('expect', { firstReference, events });
  const load = await sendAt(context, floor, rate, firstReference);
  await untilArrived(bench, events);
  return roundOf(bench, load, rate);
}

async function measureAt(
  context: Context,
  part: number,
  peak: number,
): Promise<{ rows: Row[]; goals: GoalResult[] }> {
  const rate = part * peak;
  const at = `${Math.round(part * 100)} % of the peak (${Math.round(rate)}/s)`;
  context.say(`latency: ${at}`);
  const [floors = [], subjects = []] = await interleave(context.extent.rounds, [
    () => floorRound(context, rate),
    () => serviceRound(context, rate),
  ]);
  const rowOf = (what: string, side: keyof Round) =>
    row({
      what: `${at}: ${what} to first byte at the receiver`,
      unit: 'ms',
      rounds: subjects.map((round) => round[side]),
      floor: { what: 'Express, BullMQ and got alone', rounds: floors.map((round) => round[side]) },
    });
  const accepted = rowOf('accept', 'accepted');
  const p99 = accepted.values.p99 ?? Number.NaN;
  return {
    rows: [accepted, rowOf('intended sending', 'intended')],
    goals:
      part === GOAL_PART
        ? [goal('accept to first byte at 50 % of the peak, p99, ms', p99, { atMost: 250 })]
        : [],
  };
}

async function findPeak({ bench, installation, problems }: Context): Promise<number> {
  const [runs = []] = await interleave(PEAK_ROUNDS, [
    () => deliverEvents(bench, installation, { events: PEAK_EVENTS }),
  ]);
  problems.push(...runs.flatMap((run) => run.problems));
  return median(runs.map(({ perSecond }) => perSecond));
}

async function measure(context: Context): Promise<Findings> {
  const peak = await findPeak(context);
  const parts = [];
  for (const part of PARTS) parts.push(await measureAt(context, part, peak));
  return {
    name: 'latency',
    title: 'Latency, accept to first byte',
    rows: parts.flatMap(({ rows }) => rows),
    goals: parts.flatMap(({ goals }) => goals),
    problems: context.problems,
    notes: [
      `Constant arrival; the peak is ${Math.round(peak)} webhooks a second end to end. Accepted is when the ` +
        'client has the whole answer: a first byte that comes before counts as 0 ms.',
    ],
  };
}

/** How long an event takes to reach the receiver, at several shares of the peak rate. */
export const latency: Measure = {
  name: 'latency',
  async run(deps) {
    const { bench, sender } = deps;
    const queue = { redisUrl: bench.redisUrl, queue: `pipeline-${randomBytes(4).toString('hex')}` };
    const installation = await openInstallation(bench, { sender });
    const accepting = await startHelper<PipelineFloor>('floors/pipeline');
    const delivering = await startHelper<PipelineFloor>('floors/pipeline');
    try {
      const url = await accepting.ask('accept', queue);
      const { hookUrl } = bench.addresses;
      await delivering.ask('deliver', { ...queue, hookUrl, concurrency: CONCURRENCY });
      const floor = { ...smallEventsTo(installation, installation.tenants), urls: [url] };
      return await measure({ ...deps, installation, floor, problems: [] });
    } finally {
      await Promise.all([accepting.close(), delivering.close()]);
      await installation.close();
    }
  },
};
