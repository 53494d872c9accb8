import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { Client } from 'pg';
import {
  readStats,
  readStream,
  releaseHeldRuns,
  removeExpiredMessages,
  removeOldConsumerUsage,
} from '../src/index.ts';
import {
  createFixture,
  createTestDatabase,
  type Fixture,
  idDaysAgo,
  type TestDatabase,
} from '../src/testing/index.ts';
import { type Explainer, openExplainer } from './hot-plans/plans.ts';
import { statementsOf } from './hot-plans/sent-statements.ts';
import { WEBHOOK } from './support.ts';

/** The bound of a statement among any number of rows, see packages/faults/src/size/bounds.ts. */
const MAX_PAGES = 2_000;
const FIGURES = 150_000;
const HELD = 1_500;
const ENVIRONMENTS = 3_000;
const CONSUMERS = 20_000;
const STREAMED = 200;

let database: TestDatabase;
let explainer: Explainer;
let fixture: Fixture;

/** An environment with many figures by minute and held runs, and after it thousands of empty ones with a retention. */
beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 1 });
  fixture = await createFixture(database.db, { channels: [WEBHOOK], plan: { retentionDays: 7 } });
  const { environmentId, channels } = fixture;
  const channelId = channels[0]?.id;
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query("SET session_replication_role = 'replica'");
  await client.query(`
    INSERT INTO stats (environment_id, span_seconds, start, channel_id, sender, event_key, error_code, latency_bucket, accepted, delivered,
                       failed, attempts)
    SELECT '${environmentId}', 60, date_trunc('minute', now()) - make_interval(mins => 1 + i / 300), '${channelId}',
           's' || i / 60 % 5, 'order.e' || i % 10, CASE WHEN i % 3 = 0 THEN 'webhook_http_error' ELSE '' END, i / 10 % 6, 1, 2, 0, 2
      FROM generate_series(0, ${FIGURES - 1}) AS i`);
  await client.query(`
    INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, held, status, max_attempts, due_at, created_at)
    SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::int8 + i), 12, '0') || '7000b000' || lpad(to_hex(i), 12, '0'))::uuid,
           '${environmentId}', gen_random_uuid(), '${channelId}', 'webhook', 'paused', 'queued', 3, '9999-12-31T00:00:00Z', now()
      FROM generate_series(1, ${HELD}) AS i`);
  await client.query(`UPDATE channels SET failure_policy = '{"release_per_second": 1000}'`);
  await client.query(`
    INSERT INTO channel_health (channel_id, environment_id, state, release_rate)
    VALUES ('${channelId}', '${environmentId}', 'ok', 1000)`);
  await client.query(`
    INSERT INTO environments (id, tenant_id, name)
    SELECT ('ffffffff-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, (SELECT tenant_id FROM environments LIMIT 1), 'empty-' || i
      FROM generate_series(1, ${ENVIRONMENTS}) AS i`);
  await client.query(`
    INSERT INTO consumer_usage (environment_id, consumer_id, period_start, consumer_events)
    SELECT '${environmentId}', 'org_' || i, CURRENT_DATE, 1 FROM generate_series(1, ${CONSUMERS}) AS i`);
  await client.query('VACUUM (ANALYZE)');
  await client.end();
  // Policies keep functions that are not leakproof out of the conditions of an index.
  const scope = encodeURIComponent('-c postrider.environments=all');
  explainer = await openExplainer(`${database.urlFor('postrider_worker')}?options=${scope}`);
}, 60_000);
afterAll(async () => {
  await explainer.close();
  await database.drop();
});

/** The pages of the costliest statement of the action, which is rolled back. */
async function pagesOf(action: () => Promise<unknown>): Promise<number> {
  const pages: number[] = [];
  for (const statement of await statementsOf(database.db, action)) {
    pages.push(await explainer.pagesRead(statement));
  }
  return Math.max(...pages);
}

