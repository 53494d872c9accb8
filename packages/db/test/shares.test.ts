import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  acceptInEnvironment,
  acrossEnvironments,
  inShare,
  openPooledDatabase,
  readTenant,
} from '../src/index.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('the statements of a request whose client has hung up', () => {
  it('do not begin, and a look-up that another request makes at the same time does', async () => {
    const { db } = openPooledDatabase(database.url, { shares: { operate: { connections: 2 } } });
    const { tenantId } = await createFixture(database.db, {});
    const hungUp = new Error('the client has hung up');
    const gone = inShare(
      'operate',
      () => readTenant(acrossEnvironments(db), randomUUID()),
      '',
      () => AbortSignal.abort(hungUp),
    );
    const served = inShare('operate', () => readTenant(acrossEnvironments(db), tenantId));

    const [first, second] = await Promise.allSettled([gone, served]);
    await db.$disconnect();
    expect(first).toMatchObject({ status: 'rejected' });
    expect(second).toMatchObject({ status: 'fulfilled', value: { id: tenantId } });
  });
});

describe('a query that begins when somebody waits for it, as those of Prisma', () => {
  it('gets its connection from the share that it was made in', async () => {
    const { db } = openPooledDatabase(database.url, { shares: { operate: { connections: 1 } } });
    const query = inShare('operate', () => acrossEnvironments(db).$queryRaw`SELECT 1 AS one`);

    await expect(query).resolves.toEqual([{ one: 1 }]);
    await db.$disconnect();
  });
});

describe('transactions of one owner that do not end', () => {
  it('leave room for those of another', async () => {
    const { db } = openPooledDatabase(database.url, { shares: { work: { connections: 3, perOwner: 2 } } });
    const { environmentId, tenantId } = await createFixture(database.db, {});
    const accept = <Result>(owner: string, work: () => Promise<Result>) =>
      inShare('work', () => acceptInEnvironment(db, environmentId, work), owner);
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const slowOnes = Array.from({ length: 8 }, () => accept(tenantId, () => ended));
    expect(await accept(randomUUID(), async () => 'accepted')).toBe('accepted');
    end();
    await Promise.all(slowOnes);
    await db.$disconnect();
  });
});
