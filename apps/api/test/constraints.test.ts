import { channelKinds } from '@postrider/channels';
import { createTestDatabase, type TestDatabase } from '@postrider/db/testing';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe("the database's constraints", () => {
  it('contain no channel kind and no error code of one', async () => {
    const rows = await database.db.$queryRaw<{ name: string; definition: string }[]>`
      SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE contype = 'c'`;
    const known = [
      ...channelKinds.kinds,
      ...channelKinds.definitions.flatMap(({ errorCodes }) => errorCodes),
    ];

    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter(({ definition }) => known.some((word) => definition.includes(`'${word}'`)))).toEqual(
      [],
    );
  });
});