describe('a statement looks at few pages, however much there is', () => {
  it.each([null, 'error_code'] as const)('that reads figures by minute, by %s', async (groupBy) => {
    const { environmentId } = fixture;
    const [from, to] = [new Date(Date.now() - 86_400_000), new Date()];
    const read = () => readStats(database.db, { environmentId, interval: 'minute', from, to, groupBy });
    expect((await read())?.totals).toMatchObject({
      accepted: FIGURES,
      delivered: 2 * FIGURES,
      attempts: 2 * FIGURES,
    });
    expect(await pagesOf(read)).toBeLessThanOrEqual(MAX_PAGES);
  });

  it('that releases held runs, at the highest rate', async () => {
    const channelId = fixture.channels[0]?.id ?? '';
    // After a minute without a release the rate begins again, and the set-up takes that long on a busy machine.
    await database.db.$executeRaw`UPDATE channel_health SET released_at = now() - interval '2 seconds'`;
    const release = () => releaseHeldRuns({ db: database.db }, channelId);
    expect(await pagesOf(release)).toBeLessThanOrEqual(MAX_PAGES);
    const released = (await release()).map(({ runId }) => runId);
    expect(new Set(released).size).toBe(HELD);
    expect(released).toEqual([...released].sort());
  });

  it('that reads what has changed since a position of a stream, however much that is', async () => {
    const { environmentId, channels } = await createFixture(database.db, { channels: [WEBHOOK] });
    const [first] = await database.db.$queryRaw<{ snapshot: string; at: Date }[]>`
      SELECT pg_current_snapshot()::text AS snapshot, now() AS at`;
    if (!first) throw new Error('no position');
    await database.db.$executeRaw`
      INSERT INTO messages (environment_id, id, event_key, recipient, payload, trace_id, created_at)
      SELECT ${environmentId}::uuid, gen_random_uuid(), 'order.shipped', '{}', '{}', '0', now()
        FROM generate_series(1, ${STREAMED})`;
    await database.db.$executeRaw`
      INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, status, max_attempts, due_at, created_at)
      SELECT gen_random_uuid(), environment_id, id, ${channels[0]?.id}::uuid, 'webhook', 'queued', 3, now(), now()
        FROM messages WHERE environment_id = ${environmentId}::uuid`;
    const read = () => readStream(database.db, [{ environmentId, ...first }]);
    expect((await read()).changes[0]).toHaveLength(2 * STREAMED);
    expect(await pagesOf(read)).toBeLessThanOrEqual(MAX_PAGES);
    // Other tests write to the same server.
    const pagesOfIdle: number[] = [];
    do {
      const { snapshot, at } = await read();
      pagesOfIdle.push(await pagesOf(() => readStream(database.db, [{ environmentId, snapshot, at }])));
    } while (Math.min(...pagesOfIdle) > 0 && pagesOfIdle.length < 50);
    expect(Math.min(...pagesOfIdle)).toBe(0);
  });

  it('that looks for old usage of consumers, of which there is none', async () => {
    expect(await removeOldConsumerUsage(database.db, 100)).toBe(0);
    expect(await pagesOf(() => removeOldConsumerUsage(database.db, 100))).toBeLessThan(150);
  });

  it(`that looks for old messages in ${ENVIRONMENTS} environments, and a pass reaches the last of them`, async () => {
    const last = await database.db.environment.findFirstOrThrow({ orderBy: { id: 'desc' } });
    await database.db.$executeRaw`
      INSERT INTO messages (environment_id, id, event_key, recipient, payload, trace_id, created_at)
      SELECT ${last.id}::uuid, ${idDaysAgo(30)}, 'order.shipped', '{}', '{}', '0', now() - interval '30 days'
        FROM (SELECT ${last.id}::uuid AS id) AS made`;
    const outcomes: string[] = [];
    let pages = 0;
    while (!outcomes.includes('finished')) {
      await database.db.$executeRaw`UPDATE retention_turn SET next_at = now() - interval '1 second'`;
      pages = Math.max(pages, await pagesOf(() => removeExpiredMessages(database.db)));
      outcomes.push((await removeExpiredMessages(database.db)).outcome);
      expect(outcomes.length).toBeLessThan(100);
    }
    expect(pages).toBeLessThanOrEqual(MAX_PAGES);
    expect(outcomes.filter((outcome) => outcome === 'removed')).toHaveLength(1);
    expect(await database.db.message.count({ where: { environmentId: last.id } })).toBe(0);
  });
});
