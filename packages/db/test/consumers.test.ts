import { randomUUID } from 'node:crypto';
import { waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { Client } from 'pg';
import {
  acrossEnvironments,
  createNamedConsumers,
  openDatabase,
  removeOldConsumerUsage,
} from '../src/index.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('consumers that events name', () => {
  it('are created up to a limit for each environment, with deleted ones', async () => {
    const { db } = database;
    const [one, other] = [await createFixture(db), await createFixture(db)];
    const create = createNamedConsumers(db, 3);
    const key = (id: string, { environmentId } = one) => ({ environmentId, id });
    expect(await create(key('a'))).toBe(true);
    await db.consumer.updateMany({ data: { deletedAt: new Date() } });
    expect([await create(key('b')), await create(key('c'))]).toEqual([true, true]);
    expect([await create(key('d')), await create(key('e'))]).toEqual([false, false]);
    expect(await create(key('b'))).toBe(true);
    expect(await create(key('d', other))).toBe(true);
    const stored = await db.consumer.findMany({ where: { environmentId: one.environmentId } });
    expect(stored.map(({ id }) => id).sort()).toEqual(['a', 'b', 'c']);
  });
});

describe('a consumer that is created at once by a request and by an event', () => {
  it('keeps the settings of the request', async () => {
    const { db } = database;
    const { environmentId } = await createFixture(db);
    const request = new Client(database.url);
    await request.connect();
    await request.query('BEGIN');
    await request.query(
      "INSERT INTO consumers (environment_id, id, name, enabled, events_per_month) VALUES ($1, 'org_1', 'Acme', false, 10)",
      [environmentId],
    );
    const byEvent = createNamedConsumers(db)({ environmentId, id: 'org_1' });
    await waitFor('the event to wait for the request', async () => {
      const { rows } = await request.query('SELECT FROM pg_locks WHERE NOT granted');
      return rows.length > 0;
    });
    await request.query('COMMIT');
    expect(await byEvent).toBe(true);
    const stored = await db.consumer.findFirst({ where: { environmentId } });
    expect(stored).toMatchObject({ name: 'Acme', enabled: false, eventsPerMonth: 10 });
    await request.end();
  });
});

describe('the usage of consumers', () => {
  it('is found by its key, also with a plan from when there was none', async () => {
    const { db } = database;
    await db.$executeRaw`ANALYZE consumer_usage`;
    const plan = await db.$queryRaw<object[]>`
      EXPLAIN SELECT consumer_events FROM consumer_usage
       WHERE environment_id = ${randomUUID()}::uuid AND consumer_id = 'one' AND period_start = CURRENT_DATE`;
    expect(JSON.stringify(plan)).toContain('consumer_usage_pkey');
  });

  it('is removed when its month is old, oldest first, by the worker', async () => {
    const { db } = database;
    const { environmentId } = await createFixture(db);
    const add = (days: number) => db.$executeRaw`
      INSERT INTO consumer_usage (environment_id, consumer_id, period_start, consumer_events)
      VALUES (${environmentId}::uuid, ${randomUUID()}, CURRENT_DATE - ${days}::int, 1)`;
    for (const days of [0, 399, 500, 401]) await add(days);
    const worker = acrossEnvironments(openDatabase(database.urlFor('postrider_worker'), { poolSize: 1 }));
    const ages = async () => {
      const rows = await db.$queryRaw<{ days: number }[]>`
        SELECT CURRENT_DATE - period_start AS days FROM consumer_usage ORDER BY 1`;
      return rows.map(({ days }) => days);
    };
    try {
      expect(await removeOldConsumerUsage(worker, 1)).toBe(1);
      expect(await ages()).toEqual([0, 399, 401]);
      expect(await removeOldConsumerUsage(worker, 10)).toBe(1);
      expect(await ages()).toEqual([0, 399]);
    } finally {
      await worker.$disconnect();
    }
  });
});
