import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { Prisma } from '../src/client.ts';
import { OPEN_BATCH, TERMINAL } from '../src/run-statuses.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The statuses that are named in some SQL, in the order of the alphabet. */
const statusesIn = (sql: string) => [...sql.matchAll(/'([a-z_]+)'/g)].map(([, status]) => status).sort();

describe('the lists of statuses in SQL', () => {
  it('match the index of open bulk replays', async () => {
    const [row] = await database.db.$queryRaw<{ predicate: string }[]>(Prisma.sql`
      SELECT pg_get_expr(indpred, indrelid) AS predicate FROM pg_index
       WHERE indexrelid = 'replay_batches_one_open'::regclass`);
    expect(statusesIn(row?.predicate ?? '')).toEqual(statusesIn(OPEN_BATCH.sql));
  });

  it("match the table's check of completed runs, which its indexes use", async () => {
    const [row] = await database.db.$queryRaw<{ definition: string }[]>(Prisma.sql`
      SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint
       WHERE conname = 'delivery_runs_status'`);
    const [, statuses] =
      /completed_at IS NOT NULL\) THEN .* ANY \('\{([a-z,]+)\}'/.exec(row?.definition ?? '') ?? [];
    expect(statuses?.split(',').sort()).toEqual(statusesIn(TERMINAL.sql));
  });
});
