import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { pauseStreams, readComplaintRates } from '../../src/index.ts';
import { createTestDatabase, type Fixture, type TestDatabase } from '../../src/testing/index.ts';
import { anEnvironment, count } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('the highest rates of complaints', () => {
  const ratesOf = async (fixtures: readonly Fixture[]) => {
    const rates = await readComplaintRates(database.db);
    return fixtures.map(({ environmentId }) =>
      rates.flatMap(({ environmentId: id, stream, rate }) => (id === environmentId ? [[stream, rate]] : [])),
    );
  };

  it('name environment and stream, also if no pause is wanted, and leave out paused ones and old ones', async () => {
    const [one, other] = [await anEnvironment(database, null), await anEnvironment(database)];
    const old = await anEnvironment(database);
    await count(database, old, { hour: -25, delivered: 1_000, complained: 600 });
    await count(database, one, { delivered: 2_000, complained: 400 });
    await count(database, one, { eventKey: 'order.shipped', delivered: 1_000, complained: 300 });
    await count(database, one, { eventKey: 'tips.sent', delivered: 1_000, complained: 2 });
    await count(database, one, { eventKey: 'tips.sent', delivered: 1_000, complained: 500, channel: 1 });
    await count(database, other, { delivered: 1_000, complained: 600 });
    const [found = [], paused, past] = await ratesOf([one, other, old]);
    expect(found).toEqual([
      ['', 0.3],
      ['news', 0.2],
    ]);
    expect(paused).toEqual([['news', 0.6]]);
    expect(past).toEqual([]);
    await pauseStreams({ db: database.db, newId: randomUUID });
    expect(await ratesOf([one, other])).toEqual([found, []]);
  });

  it('are ten, however many environments have complaints', async () => {
    for (let environment = 0; environment < 12; environment += 1) {
      const fixture = await anEnvironment(database, null);
      await count(database, fixture, { delivered: 1_000, complained: 700 });
      await count(database, fixture, { eventKey: 'tips.sent', delivered: 1_000, complained: 700 });
    }
    expect(await readComplaintRates(database.db)).toEqual(
      Array(10).fill(expect.objectContaining({ rate: 0.7 })),
    );
  });
});
