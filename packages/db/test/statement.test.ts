import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { acrossEnvironments, type Database, openDatabase } from '../src/index.ts';
import { defineStatement } from '../src/statement.ts';
import { createFixture, createTestDatabase, type Fixture, type TestDatabase } from '../src/testing/index.ts';
import { statementsOf } from './hot-plans/sent-statements.ts';

let database: TestDatabase;
let fixture: Fixture;
/** A client to whom policies apply. */
let db: Database;
/** With one connection. */
let single: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  fixture = await createFixture(database.db);
  db = openDatabase(database.urlFor('postrider_worker'), { poolSize: 2 });
  single = openDatabase(database.url, { poolSize: 1 });
});
afterAll(async () => {
  await Promise.all([db.$disconnect(), single.$disconnect()]);
  await database.drop();
});

interface Input {
  readonly at: Date;
  readonly words: readonly (string | null)[];
}

const everyType = defineStatement<Input, Record<string, unknown>>({
  text: `SELECT :at::timestamptz AS at, :words::text[] AS words, :flags::bool[] AS flags, :bytes::bytea[] AS bytes,
                :documents::jsonb[] AS documents, :times::timestamptz[] AS times, :nothing::int AS nothing,
                cardinality(:words::text[]) AS count, 'a:' || 'b::c' AS text, 2::int8 AS big`,
  parameters: {
    at: ({ at }) => at,
    words: ({ words }) => words,
    flags: () => [true, null],
    bytes: () => [Buffer.from([0, 92, 255])],
    documents: () => [JSON.stringify({ a: ['"', '\\', null] }), null],
    times: ({ at }) => [at, null],
    nothing: () => null,
  },
});

