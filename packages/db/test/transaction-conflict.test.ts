import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { isDatabaseUnreachable, isTransactionConflict, type Queryable } from '../src/index.ts';
import { asOwner, createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

type Rename = (tx: Queryable, id: string) => Promise<unknown>;
const byStatement: Rename = (tx, id) =>
  tx.$executeRaw`UPDATE channels SET name = 'renamed' WHERE id = ${id}::uuid`;
const byModel: Rename = (tx, id) => tx.channel.update({ where: { id }, data: { name: 'renamed' } });

/** A barrier: everybody reaches it before anybody continues. */
function createBarrier(parties: number): () => Promise<void> {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let arrived = 0;
  return () => {
    arrived += 1;
    if (arrived === parties) open();
    return opened;
  };
}

/** Lets two transactions take the same two rows in opposite orders. */
async function deadlock(rename: Rename): Promise<PromiseSettledResult<unknown>[]> {
  const { channels } = await createFixture(database.db, { channels: [WEBHOOK, WEBHOOK] });
  const [one = '', two = ''] = channels.map(({ id }) => id);
  const bothHoldOne = createBarrier(2);
  const take = (first: string, second: string) =>
    database.db.$transaction(async (tx) => {
      await rename(asOwner(tx), first);
      await bothHoldOne();
      await rename(asOwner(tx), second);
    });
  return Promise.allSettled([take(one, two), take(two, one)]);
}

describe('a deadlock', () => {
  it.each([
    ['a statement', byStatement],
    ['a model', byModel],
  ])('in %s is a conflict for one of the two, not an outage', async (_name, rename) => {
    const results = await deadlock(rename);
    const errors = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
    expect(errors).toHaveLength(1);
    expect(errors.map(isTransactionConflict)).toEqual([true]);
    expect(errors.map(isDatabaseUnreachable)).toEqual([false]);
  });
});

describe('a change of a row that another transaction has changed', () => {
  it('is a conflict with the isolation level repeatable read', async () => {
    const { channels } = await createFixture(database.db, { channels: [WEBHOOK] });
    const id = channels[0]?.id ?? '';
    const error = await database.db
      .$transaction(
        async (tx) => {
          await tx.channel.findUniqueOrThrow({ where: { id } });
          await byModel(database.db, id);
          return byStatement(asOwner(tx), id);
        },
        { isolationLevel: 'RepeatableRead' },
      )
      .catch((thrown: unknown) => thrown);
    expect(isTransactionConflict(error)).toBe(true);
  });
});

describe('a rejected statement', () => {
  it('is not a conflict', async () => {
    const error = await database.db.$executeRaw`SELECT 1 / 0`.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(isTransactionConflict(error)).toBe(false);
  });
});
