import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type ArrayColumns, arrays, unnest } from '../src/arrays.ts';
import { Prisma } from '../src/client.ts';
import { type Database, openDatabase } from '../src/index.ts';
import { queryRows } from '../src/statement.ts';
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

const VALUES = {
  bool: [true, null, false],
  bytea: [new Uint8Array([0, 92, 255]), new Uint8Array(), null],
  int4: [-2_147_483_648, 2_147_483_647, null],
  int8: [-9_007_199_254_740_991, null, 9_007_199_254_740_991],
  text: ['ü "quoted" \\ {NULL}, 🚀', '', null],
  timestamptz: [new Date('1969-12-31T23:59:59.999Z'), null, new Date('9999-12-31T23:59:59.999Z')],
  uuid: ['00000000-0000-7000-8000-0000000000ff', null, 'ABCDEF01-2345-6789-abcd-ef0123456789'],
  jsonb: [{ 'ü "a"': [1, null, '\\'] }, [], null],
};
const COLUMNS: ArrayColumns = {
  bool: arrays.bool(VALUES.bool),
  bytea: arrays.bytea(VALUES.bytea),
  int4: arrays.int4(VALUES.int4),
  int8: arrays.int8(VALUES.int8),
  text: arrays.text(VALUES.text),
  timestamptz: arrays.timestamptz(VALUES.timestamptz),
  uuid: arrays.uuid(VALUES.uuid),
  jsonb: arrays.jsonb(VALUES.jsonb),
  nothing: arrays.text([null, null, null]),
};

/** The rows that the columns mean. */
const EXPECTED = [0, 1, 2].map((row) => ({
  ...Object.fromEntries(Object.entries(VALUES).map(([name, values]) => [name, values[row] ?? null])),
  bytea: VALUES.bytea[row] ? Buffer.from(VALUES.bytea[row]) : null,
  int8: typeof VALUES.int8[row] === 'number' ? BigInt(VALUES.int8[row]) : null,
  uuid: VALUES.uuid[row]?.toLowerCase() ?? null,
  nothing: null,
}));

describe('arrays as parameters', () => {
  it('arrive with the values that were given', async () => {
    const statement = Prisma.sql`SELECT * FROM ${unnest('given', COLUMNS)}`;
    expect(await queryRows(db, statement)).toEqual(EXPECTED);
  });

  it('look at least as long to the planner as in a generic plan, so that it plans no statement for few rows', async () => {
    const columns = { id: arrays.int4([1]), name: arrays.text(['one']) };
    const statement = Prisma.sql`EXPLAIN (FORMAT JSON) SELECT * FROM ${unnest('given', columns)}`;
    expect(await queryRows(db, statement)).toMatchObject([{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': 10 } }] }]);
  });

  it('arrive in a transaction, whose statements Prisma sends', async () => {
    const statement = Prisma.sql`SELECT text, uuid FROM ${unnest('given', COLUMNS)}`;
    const rows = await db.$transaction((tx) => queryRows(tx, statement));
    expect(rows).toEqual(VALUES.text.map((text, row) => ({ text, uuid: EXPECTED[row]?.uuid })));
  });

  it('give no rows if they are empty', async () => {
    const columns = { id: arrays.uuid([]), name: arrays.text([]) };
    expect(await queryRows(db, Prisma.sql`SELECT * FROM ${unnest('given', columns)}`)).toEqual([]);
  });

  it.each([
    '',
    'x',
    '00000000-0000-7000-8000-00000000000',
    '00000000-0000-7000-8000-0000000000gg',
    '11111111-1111-7111-8111-11111111111é',
    '0123456789abcdef0123456789abcdefzzzz',
    '0-000000-0000-7000-8000-0000000000ff',
  ])('refuse %j as a UUID, also after a right one', (text) => {
    expect(() => arrays.uuid(['00000000-0000-7000-8000-0000000000ff', text])).toThrow(
      new TypeError('a parameter is not a UUID'),
    );
  });

  it.each([Number.NaN, 1.5, 2 ** 31])('refuse %d as an integer', (value) => {
    expect(() => arrays.int4([value])).toThrow(RangeError);
  });

  it('refuse an invalid time', () => {
    expect(() => arrays.timestamptz([new Date(Number.NaN)])).toThrow(RangeError);
  });
});
