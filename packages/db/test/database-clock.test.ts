import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
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
  it('is never ahead of the database, nor behind its last known time', async () => {
    const clock = createDatabaseClock(db);
    await clock.read();
    for (let round = 0; round < 50; round += 1) {
      const before = await databaseTime();
      const fresh = (await createDatabaseClock(db).read()).getTime();
      const counted = (await clock.read()).getTime();
      const after = await databaseTime();
      expect(fresh).toBeGreaterThanOrEqual(before);
      expect(Math.max(fresh, counted)).toBeLessThanOrEqual(after);
    }
  });

  /** A clock of the process that the test sets, and how often the database was asked; each takes `roundTripMs`. */
  function startClock(roundTripMs = 0) {
    const seen = { now: 0, asked: 0 };
    const counting = new Proxy(db, {
      get(target, name, receiver) {
        if (name === '$queryRaw') {
          seen.asked += 1;
          seen.now += roundTripMs;
        }
        return Reflect.get(target, name, receiver);
      },
    });
    return { seen, clock: createDatabaseClock(counting, () => seen.now) };
  }

  it('is queried once a second, and uses the monotonic clock in between', async () => {
    const { seen, clock } = startClock();
    const first = await clock.read();
    seen.now = 999.9;
    expect((await clock.read()).getTime() - first.getTime()).toBe(999);
    expect(seen.asked).toBe(1);
    seen.now = 1_000;
    await clock.read();
    expect(seen.asked).toBe(2);
  });

  it('is queried once for concurrent readings, and once more for later ones', async () => {
    const { seen, clock } = startClock(21);
    const first = [clock.read(), clock.read(), clock.read()];
    await new Promise((resolve) => setImmediate(resolve));
    const asked = seen.asked;
    const meanwhile = [clock.read(), clock.read()];
    const times = (await Promise.all([...first, ...meanwhile])).map((time) => time.getTime());
    expect([asked, seen.asked]).toEqual([1, 2]);
    expect(new Set(times.slice(0, 3)).size).toBe(1);
    expect(times).toEqual([...times].sort((one, other) => one - other));
  });

  it('answers readings during a query with its result, and never goes back', async () => {
    const { seen, clock } = startClock();
    const first = clock.read();
    await new Promise((resolve) => setImmediate(resolve));
    const meanwhile = clock.read();
    const earlier = await first;
    seen.now += 5;
    expect([0, 5]).toContain((await meanwhile).getTime() - earlier.getTime());
    expect((await clock.read()).getTime()).toBe(earlier.getTime() + 5);
    expect(seen.asked).toBe(1);
  });

  it('is queried on another connection if one does not respond', async () => {
    let asked = 0;
    const silentAtFirst = new Proxy(db, {
      get(target, name, receiver) {
        if (name === '$queryRaw') asked += 1;
        const silence = () => new Promise(() => undefined);
        return name === '$queryRaw' && asked === 1 ? silence : Reflect.get(target, name, receiver);
      },
    });
    const before = await databaseTime();
    const time = (await createDatabaseClock(silentAtFirst).read()).getTime();
    expect(time).toBeGreaterThanOrEqual(before);
    expect(asked).toBe(2);
  });

  it('does not keep the result of a query that was open when it was reset', async () => {
    const { seen, clock } = startClock();
    const underWay = clock.read();
    await new Promise((resolve) => setImmediate(resolve));
    clock.forget();
    await underWay;
    await clock.read();
    expect(seen.asked).toBe(2);
  });

  it('is queried again after a slow response, and after a reset', async () => {
    const { seen: slow, clock: distant } = startClock(21);
    await distant.read();
    await distant.read();
    expect(slow.asked).toBe(2);
    const { seen, clock } = startClock();
    await clock.read();
    clock.forget();
    await clock.read();
    expect(seen.asked).toBe(2);
  });
});
