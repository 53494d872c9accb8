import { compileFilter } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createIngest, type Queryable, tryFilterOnMessages } from '../src/index.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { eventFor, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const KIB = 1_024;
const MESSAGES = 24;

describe('a trial of a filter on large messages', () => {
  it('examines each of them once, and reads at most 512 KiB at a time', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const ingest = createIngest(database.db);
    for (let number = 0; number < MESSAGES; number += 1) {
      const payload = { number, text: 'x'.repeat(200 * KIB) };
      await ingest(eventFor(fixture, { payload }));
    }
    const sizes: number[] = [];
    const db = database.db.$extends({
      query: {
        async $allOperations({ args, query }) {
          const rows = await query(args);
          sizes.push(JSON.stringify(rows, (_name, of) => (typeof of === 'bigint' ? `${of}` : of)).length);
          return rows;
        },
      },
    }) as unknown as Queryable;
    const compiled = compileFilter({ payload: { number: { $gte: 10 } } });
    const trial = await tryFilterOnMessages(db, {
      environmentId: fixture.environmentId,
      consumerId: null,
      eventKeys: ['*'],
      filter: compiled.ok ? compiled.filter : null,
      monotonicMs: () => 0,
    });
    expect(trial).toMatchObject({
      tested: MESSAGES,
      matched: MESSAGES - 10,
      notMatched: 10,
      isComplete: true,
    });
    expect(Math.max(...sizes)).toBeLessThan(520 * KIB);
  });
});
