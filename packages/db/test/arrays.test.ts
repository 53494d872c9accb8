import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { encodeArray } from '../src/binary-array.ts';
import { type Database, openDatabase } from '../src/index.ts';
import { defineStatement } from '../src/statement.ts';
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
  int: [-2_147_483_648, 2_147_483_647, null],
  int8: [-9_007_199_254_740_991, null, 9_007_199_254_740_991],
  text: ['ü "quoted" \\ {NULL}, 🚀', '', null],
  timestamptz: [new Date('1969-12-31T23:59:59.999Z'), null, new Date('9999-12-31T23:59:59.999Z')],
  uuid: ['00000000-0000-7000-8000-0000000000ff', null, 'ABCDEF01-2345-6789-abcd-ef0123456789'],
  jsonb: [JSON.stringify({ 'ü "a"': [1, null, '\\'] }), '[]', null],
};

/** The rows that the arrays mean. */
const EXPECTED = [0, 1, 2].map((row) => ({
  ...Object.fromEntries(Object.entries(VALUES).map(([name, values]) => [name, values[row] ?? null])),
  bytea: VALUES.bytea[row] ? Buffer.from(VALUES.bytea[row]) : null,
  int8: typeof VALUES.int8[row] === 'number' ? BigInt(VALUES.int8[row]) : null,
  uuid: VALUES.uuid[row]?.toLowerCase() ?? null,
  jsonb: JSON.parse(VALUES.jsonb[row] ?? 'null'),
  nothing: null,
}));

type Arrays = Readonly<
  Record<keyof typeof VALUES, readonly (string | number | boolean | Date | Uint8Array | null)[]>
>;

const rowsOf = defineStatement<Arrays, Record<string, unknown>>({
  text: `
    SELECT unnest((SELECT :bool::bool[])) AS bool, unnest(:bytea::bytea[]) AS bytea, unnest(:int::int[]) AS int,
           unnest(:int8::int8[]) AS int8, unnest(:text::text[]) AS text, unnest(:timestamptz::timestamptz[]) AS timestamptz,
           unnest(:uuid::uuid[]) AS uuid, unnest(:jsonb::jsonb[]) AS jsonb, unnest(:nothing::text[]) AS nothing`,
  parameters: {
    bool: ({ bool }) => bool,
    bytea: ({ bytea }) => bytea,
    int: ({ int }) => int,
    int8: ({ int8 }) => int8,
    text: ({ text }) => text,
    timestamptz: ({ timestamptz }) => timestamptz,
    uuid: ({ uuid }) => uuid,
    jsonb: ({ jsonb }) => jsonb,
    nothing: ({ bool }) => bool.map(() => null),
  },
});
const EMPTY: Arrays = {
  bool: [],
  bytea: [],
  int: [],
  int8: [],
  text: [],
  timestamptz: [],
  uuid: [],
  jsonb: [],
};

describe('arrays as parameters', () => {
  it('arrive with the values that were given', async () => {
    expect(await rowsOf(db, VALUES)).toEqual(EXPECTED);
  });

  it('look at least as long to the planner as in a generic plan, so that it plans no statement for few rows', async () => {
    const explain = defineStatement<null, unknown>({
      text: `EXPLAIN (FORMAT JSON) SELECT * FROM (
               SELECT unnest((SELECT :ids::int[])) AS id, unnest(:names::text[]) AS name) AS given`,
      parameters: { ids: () => [1, 2], names: () => ['one', 'two'] },
    });
    expect(await explain(db, null)).toMatchObject([{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': 10 } }] }]);
  });

  it('arrive in a transaction, whose statements Prisma sends', async () => {
    const rows = await db.$transaction((tx) => rowsOf(tx, VALUES));
    expect(rows).toMatchObject(
      EXPECTED.map(({ uuid, jsonb }, row) => ({ text: VALUES.text[row], uuid, jsonb })),
    );
  });

  it('give no rows if they are empty', async () => {
    expect(await rowsOf(db, EMPTY)).toEqual([]);
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
    expect(() => encodeArray('uuid', ['00000000-0000-7000-8000-0000000000ff', text])).toThrow(
      new TypeError('a parameter is not a UUID'),
    );
  });

  it.each([Number.NaN, 1.5, 2 ** 31])('refuse %d as an integer', (value) => {
    expect(() => encodeArray('int', [value])).toThrow(RangeError);
  });

  it('refuse an invalid time', () => {
    expect(() => encodeArray('timestamptz', [new Date(Number.NaN)])).toThrow(RangeError);
  });
});
