import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createIngest, endRunsOfDeletedChannels, markEndedChannels } from '../src/index.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { explainFirst, type PlanNode, rowsRead } from './plan-nodes.ts';
import { accepted, eventFor, WEBHOOK } from './support.ts';

const RUNS = 200_000;
const SLICE = 20_000;
const SLICE_TIMEOUT_MS = 60_000;
const CHANNELS = 50;
const RUNNING = 100;
/** The runs that are running, and an index entry or two for each channel. */
const MAX_ROWS = 4 * CHANNELS + 2 * RUNNING;

let database: TestDatabase;
let channelIds: string[];

/** 200,000 finished runs, half of them of one channel; all channels are deleted, the last one has runs that are running. */
async function fill(): Promise<void> {
  const fixture = await createFixture(database.db, {
    channels: Array.from({ length: CHANNELS }, (_, n) => ({ ...WEBHOOK, name: `hook ${n}` })),
  });
  channelIds = fixture.channels.map(({ id }) => id);
  const { messageId } = accepted(await createIngest(database.db)(eventFor(fixture, { runs: [] })));
  for (let from = 1; from <= RUNS; from += SLICE) {
    await database.db.$transaction(
      async (tx) => {
        // The rows are made to fit, and without foreign keys they are inserted in half the time.
        await tx.$executeRaw`SET LOCAL session_replication_role = 'replica'`;
        await tx.$executeRaw`
          INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, replay, status, max_attempts,
                                     due_at, completed_at, lease_until, created_at)
          SELECT lpad(to_hex(i), 32, '0')::uuid, ${fixture.environmentId}::uuid, ${messageId}::uuid,
                 (${channelIds}::uuid[])[CASE WHEN i <= ${RUNNING} THEN ${CHANNELS}::int WHEN i % 2 = 0 THEN 1
                                              ELSE i % ${CHANNELS - 1} + 1 END],
                 'webhook', i, CASE WHEN i <= ${RUNNING} THEN 'running' ELSE 'succeeded' END, 3, now(),
                 CASE WHEN i > ${RUNNING} THEN now() END, CASE WHEN i <= ${RUNNING} THEN now() END, now()
            FROM generate_series(${from}::int, ${from + SLICE - 1}::int) AS i`;
      },
      { timeout: SLICE_TIMEOUT_MS },
    );
  }
  await database.db.$executeRaw`UPDATE channels SET deleted_at = now() - interval '2 minutes'`;
  await database.db.$executeRaw`ANALYZE channels, delivery_runs`;
}

beforeAll(async () => {
  database = await createTestDatabase();
  await fill();
}, 180_000);
afterAll(() => database.drop());

/** The nodes that read runs, as Postgres has executed the statement; what it changes is rolled back. */
async function readsOfRuns(send: (db: never) => Promise<unknown>): Promise<PlanNode[]> {
  const undone = new Error('rolled back');
  let nodes: PlanNode[] = [];
  await database.db
    .$transaction(async (tx) => {
      nodes = await explainFirst(tx, send);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return nodes.filter((node) => node['Relation Name'] === 'delivery_runs');
}

describe('of deleted channels that have 200,000 runs, the sweep', () => {
  it.each([
    ['that ends waiting runs', (db: never) => endRunsOfDeletedChannels({ db, newId: () => '' }, 1_000)],
    ['that marks ended channels', (db: never) => markEndedChannels(db, 1_000)],
  ])('%s reads a bounded number of runs by an index', async (_what, send) => {
    const reads = await readsOfRuns(send);
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    expect(rowsRead(reads)).toBeLessThanOrEqual(MAX_ROWS);
  });

  it('marks a limited number at once, skips locked ones, and leaves those with running runs', async () => {
    const [held = '', ...others] = channelIds;
    const busy = others.pop();
    await database.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM channels WHERE id = ${held}::uuid FOR UPDATE`;
      expect(await markEndedChannels(database.db, 10)).toBe(10);
      expect(await markEndedChannels(database.db, CHANNELS)).toBe(CHANNELS - 12);
    });
    const open = await database.db.channel.findMany({ where: { runsEndedAt: null }, select: { id: true } });
    expect(open.map(({ id }) => id).sort()).toEqual([held, busy].sort());
  });
});