describe('a statement with named parameters', () => {
  it('sends and returns values of every type, also in a transaction', async () => {
    const at = new Date('2026-11-23T10:11:12.345Z');
    const words = ['a', null, 'b,"c"', '{\\'];
    const expected = [
      {
        ...{ at, words, flags: [true, null], nothing: null, count: 4, text: 'a:b::c', big: 2n },
        bytes: [expect.any(Uint8Array)],
        documents: [{ a: ['"', '\\', null] }, null],
        times: [at, null],
      },
    ];
    expect(await everyType(db, { at, words })).toEqual(expected);
    const [row] = await db.$transaction((tx) => everyType(tx, { at, words }));
    expect(row).toMatchObject({ at, words, flags: [true, null], count: 4, big: 2n });
  });

  it('sends an array without values as an empty one, also in a transaction', async () => {
    const countOf = defineStatement<readonly (number | null)[], { count: number; others: boolean }>({
      text: 'SELECT cardinality(:numbers::int[]) AS count, 1 <> ALL (:numbers::int[]) AS others',
      parameters: { numbers: (numbers) => numbers },
    });
    expect(await countOf(db, [])).toEqual([{ count: 0, others: true }]);
    expect(await countOf(db, [null])).toEqual([{ count: 1, others: null }]);
    expect(await db.$transaction((tx) => countOf(tx, []))).toEqual([{ count: 0, others: true }]);
  });

  it('sends the columns of rows as values if there is one row, with the same result as for many, also in a transaction', async () => {
    type Row = { number: number | null; at: Date; bytes: Uint8Array; document: unknown; flag: boolean };
    const echo = defineStatement<readonly Row[], Row & { count: number; id: string }>({
      text: `SELECT row.*, cardinality(:numbers::int[]) AS count FROM (
               SELECT unnest((SELECT :numbers::int[])) AS number, unnest(:times::timestamptz[]) AS at, unnest(:bytes::bytea[]) AS bytes,
                      unnest(:documents::jsonb[]) AS document, unnest(:flags::bool[]) AS flag) AS row
               LEFT JOIN unnest(:numbers::int[]) AS same (number) ON same.number = row.number`,
      parameters: {
        numbers: (rows) => rows.map(({ number }) => number),
        times: (rows) => rows.map(({ at }) => at),
        bytes: (rows) => rows.map(({ bytes }) => bytes),
        documents: (rows) => rows.map(({ document }) => JSON.stringify(document)),
        flags: (rows) => rows.map(({ flag }) => flag),
      },
    });
    const at = new Date('2026-11-23T10:11:12.345Z');
    const row = { number: 1, at, bytes: new Uint8Array([0, 255]), document: { a: ['"', 1] }, flag: false };
    const other = { ...row, number: null };
    const bytesOf = (rows: readonly Row[]) => rows.map((each) => ({ ...each, bytes: [...each.bytes] }));
    const expected = (...rows: Row[]) => bytesOf(rows).map((each) => ({ ...each, count: rows.length }));
    for (const rows of [[row], [other], [row, other], []]) {
      expect(bytesOf(await echo(db, rows))).toEqual(expected(...rows));
      expect(bytesOf(await db.$transaction((tx) => echo(tx, rows)))).toEqual(expected(...rows));
    }
    const sent = await statementsOf(acrossEnvironments(single), () => echo(single, [row]));
    expect(sent[0]?.text).not.toContain('SELECT unnest');
  });

  it('sees only rows of its environments', async () => {
    const find = defineStatement<readonly string[], { id: string }>({
      text: 'SELECT id FROM environments WHERE id = :id::uuid',
      parameters: { id: () => fixture.environmentId },
      environments: (ids) => ids,
    });
    expect(await find(db, [fixture.environmentId])).toEqual([{ id: fixture.environmentId }]);
    expect(await find(db, ['00000000-0000-7000-8000-000000000000'])).toEqual([]);
    expect(await find(db, [])).toEqual([]);
  });

  it('rejects an array without the type of its elements', () => {
    const untyped = defineStatement<null, never>({ text: 'SELECT :ids', parameters: { ids: () => [1] } });
    expect(() => untyped(db, null)).toThrow('no arrays of');
  });

  it('takes the values of parameters from the fields of their names, and those of columns from its rows', async () => {
    const rows = [
      { number: 1, document: { a: [1] } },
      { number: 2, document: null },
    ];
    const row =
      '(SELECT unnest((SELECT :number::int[])) AS number, unnest(:document::jsonb[]) AS document) AS row';
    const ofRows = defineStatement<typeof rows, unknown>({ text: `SELECT * FROM ${row}` });
    expect(await ofRows(db, rows)).toEqual(rows);
    const text = `SELECT number + :more::int AS number, document, cardinality(:words::text[]) AS words FROM ${row}`;
    const ofInput = defineStatement<{ given: typeof rows; more: number; words: string[] }, unknown>({
      text,
      parameters: { words: ({ words }) => words },
      rows: ({ given }) => given,
    });
    const more = await ofInput(db, { given: rows, more: 10, words: ['a'] });
    expect(more).toEqual(rows.map((each) => ({ ...each, number: each.number + 10, words: 1 })));
  });

  it('takes a parameter that is named twice, beside texts with colons, also for one row', async () => {
    const sums = defineStatement<{ rows: { number: number }[]; more: number }, unknown>({
      text: `SELECT number + :more::int AS sum, number * :more::int AS product, 'a: b::c 12:00' AS text
               FROM (SELECT unnest((SELECT :number::int[])) AS number, unnest(:number::int[]) AS again) AS row
              WHERE number = again`,
      rows: ({ rows }) => rows,
    });
    const text = 'a: b::c 12:00';
    const first = { sum: 11, product: 10, text };
    expect(await sums(db, { rows: [{ number: 1 }], more: 10 })).toEqual([first]);
    expect(await sums(db, { rows: [{ number: 1 }, { number: 2 }], more: 10 })).toEqual([
      first,
      { sum: 12, product: 20, text },
    ]);
  });

  it('is refused when it runs without a value, and when it is defined with a value that has no parameter', () => {
    const two = defineStatement<{ two?: number }, never>({
      text: 'SELECT :one::int, :two::int',
      parameters: { one: () => 1 },
    });
    expect(() => two(db, {})).toThrow('no value for parameter two');
    expect(() => defineStatement({ text: 'SELECT 1', parameters: { one: () => 1 } })).toThrow(
      'the statement has no parameter one',
    );
  });
});
