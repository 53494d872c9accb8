import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createAcceptingTransaction } from '../src/index.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('transactions of one environment that do not end', () => {
  it('leave room for those of another', async () => {
    const [slow, other] = await Promise.all([createFixture(database.db), createFixture(database.db)]);
    const accept = createAcceptingTransaction(database.db);
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const slowOnes = Array.from({ length: 8 }, () => accept(slow.environmentId, () => ended));
    expect(await accept(other.environmentId, async () => 'accepted')).toBe('accepted');
    end();
    await Promise.all(slowOnes);
  });
});
