import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { findByLookup, findByName, NAMED_TYPES } from '../src/index.ts';
import { createFixture, createTestDatabase, type Fixture, type TestDatabase } from '../src/testing/index.ts';
import { type Explainer, openExplainer } from './hot-plans/plans.ts';
import { statementsOf } from './hot-plans/sent-statements.ts';
import { WEBHOOK } from './support.ts';

const MESSAGES = 30_000;
const CHANNELS = 20_000;
/** Of any statement: 51 results of each of two ranges, each with its message, its runs and their channels. */
const MAX_ROWS = 1_000;

let database: TestDatabase;
let explainer: Explainer;
let fixture: Fixture;

beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 1 });
  const { db } = database;
  fixture = await createFixture(db, { channels: [WEBHOOK] });
  const { environmentId } = fixture;
  await db.$executeRaw`
    INSERT INTO messages (environment_id, id, event_key, recipient, payload, trace_id, created_at)
    SELECT ${environmentId}::uuid, gen_random_uuid(), 'order.shipped', '{}', '{}', repeat('0', 32), now() FROM generate_series(1, ${MESSAGES}::int)`;
  await db.$executeRaw`
    INSERT INTO message_keys (environment_id, message_id, name, value)
    SELECT environment_id, id, '/order_id', 'A-' || row_number() OVER () FROM messages`;
  await db.$executeRaw`INSERT INTO consumers (environment_id, id, name) VALUES (${environmentId}::uuid, 'org_1', 'Acme')`;
  await db.$executeRaw`
    INSERT INTO channels (id, environment_id, consumer_id, kind, name, config, retry)
    SELECT gen_random_uuid(), environment_id, 'org_1', kind, 'Shop ' || n, config, retry
      FROM channels, generate_series(1, ${CHANNELS}::int) AS n`;
  await db.$executeRaw`ANALYZE messages, message_keys, channels, consumers`;
  explainer = await openExplainer(database.url);
}, 60_000);
afterAll(async () => {
  await explainer.close();
  await database.drop();
});

async function rowsOf(action: () => Promise<unknown>): Promise<number> {
  const rows: number[] = [];
  for (const statement of await statementsOf(database.db, action))
    rows.push(await explainer.rowsRead(statement));
  return Math.max(...rows);
}

describe('among 30,000 messages with business ids and 20,000 channels', () => {
  it.each([
    ['the whole id', 'a-29999', 1],
    ['its beginning', 'A-2', 50],
  ])('a search for a business id by %s reads no others', async (_what, text, results) => {
    const find = () => findByLookup(database.db, { type: 'business_id', text });
    expect((await find()).results).toHaveLength(results);
    expect(await rowsOf(find)).toBeLessThan(MAX_ROWS);
  });

  it.each([
    ['shop 199', 'channel'],
    ['acm', 'consumer'],
  ])('a search for the name %s finds a %s and reads no others', async (text, type) => {
    const find = () =>
      findByName(database.db, { text, types: NAMED_TYPES, bounds: null, withOperational: true });
    expect((await find())[0]).toMatchObject({ type });
    expect(await rowsOf(find)).toBeLessThan(MAX_ROWS);
  });

  it('a search by the end of an id reads the newest ids alone', async () => {
    const [row] = await database.db.message.findMany({ take: 1, select: { id: true } });
    const id = row?.id ?? '';
    const { environmentId } = fixture;
    const find = () => findByLookup(database.db, { type: 'id_end', text: id.slice(-7), environmentId });
    expect((await find()).results).toMatchObject([{ messageId: id }]);
    expect(await rowsOf(find)).toBeLessThan(MESSAGES + MAX_ROWS);
  });
});
