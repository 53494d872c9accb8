import {
  acrossEnvironments,
  createIngest,
  inTransaction,
  openDatabase,
  switchChannel,
  type UnboundDatabase,
} from '@postrider/db';
import { actorNamed, testEvent } from '@postrider/db/testing';
import { createUuidV7Source } from '@postrider/domain';
import { createArrivalSchedule } from '../load/loops.ts';
import { createLatencyRecorder, type LoadResult } from '../load/tally.ts';
import { UNCOUNTED } from '../receivers.ts';
import { interleave, row, type Values } from '../report.ts';
import { type Installation, openInstallation } from '../stack/installation.ts';
import type { LoadTenant } from '../stack/tenants.ts';
import { smallEventsTo } from './loads.ts';
import type { Findings, Measure, MeasureDeps } from './measure.ts';
import { untilArrived } from './run-ledger.ts';

/** Channels beside the drained one, each of its own tenant. */
const OTHERS = 40;
const CONNECTIONS = 16;
/** Events a second to all of them together: far below what one worker delivers. */
const RATE = 20;
/** Held runs released per second once the release has reached its full rate. */
const RELEASE_RATE = 50;

interface Context extends MeasureDeps {
  readonly installation: Installation;
  readonly db: UnboundDatabase;
  readonly drained: LoadTenant;
  /** How many held runs were sent during each round's load. */
  readonly released: number[];
}

const newId = createUuidV7Source();

/** Pauses the channel, lets `runs` runs wait for it, and resumes it at the full release rate. */
async function beginDrain({ db, drained }: Context, runs: number): Promise<void> {
  const { channelId } = drained;
  const deps = { db, newId, actor: actorNamed('bench') };
  await switchChannel(deps, { channelId, to: 'paused' });
  const ingest = createIngest(db);
  const run = {
    channel: { id: channelId, kind: 'webhook' as const, name: 'hook 0' },
    templateVersionId: null,
    maxAttempts: 5,
    isHeld: true,
  };
  await Promise.all(Array.from({ length: runs }, () => ingest(testEvent(drained, { runs: [run] }))));
  await switchChannel(deps, { channelId, to: 'resumed' });
  await inTransaction({ db }, async (tx) => {
    await tx.$executeRaw`
      UPDATE channel_health SET release_rate = ${RELEASE_RATE}::float8 WHERE channel_id = ${channelId}::uuid`;
  });
}

const heldRuns = ({ db, drained: { channelId } }: Context) =>
  db.deliveryRun.count({ where: { channelId, held: 'paused', completedAt: null } });

/** Percentiles of a round's latency in milliseconds, from the response to the first byte at the receiver. */
async function latencies({ bench }: Context, load: LoadResult): Promise<Values> {
  const recorder = createLatencyRecorder();
  for (const [index, atMs] of (await bench.receivers.ask('times', null)).entries()) {
    const ms = atMs - (load.acceptedAtMs[index] ?? Number.NaN);
    if (!Number.isNaN(ms)) recorder.record(Math.max(0, ms));
  }
  const { p50, p95, p99, max } = recorder.summary();
  return { p50, p95, p99, max };
}

async function roundOf(context: Context, isDraining: boolean): Promise<Values> {
  const { bench, extent, installation, drained, released } = context;
  const events = createArrivalSchedule(RATE, extent.roundMs).count;
  const heldAtMost = Math.ceil((2 * RELEASE_RATE * extent.roundMs) / 1_000);
  if (isDraining) await beginDrain(context, heldAtMost);
  const firstReference = bench.takeReferences(events);
  await bench.receivers.ask('expect', { firstReference, events });
  const others = installation.tenants.filter((tenant) => tenant !== drained);
  const load = await bench.load.ask('open', {
    ...smallEventsTo(installation, others),
    ...{ firstReference, connections: CONNECTIONS, rate: RATE, durationMs: extent.roundMs },
  });
  if (isDraining) released.push(heldAtMost - (await heldRuns(context)));
  await untilArrived(bench, events - load.unanswered);
  const values = await latencies(context, load);
  // So that the next round begins without a backlog.
  const { channelId } = drained;
  await context.db.deliveryRun.deleteMany({ where: { channelId } });
  return values;
}

async function measure(context: Context): Promise<Findings> {
  context.say(`drain: ${OTHERS} channels beside one that is drained`);
  const [floor = [], subject = []] = await interleave(context.extent.rounds, [
    () => roundOf(context, false),
    () => roundOf(context, true),
  ]);
  return {
    name: 'drain',
    title: 'Latency beside a channel that is drained',
    rows: [
      row({
        what: `${OTHERS} other channels, ${RATE} events/s: accept to first byte`,
        unit: 'ms',
        rounds: subject,
        floor: { what: 'the same while nothing is drained', rounds: floor },
      }),
    ],
    goals: [],
    problems: [],
    notes: [
      `The drained channel was paused with twice as many held runs as it releases in a round at ${RELEASE_RATE} a second; ` +
        `${context.released.join(', ')} went during the rounds. All channels have one worker and one receiver.`,
    ],
  };
}

/** Whether other channels keep their latency while the backlog of a recovered channel is delivered. */
export const drain: Measure = {
  name: 'drain',
  async run(deps) {
    const installation = await openInstallation(deps.bench, { tenants: OTHERS + 1 });
    const client = openDatabase(installation.databaseUrl, { poolSize: 2 });
    try {
      const db = acrossEnvironments(client);
      const [drained] = installation.tenants;
      if (!drained) throw new Error('the installation has no tenant');
      const policy = JSON.stringify({ release_per_second: RELEASE_RATE });
      await db.$executeRaw`
        UPDATE channels SET failure_policy = ${policy}::jsonb,
               config = config || jsonb_build_object('url', (config ->> 'url') || ${UNCOUNTED}::text)
         WHERE id = ${drained.channelId}::uuid`;
      return await measure({ ...deps, installation, db, drained, released: [] });
    } finally {
      await client.$disconnect();
      await installation.close();
    }
  },
};
