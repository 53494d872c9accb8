import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { Prisma } from '../src/client.ts';
import { compose, joined, sql } from '../src/compose.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('a composed statement', () => {
  it('sends values as parameters, also one that is named twice, and leaves out those that it does not name', async () => {
    const conditions = [sql`code = :code`, sql`name <> :code::text || ':'`];
    const text = sql`SELECT :code::text AS code, 'a:' || 'b::c' AS text WHERE EXISTS (
      SELECT FROM (VALUES ('it''s', 'n')) AS plan (code, name) WHERE ${joined(conditions, ' AND ')} LIMIT ${1})`;
    const statement = compose(text, { code: "it's", unused: undefined });
    expect(statement.values).toEqual(["it's", "it's", "it's"]);
    expect(await database.db.$queryRaw(statement)).toEqual([{ code: "it's", text: 'a:b::c' }]);
  });

  it('is refused if a parameter has no value', () => {
    expect(() => compose(sql`SELECT :one::int, :two::int`, { one: 1, two: undefined })).toThrow(
      'no value for parameter two',
    );
  });

  it('takes constants, and no part that has values', () => {
    expect(sql`SELECT ${Prisma.raw('now()')}`.text).toBe('SELECT now()');
    expect(() => sql`SELECT ${Prisma.sql`${1}`}`).toThrow('no values');
  });

  it('does not take a string for a text', () => {
    const outside = "''; DROP TABLE plans" as unknown as number;
    expect(() => sql`SELECT ${outside}`).toThrow(TypeError);
  });
});
