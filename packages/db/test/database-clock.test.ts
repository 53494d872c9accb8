import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../src/client.ts';
import { createDatabaseClock } from '../src/database-clock.ts';
import { openDatabase } from '../src/index.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: 1 });
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

const databaseTime = async () => {
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  return row?.now.getTime() ?? Number.NaN;
};

describe('the database’s clock', () => {
  it('is never ahead of the database, nor behind what the database said before it was asked', async () => {
    const readTime = createDatabaseClock(db);
    await readTime();
    for (let round = 0; round < 50; round += 1) {
      const before = await databaseTime();
      const asked = createDatabaseClock(db);
      const fresh = (await asked()).getTime();
      const counted = (await readTime()).getTime();
      const after = await databaseTime();
      expect(fresh).toBeGreaterThanOrEqual(before);
      expect(Math.max(fresh, counted)).toBeLessThanOrEqual(after);
    }
  });

  it('is asked once a second, and counted on by the process’s steady clock in between', async () => {
    let now = 0;
    let asked = 0;
    const counting = new Proxy(db, {
      get(target, name, receiver) {
        if (name === '$queryRaw') asked += 1;
        return Reflect.get(target, name, receiver);
      },
    });
    const readTime = createDatabaseClock(counting, () => now);
    const first = await readTime();
    now = 999.9;
    expect((await readTime()).getTime() - first.getTime()).toBe(999);
    expect(asked).toBe(1);
    now = 1_000;
    await readTime();
    expect(asked).toBe(2);
  });
});
