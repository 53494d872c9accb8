import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@postrider/testing';
import { Client } from 'pg';
import { findExpiredLimited, readBacklog } from '../src/index.ts';
import { endRunsOfChannel } from '../src/statements/end-waiting-runs.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { type Explainer, openExplainer } from './hot-plans/plans.ts';
import { statementsOf } from './hot-plans/sent-statements.ts';
import { WEBHOOK } from './support.ts';

/** Of each channel. */
const RUNS = 50_000;
/** So few of all runs that PostgreSQL expects less than one with a status of a list. */
const DUE_OF_CHANNEL = 250;
/** A few look-ups, far from the due runs of a channel. */
const MAX_ROWS = 50;

let database: TestDatabase;
let explainer: Explainer;
let channelId: string;

/** A channel with limits and one without, with 250 due runs among 50,000 each. */
beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 1 });
  const { channels } = await createFixture(database.db, {
    channels: [WEBHOOK, { ...WEBHOOK, maxPerSecond: 1 }],
  });
  channelId = channels[0]?.id ?? '';
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query("SET session_replication_role = 'replica'");
  // The due runs are anywhere in the table, so reading them all by the index costs a page for each.
  await client.query(`
    INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, status, max_attempts, due_at,
                               completed_at, created_at)
    SELECT gen_random_uuid(), environment_id, gen_random_uuid(), id, 'webhook',
           CASE WHEN is_due THEN 'queued' ELSE 'succeeded' END, 3, now() - random() * interval '1 day',
           CASE WHEN NOT is_due THEN now() END, now()
      FROM (SELECT n, n % ${RUNS / DUE_OF_CHANNEL} = 0 AS is_due FROM generate_series(1, ${RUNS}) AS n) AS made, channels`);
  await client.query('VACUUM (ANALYZE) channels, delivery_runs');
  await client.end();
  explainer = await openExplainer(database.url);
}, 60_000);
afterAll(async () => {
  await explainer.close();
  await database.drop();
});

it('finds the oldest run of a channel without reading the others', async () => {
  const [limited] = await statementsOf(database.db, () =>
    findExpiredLimited(database.db, { limit: 100, after: null }),
  );
  expect(limited && (await explainer.rowsRead(limited))).toBeLessThan(MAX_ROWS);
  // It counts the due runs, too.
  const [backlog] = await statementsOf(database.db, () => readBacklog(database.db, ['webhook']));
  expect(backlog && (await explainer.rowsRead(backlog))).toBeLessThan(DUE_OF_CHANNEL + MAX_ROWS);
});

it('ends the oldest runs of a deleted channel without reading the others', async () => {
  const [ending] = await statementsOf(database.db, () =>
    endRunsOfChannel(database.db, randomUUID, { channelId, limit: 2 }),
  );
  expect(ending && (await explainer.rowsRead(ending))).toBeLessThan(DUE_OF_CHANNEL / 2);
});
