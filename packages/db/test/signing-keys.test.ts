import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, expect, it } from '@postrider/testing';
import { createSigningKeysLookup, type UnboundDatabase } from '../src/index.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('answers requests for keys of invented channels with few queries', async () => {
  const { channels } = await createFixture(database.db, { channels: [WEBHOOK] });
  const own = channels[0]?.id ?? '';
  let queries = 0;
  const { db } = database;
  const counting = {
    $queryRaw(...given: Parameters<typeof db.$queryRaw>) {
      queries += 1;
      return db.$queryRaw(...given);
    },
  } as unknown as UnboundDatabase;
  const find = createSigningKeysLookup(counting);
  const newId = createUuidV7Source();
  const found = await Promise.all([...Array.from({ length: 500 }, newId), own].map(find));
  expect(found.slice(0, -1)).toEqual(Array(500).fill(null));
  expect(found.at(-1)).toEqual({ kind: 'webhook', credentials: {}, hasOverlap: false });
  expect(queries).toBeLessThanOrEqual(4);
});
