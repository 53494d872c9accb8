import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { Prisma } from '../src/client.ts';
import { DEFERRED, OPEN, OPEN_BATCH, UNSUCCESSFUL, WAITING } from '../src/run-statuses.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The statuses that are named in some SQL, in the order of the alphabet. */
const statusesIn = (sql: string) => [...sql.matchAll(/'([a-z_]+)'/g)].map(([, status]) => status).sort();

describe('the lists of statuses in SQL', () => {
  it.each([
    ['delivery_runs_waiting', WAITING],
    ['delivery_runs_quarantine', WAITING],
    ['delivery_runs_exceptions', UNSUCCESSFUL],
    ['delivery_runs_deferred', DEFERRED],
    ['delivery_runs_open_replays', OPEN],
    ['replay_batches_one_open', OPEN_BATCH],
  ])('are those of the index %s', async (index, list) => {
    const [row] = await database.db.$queryRaw<{ predicate: string }[]>(Prisma.sql`
      SELECT pg_get_expr(indpred, indrelid) AS predicate FROM pg_index
       WHERE indexrelid = ${index}::regclass`);
    expect(statusesIn(row?.predicate ?? '')).toEqual(statusesIn(list.sql));
  });
});
