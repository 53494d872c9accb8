import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { findNeedy, keepAttention, readAttention } from '../src/index.ts';
import { createFixture, createTestDatabase, type Fixture, type TestDatabase } from '../src/testing/index.ts';
import { type Explainer, openExplainer } from './hot-plans/plans.ts';
import { statementsOf } from './hot-plans/sent-statements.ts';
import { WEBHOOK } from './support.ts';

const ENVIRONMENTS = 1_500;
/** The most rows of a statement, whatever the number of environments: those of a page of 50 with a channel each, of seven tables. */
const MAX_ROWS = 500;
const FRESH_MS = 3_600_000;

let database: TestDatabase;
let explainer: Explainer;
/** The environment with the least id. */
let oldest: Fixture;

beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 1 });
  const { db } = database;
  oldest = await createFixture(db, { channels: [WEBHOOK] });
  await db.$executeRaw`
    WITH made AS (
      INSERT INTO environments (id, tenant_id, name)
      SELECT ('ffffffff' || substr(gen_random_uuid()::text, 9))::uuid, ${oldest.tenantId}::uuid, 'environment-' || n
        FROM generate_series(1, ${ENVIRONMENTS}::int) AS n RETURNING id
    )
    INSERT INTO channels (id, environment_id, kind, name, config, retry)
    SELECT gen_random_uuid(), made.id, kind, name, config, retry FROM made, channels`;
  await db.$executeRaw`ANALYZE environments, channels`;
  explainer = await openExplainer(database.url);
}, 60_000);
afterAll(async () => {
  await explainer.close();
  await database.drop();
});

/** Looks at every environment once. Returns the number of pages. */
async function keepAll(freshMs = 0): Promise<number> {
  let pages = 0;
  let after: string | null = null;
  do {
    after = await keepAttention(database.db, { after, freshMs });
    pages += 1;
  } while (after !== null);
  return pages;
}

const setState = (state: 'paused' | 'ok') => database.db.$executeRaw`
  INSERT INTO channel_health (channel_id, environment_id, state, reason)
  SELECT id, environment_id, ${state}, 'manual' FROM channels WHERE environment_id = ${oldest.environmentId}::uuid
  ON CONFLICT (channel_id) DO UPDATE SET state = EXCLUDED.state`;

async function rowsOf(action: () => Promise<unknown>): Promise<number> {
  const sent = await statementsOf(database.db, action);
  const rows: number[] = [];
  for (const statement of sent) rows.push(await explainer.rowsRead(statement));
  return Math.max(...rows);
}

describe('among 1,500 environments', () => {
  it('the oldest is found while it needs attention', async () => {
    await setState('paused');
    await keepAll();
    expect(await findNeedy(database.db, 100)).toEqual([oldest.environmentId]);
    const [of] = await readAttention(database.db, [oldest.environmentId], { isOverview: true });
    expect(of).toMatchObject({ weight: 1, paused: [{ name: WEBHOOK.name, health: { state: 'paused' } }] });

    await setState('ok');
    await keepAll(FRESH_MS);
    expect(await findNeedy(database.db, 100)).toEqual([oldest.environmentId]);
    await keepAll();
    expect(await findNeedy(database.db, 100)).toEqual([]);
  });

  it('a look at some, and at those that need attention, reads no others', async () => {
    expect(await keepAll(FRESH_MS)).toBe(Math.ceil((ENVIRONMENTS + 1) / 50));
    expect(await rowsOf(() => keepAttention(database.db, { after: null, freshMs: 0 }))).toBeLessThan(
      MAX_ROWS,
    );
    await setState('paused');
    await keepAll();
    const overview = async () =>
      readAttention(database.db, await findNeedy(database.db, 100), { isOverview: true });
    expect(await rowsOf(overview)).toBeLessThan(MAX_ROWS);
  });
});
