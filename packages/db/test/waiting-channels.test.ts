import { afterAll, beforeAll, expect, it } from '@postrider/testing';
import { Client } from 'pg';
import { createIngest, pollChannels } from '../src/index.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { type Explainer, openExplainer } from './hot-plans/plans.ts';
import { statementsOf } from './hot-plans/sent-statements.ts';
import { eventFor, WEBHOOK } from './support.ts';

const FINISHED = 60_000;
const CHANNELS = 10_000;
/** A look-up for each channel: a run, and its page after those of the index from the root to the entry. */
const MAX = { rows: 2 * CHANNELS, pages: 5 * CHANNELS };

let database: TestDatabase;
let explainer: Explainer;

/** 10,000 channels with a scheduled run each, among 60,000 finished runs of 50 channels. */
beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 1 });
  const { environmentId } = await createFixture(database.db, { channels: [WEBHOOK] });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query("SET session_replication_role = 'replica'");
  await client.query(`
    INSERT INTO channels (id, environment_id, kind, name, config, retry)
    SELECT gen_random_uuid(), environment_id, kind, 'channel ' || n, config, retry
      FROM channels, generate_series(1, ${CHANNELS}) AS n`);
  const columns = `id, environment_id, message_id, channel_id, channel_kind, status, max_attempts, due_at, scheduled_at,
                   completed_at, created_at`;
  const values = "gen_random_uuid(), environment_id, gen_random_uuid(), id, 'webhook'";
  await client.query(`
    INSERT INTO delivery_runs (${columns})
    SELECT ${values}, 'succeeded', 3, now(), NULL, now(), now()
      FROM generate_series(1, ${FINISHED}) AS n
      JOIN (SELECT *, row_number() OVER (ORDER BY id) AS place FROM channels LIMIT 50) AS channel ON place = 1 + n % 50
     ORDER BY n`);
  await client.query(`
    INSERT INTO delivery_runs (${columns})
    SELECT ${values}, 'scheduled', 3, now() + interval '1 hour', now() + interval '1 hour', NULL, now()
      FROM channels WHERE name LIKE 'channel %'`);
  await client.query('VACUUM (ANALYZE) channels, delivery_runs');
  await client.end();
  explainer = await openExplainer(database.url);
  expect(await database.db.deliveryRun.count({ where: { environmentId } })).toBe(FINISHED + CHANNELS);
}, 60_000);
afterAll(async () => {
  await explainer.close();
  await database.drop();
});

it('a poll costs one look-up for each channel with waiting runs, and finds those with work', async () => {
  const poll = (aheadMs: number) =>
    pollChannels(database.db, { kinds: ['webhook'], without: [], aheadMs, limit: 2 * CHANNELS });
  const [statement] = await statementsOf(database.db, () => poll(0));
  expect(statement && (await explainer.rowsRead(statement))).toBeLessThan(MAX.rows);
  expect(statement && (await explainer.pagesRead(statement))).toBeLessThan(MAX.pages);
  expect([(await poll(0)).length, (await poll(7_200_000)).length]).toEqual([0, CHANNELS]);
});

it('a poll takes tenants in turn, so that one with more late channels than it returns hides no other one', async () => {
  const accept = async (tenantId?: string) => {
    const fixture = await createFixture(database.db, {
      ...(tenantId === undefined ? {} : { tenantId }),
      channels: [WEBHOOK, WEBHOOK],
    });
    await createIngest(database.db)(eventFor(fixture));
    return fixture;
  };
  const greedy = await accept();
  await accept(greedy.tenantId);
  const modest = await accept();
  const limit = 3;
  const found = await pollChannels(database.db, { kinds: ['webhook'], without: [], aheadMs: 0, limit });
  const ofModest = modest.channels.filter(({ id }) => found.some(({ channelId }) => channelId === id));
  expect([found.length, ofModest.length]).toEqual([limit, 1]);
});
