import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { countSoftBounces } from '../src/feedback/soft-bounces.ts';
import { findByLookup, findByName, findIdsByEnd, listConsumers, NAMED_TYPES } from '../src/index.ts';
import { createFixture, createTestDatabase, type Fixture, type TestDatabase } from '../src/testing/index.ts';
import { type Explainer, openExplainer } from './hot-plans/plans.ts';
import { statementsOf } from './hot-plans/sent-statements.ts';
import { WEBHOOK } from './support.ts';

const MESSAGES = 30_000;
const CHANNELS = 20_000;
const ENVIRONMENTS = 500;
const STATEMENT_LIMIT_S = 120;
const HOOK_LIMIT_MS = 300_000;
/** The most rows of a statement: 51 results of each of two ranges, each with its message, its runs and their channels. */
const MAX_ROWS = 1_000;
/** The most pages of a search for names: ten of each type, with the names of environments, but no look-up for each environment. */
const MAX_PAGES = 300;

let database: TestDatabase;
let explainer: Explainer;
let fixture: Fixture;

beforeAll(async () => {
  // The rows are many for one statement where the machine is busy.
  database = await createTestDatabase({ poolSize: 1, silenceLimitMs: STATEMENT_LIMIT_S * 1_000 });
  const { db } = database;
  fixture = await createFixture(db, { channels: [WEBHOOK] });
  const { environmentId } = fixture;
  await db.$executeRawUnsafe(`SET statement_timeout = '${STATEMENT_LIMIT_S}s'`);
  await db.$executeRaw`
    INSERT INTO messages (environment_id, id, event_key, recipient, recipient_email, payload, trace_id, created_at)
    SELECT ${environmentId}::uuid, gen_random_uuid(), 'order.shipped', '{}', 'User' || n || '@example.com', '{}', repeat('0', 32), now()
      FROM generate_series(1, ${MESSAGES}::int) AS n`;
  await db.$executeRaw`
    INSERT INTO message_keys (environment_id, message_id, name, value)
    SELECT environment_id, id, '/order_id', 'A-' || row_number() OVER () FROM messages`;
  await db.$executeRaw`INSERT INTO consumers (environment_id, id, name) VALUES (${environmentId}::uuid, 'org_1', 'Acme')`;
  await db.$executeRaw`
    INSERT INTO channels (id, environment_id, consumer_id, kind, name, config, retry)
    SELECT gen_random_uuid(), environment_id, 'org_1', kind, 'Shop ' || n, config, retry
      FROM channels, generate_series(1, ${CHANNELS}::int) AS n`;
  await db.$executeRaw`
    INSERT INTO consumers (environment_id, id, name)
    SELECT ${environmentId}::uuid, 'user_' || n, 'Shop ' || n FROM generate_series(1, ${CHANNELS}::int) AS n`;
  await db.$executeRaw`
    INSERT INTO environments (id, tenant_id, name)
    SELECT gen_random_uuid(), tenant_id, 'small-' || n FROM environments, generate_series(1, ${ENVIRONMENTS}::int) AS n`;
  await db.$executeRaw`ANALYZE environments, messages, message_keys, channels, consumers`;
  // The role and scope of the service: policies keep functions that are not leakproof out of the conditions of an index.
  const scope = encodeURIComponent('-c postrider.environments=all');
  explainer = await openExplainer(`${database.urlFor('postrider_api')}?options=${scope}`);
}, HOOK_LIMIT_MS);
afterAll(async () => {
  await explainer.close();
  await database.drop();
});

async function mostOf(measure: 'rowsRead' | 'pagesRead', action: () => Promise<unknown>): Promise<number> {
  const found: number[] = [];
  for (const statement of await statementsOf(database.db, action))
    found.push(await explainer[measure](statement));
  return Math.max(...found);
}
const rowsOf = (action: () => Promise<unknown>) => mostOf('rowsRead', action);

describe('among 30,000 messages with business ids and 20,000 channels', () => {
  it.each([
    ['the whole id', 'a-29999', 1],
    ['its beginning', 'A-2', 50],
  ])('a search for a business id by %s reads no others', async (_what, text, results) => {
    const find = () => findByLookup(database.db, { type: 'business_id', text });
    expect((await find()).results).toHaveLength(results);
    // It asks each environment, twice, and reads their names.
    expect(await rowsOf(find)).toBeLessThan(MAX_ROWS + 3 * ENVIRONMENTS);
  });

  it('a search for an address reads no others', async () => {
    const find = () => findByLookup(database.db, { type: 'recipient', text: 'user29999@example.com' });
    expect((await find()).results).toHaveLength(1);
    expect(await rowsOf(find)).toBeLessThan(MAX_ROWS + 2 * ENVIRONMENTS);
  });

  it('a soft bounce reads the messages to its address alone', async () => {
    const { environmentId } = fixture;
    const count = () => countSoftBounces(database.db, { environmentId, email: 'user29999@example.com' });
    expect(await rowsOf(count)).toBeLessThan(MAX_ROWS);
  });

  it.each([
    ['shop 199', 'channel', 10],
    ['acm', 'consumer', 1],
    ['user_199', 'consumer', 10],
  ])('a search for the name %s finds each %s and reads no others', async (text, type, results) => {
    const types = NAMED_TYPES.filter((each) => each !== 'environment' && each !== 'tenant');
    for (const bounds of [null, { tenantIds: [], environmentIds: [fixture.environmentId] }]) {
      const find = () => findByName(database.db, { text, types, bounds, withOperational: true });
      expect((await find()).filter((found) => found.type === type)).toHaveLength(results);
      expect(await mostOf('pagesRead', find)).toBeLessThan(MAX_PAGES);
    }
  });

  it('a list of consumers by the beginning of a name reads no others', async () => {
    const { environmentId } = fixture;
    const find = () =>
      listConsumers(database.db, { environmentId, search: 'shop 199', after: null, limit: 10 });
    expect((await find()).rows).toHaveLength(10);
    expect(await rowsOf(find)).toBeLessThan(MAX_ROWS);
  });

  it('a search by the end of an id reads the newest ids alone', async () => {
    const [row] = await database.db.message.findMany({ take: 1, select: { id: true } });
    const id = row?.id ?? '';
    const { environmentId } = fixture;
    for (const digits of [7, 8]) {
      const find = () => findIdsByEnd(database.db, environmentId, id.slice(-digits));
      expect(await find()).toEqual({ ids: [id], oldest: null });
      expect(await rowsOf(find)).toBeLessThan(MESSAGES + MAX_ROWS);
    }
    const none = (id.at(-7) === '0' ? '1' : '0') + id.slice(-6);
    expect(await findIdsByEnd(database.db, environmentId, none)).toEqual({ ids: [], oldest: null });
  });
});
