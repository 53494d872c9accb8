import { createUuidV7Source, NEW_CONSUMER } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { Client } from 'pg';
import { listConsumerDeliveries, putConsumer } from '../src/index.ts';
import {
  actorNamed,
  createFixture,
  createTestDatabase,
  type Fixture,
  type TestDatabase,
} from '../src/testing/index.ts';
import { type Explainer, openExplainer } from './hot-plans/plans.ts';
import { statementsOf } from './hot-plans/sent-statements.ts';

const CHANNELS = 50;
/** Runs of the first channel; each of the others has a hundredth. */
const BUSIEST = 900;
const newId = createUuidV7Source();

let database: TestDatabase;
let explainer: Explainer;
let fixture: Fixture;

beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 1 });
  fixture = await createFixture(database.db);
  explainer = await openExplainer(database.url);
}, 60_000);
afterAll(async () => {
  await explainer.close();
  await database.drop();
});

/** A consumer with {@link CHANNELS} channels, the n-th with this many runs, whose messages are mixed. */
async function consumerWith(id: string, runsOf: (channel: number) => number) {
  const { environmentId } = fixture;
  const key = { environmentId, id };
  await putConsumer({ db: database.db, newId, actor: actorNamed('test') }, key, NEW_CONSUMER);
  const channels = Array.from({ length: CHANNELS }, () => newId());
  await database.db.channel.createMany({
    data: channels.map((channel) => ({
      ...{ id: channel, environmentId, consumerId: id, kind: 'webhook', name: channel },
      ...{ config: {}, retry: { max_attempts: 8 } },
    })),
  });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query("SET session_replication_role = 'replica'");
  await client.query(
    `INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, status, max_attempts, due_at, created_at)
     SELECT gen_random_uuid(), $1, gen_random_uuid(), channel, 'webhook', 'queued', 8, now(), now()
       FROM unnest($2::uuid[], $3::int[]) AS own (channel, runs) CROSS JOIN LATERAL generate_series(1, runs)`,
    [environmentId, channels, channels.map((_, index) => runsOf(index))],
  );
  await client.query('ANALYZE delivery_runs');
  await client.end();
  return { key, channels };
}

describe('the deliveries of a consumer with many channels', () => {
  it('are all in its pages, in the order of their messages, however they are spread over the channels', async () => {
    const { key, channels } = await consumerWith('skewed', (index) =>
      index === 0 ? BUSIEST : BUSIEST / 100,
    );
    const expected = await database.db.deliveryRun.findMany({
      where: { channelId: { in: channels } },
      orderBy: [{ messageId: 'desc' }, { id: 'desc' }],
      select: { id: true },
    });
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listConsumerDeliveries>> = await listConsumerDeliveries(
        database.db,
        {
          ...{ consumer: key, after, limit: 100 },
        },
      );
      seen.push(...page.rows.map(({ id }) => id));
      after = page.nextAfter;
    } while (after !== null);
    expect(seen).toEqual(expected.map(({ id }) => id));
  });

  it('cost one request little more than 5,000 rows, although no run matches', async () => {
    const { key } = await consumerWith('busy', () => 300);
    const list = () =>
      listConsumerDeliveries(database.db, {
        ...{ consumer: key, after: null, limit: 100 },
        status: 'failed',
      });
    const { rows, nextAfter } = await list();
    expect(rows).toEqual([]);
    expect(nextAfter).not.toBeNull();
    let read = 0;
    for (const statement of await statementsOf(database.db, list))
      read += await explainer.rowsRead(statement);
    expect(read).toBeGreaterThan(1_000);
    // Each of the chunks reads one row more of each channel, and a look-up of the channels themselves reads each once or twice.
    expect(read).toBeLessThanOrEqual(5_000 + 14 * CHANNELS);
  });
});
