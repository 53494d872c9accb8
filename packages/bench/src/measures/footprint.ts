import { setTimeout as wait } from 'node:timers/promises';
import { goal, type Row, row } from '../report.ts';
import { databaseBytes, redisBytes, redisConnections } from '../stack/databases.ts';
import { type Installation, openInstallation } from '../stack/installation.ts';
import { memoryOf } from '../usage.ts';
import { deliverEvents, SMALL_EVENT, smallEventsTo } from './loads.ts';
import type { Findings, Measure, MeasureDeps } from './measure.ts';
import { openRunLedger } from './run-ledger.ts';

const CONNECTIONS = 256;
const EVENTS = { least: 5_000, most: 100_000 };
const FAR_EVENTS = { least: 1_000, most: 10_000 };
/** Too far ahead for a job in Redis, and within what may be scheduled. */
const FAR_MS = 20 * 24 * 3_600_000;
/** The pause between the load and the second reading of memory: garbage collectors have run by then. */
const REST_MS = 5_000;
const SAMPLE_MS = 100;
const MEBI = 1_048_576;

/** The name of the line for the open connections of each process. */
export const REDIS_CONNECTIONS = 'connections to Redis of each process';
/** The name of the line for messages that wait for a worker. */
export const QUEUED = 'for each message, queued';

type Pids = Readonly<Record<string, number>>;

const residents = async (pids: Pids): Promise<Record<string, number>> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(pids).map(async ([name, pid]) => [name, (await memoryOf(pid)).now / MEBI] as const),
    ),
  );

/** Polls the memory during the work, and returns the peak of each process. */
async function peakDuring(pids: Pids, work: () => Promise<void>): Promise<Record<string, number>> {
  const peaks: Record<string, number> = {};
  let done = false;
  async function sample(): Promise<void> {
    while (!done) {
      for (const [name, mebibytes] of Object.entries(await residents(pids))) {
        peaks[name] = Math.max(peaks[name] ?? 0, mebibytes);
      }
      await wait(SAMPLE_MS);
    }
  }
  const sampling = sample();
  await work().finally(() => {
    done = true;
  });
  await sampling;
  return peaks;
}

interface Context extends MeasureDeps {
  readonly installation: Installation;
  readonly events: number;
  readonly problems: string[];
}

async function measureMemory(context: Context): Promise<Row[]> {
  const { bench, installation, events, problems } = context;
  const pids = {
    api: installation.apis[0]?.pid ?? 0,
    worker: installation.workers[0]?.pid ?? 0,
    redis: bench.pids.redis,
  };
  const start = await residents(pids);
  const peak = await peakDuring(pids, async () => {
    const run = await deliverEvents(bench, installation, { events, connections: CONNECTIONS });
    problems.push(...run.problems);
  });
  await wait(REST_MS);
  const after = await residents(pids);
  return Object.keys(pids).map((name) =>
    row({
      what: `memory of ${name}, ${events} events over ${CONNECTIONS} connections`,
      unit: 'MiB',
      rounds: [{ start: start[name] ?? 0, peak: peak[name] ?? 0, after: after[name] ?? 0 }],
    }),
  );
}

interface Sizes {
  readonly database: number;
  readonly redis: number;
}

/** The bytes per event that the work has added to both stores. */
async function growthOf(
  { installation: { databaseUrl, redisUrl } }: Context,
  events: number,
  work: () => Promise<void>,
): Promise<Sizes> {
  const before = { database: await databaseBytes(databaseUrl), redis: await redisBytes(redisUrl) };
  await work();
  return {
    database: ((await databaseBytes(databaseUrl)) - before.database) / events,
    redis: ((await redisBytes(redisUrl)) - before.redis) / events,
  };
}

/** Sends events that are not delivered yet. */
async function acceptOnly(
  { bench, problems, installation }: Context,
  events: number,
  dueAtMs: number | null,
): Promise<void> {
  const ledger = await openRunLedger(bench, installation, { delivered: false });
  const where = smallEventsTo(installation, installation.tenants);
  const firstReference = bench.takeReferences(events);
  const schedule = dueAtMs === null ? null : { fromMs: dueAtMs, spreadMs: 0, firstReference, events };
  const event = { ...SMALL_EVENT, schedule };
  const load = { ...where, event, firstReference, connections: CONNECTIONS, events };
  ledger.add(await bench.load.ask('closed', load));
  problems.push(...(await ledger.problems()));
}

const sizeRow = (what: string, { database, redis }: Sizes): Row =>
  row({ what, unit: 'bytes', rounds: [{ Postgres: Math.round(database), Redis: Math.round(redis) }] });

async function measure(context: Context): Promise<Findings> {
  const { bench, extent, installation, events, problems, say } = context;
  say(`footprint: ${events} events`);
  const memory = await measureMemory(context);
  const done = await growthOf(context, events, async () => {
    const run = await deliverEvents(bench, installation, { events });
    problems.push(...run.problems);
  });
  const farEvents = extent.amount(FAR_EVENTS.least, FAR_EVENTS.most);
  const far = await growthOf(context, farEvents, () => acceptOnly(context, farEvents, Date.now() + FAR_MS));
  const both = await redisConnections(installation.redisUrl);
  await installation.stopWorkers();
  const ofApi = await redisConnections(installation.redisUrl);
  const queued = await growthOf(context, events, () => acceptOnly(context, events, null));
  return {
    name: 'footprint',
    title: 'Memory and bytes',
    rows: [
      ...memory,
      sizeRow(QUEUED, queued),
      sizeRow('for each message, delivered', done),
      sizeRow('for each message, scheduled 20 days ahead', far),
      row({ what: REDIS_CONNECTIONS, unit: '', rounds: [{ api: ofApi, worker: both - ofApi }] }),
    ],
    goals: [goal('Redis bytes for each far-future scheduled run', Math.round(far.redis), { atMost: 0 })],
    problems,
    notes: [
      'Events of 0.3 KiB. Postgres: growth of the whole database with its indexes, before any vacuum. Redis: ' +
        'its own count of all keys (MEMORY USAGE).',
    ],
  };
}

/** The memory that the service uses, and the bytes that an event leaves in the stores. */
export const footprint: Measure = {
  name: 'footprint',
  async run(deps) {
    const installation = await openInstallation(deps.bench, { sender: deps.sender });
    try {
      const events = deps.extent.amount(EVENTS.least, EVENTS.most);
      return await measure({ ...deps, installation, events, problems: [] });
    } finally {
      await installation.close();
    }
  },
};
