import { createHash } from 'node:crypto';
import { DatabaseError, type Pool, type QueryConfig, type QueryResult, types } from 'pg';
import { encodeArray } from './binary-array.ts';
import type { AnyClient } from './client.ts';
import type { PrismaClient } from './generated/client.ts';
import { type ScopedStatement, scopeOf } from './scope/scoped-client.ts';

/** A rejection with SQLSTATE, severity and message only: the driver's error also contains values of rows. */
class StatementError extends Error {
  override readonly name = 'StatementError';
  readonly code: string | undefined;
  readonly severity: string | undefined;

  constructor({ message, code, severity }: DatabaseError) {
    super(message);
    this.code = code;
    this.severity = severity;
  }
}

const { builtins, getTypeParser } = types;
type TypeId = Parameters<typeof getTypeParser>[0];

const parseTime = getTypeParser(builtins.TIMESTAMPTZ) as (text: string) => unknown;
/** The lengths of times from the year 1000 to 9999 in a session in UTC. */
const UTC_LENGTHS = { least: '2026-11-22 10:00:00+00'.length, end: '+00' };

/** Parses such a time. The driver's own parser accepts any time in any zone, and takes several microseconds for it. */
function toDate(text: string): unknown {
  const isUtc = text.endsWith(UTC_LENGTHS.end) && text[10] === ' ' && text.length >= UTC_LENGTHS.least;
  return isUtc ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : parseTime(text);
}

/** Parsers in place of the driver's own, so that rows are like those of `$queryRaw`. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [builtins.INT8]: BigInt,
  [builtins.TIMESTAMPTZ]: toDate,
};
const TYPES = {
  getTypeParser: (id: TypeId, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : PARSERS[id]) ?? getTypeParser(id, format as 'text'),
} as QueryConfig['types'];

/** Prepared statements per connection; more than the service has. */
const MAX_PREPARED = 500;
/** The name of statements that a connection prepares for each execution. */
export const UNNAMED = '';

interface StatementNames {
  readonly nameOf: (query: { sql: string }) => string;
  /** Renames all statements from now on, so that each connection prepares them again. */
  readonly renew: () => void;
  /** Stops naming statements, so that each execution is planned again. */
  readonly giveUp: () => void;
}

/**
 * Names statements by their text, so that each connection parses and plans one only once: planning a claim takes
 * PostgreSQL longer than running it. Lists of varying length produce ever new texts; beyond the limit they stay
 * unnamed. A name is never used for two texts, in any process: behind a pooler, which shares sessions, the wrong
 * statement would be executed without an error.
 */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>();
  let generation = 0;
  let isNaming = true;
  return {
    nameOf({ sql }) {
      const known = names.get(sql);
      if (known !== undefined || !isNaming || names.size >= MAX_PREPARED) return known ?? UNNAMED;
      const name = `postrider_${generation}_${createHash('sha256').update(sql).digest('base64url')}`;
      names.set(sql, name);
      return name;
    },
    renew() {
      generation += 1;
      names.clear();
    },
    giveUp() {
      isNaming = false;
      names.clear();
    },
  };
}

type SendByPool = (text: string, values: unknown[], scope: string | undefined) => Promise<QueryResult>;

/** The clients whose statements go through a pool. */
const pooledClients = new WeakMap<object, SendByPool>();

/**
 * Makes {@link queryText} send a client's statements through its pool. It connects the client first: only then does
 * Prisma handle the pool's errors and end it.
 */
export function sendByPool(
  client: PrismaClient,
  pool: Pool,
  nameOf: (query: { sql: string }) => string,
): void {
  let connecting: Promise<void> | undefined;
  pooledClients.set(client, async (text, values, scope) => {
    connecting ??= client.$connect().catch((error: unknown) => {
      connecting = undefined;
      throw error;
    });
    await connecting;
    const statement: ScopedStatement = { name: nameOf({ sql: text }), text, values, types: TYPES, scope };
    return pool.query(statement);
  });
}

/**
 * Does the same as `$queryRawUnsafe` without Prisma's runtime, which takes longer than the driver itself. Values can be texts,
 * numbers, booleans, dates, bytes, and arrays of these. In a transaction, and for a wrapped client, it calls `$queryRawUnsafe`.
 * @param scope see `scopeOf`; that of the client if it is left out. A transaction has its own, so it does not count there.
 * @throws StatementError if Postgres rejects the statement
 */
export async function queryText<Row>(
  client: AnyClient,
  text: string,
  values: readonly unknown[],
  scope?: string,
): Promise<Row[]> {
  const send = pooledClients.get(client);
  if (!send) return client.$queryRawUnsafe<Row[]>(text, ...values);
  try {
    const { rows } = await send(text, [...values], scope);
    return rows;
  } catch (error) {
    throw error instanceof DatabaseError ? new StatementError(error) : error;
  }
}

/** What can be sent: `null`, and `jsonb` as text. Elements of arrays can be null, too. */
type Value = string | number | bigint | boolean | Date | Uint8Array | null;

/** Reads the values of named parameters from the input. */
export type NamedParameters<Input> = Readonly<Record<string, (input: Input) => Value | readonly Value[]>>;

interface Definition<Input> {
  /**
   * The whole SQL. A parameter is written `:name`, with its type where PostgreSQL cannot know it. An array always has its
   * type: `:ids::uuid[]`. It is sent in the binary format.
   *
   * Rows of a batch are one array for each column, all of the same length. Write them as
   * `(SELECT unnest((SELECT :id::uuid[])) AS id, unnest(:name::text[]) AS name) AS row`: PostgreSQL then does not see
   * how many rows there are. If it did, a plan for few would look cheaper than the generic one, and it would plan the
   * statement again for every execution.
   */
  readonly text: string;
  /** The values of parameters that are not what their names say, see {@link rows}. */
  readonly parameters?: NamedParameters<Input>;
  /**
   * The rows of a batch, if they are not the input itself. Without an entry in `parameters`, an array has the fields of its name of
   * all rows, of which those for `jsonb` are written as JSON; without rows, and for other types, it is the field of the input.
   */
  readonly rows?: (input: Input) => readonly object[] | null;
  /**
   * The environments that the statement is for; policies hide the rows of others. Left out: those of the client. In a transaction:
   * those of the transaction.
   */
  readonly environments?: (input: Input) => Iterable<string>;
}

/**
 * Executes the statement on a client or in a transaction, and returns its rows.
 * @throws StatementError if PostgreSQL rejects it
 */
type RunStatement<Input, Row> = (client: AnyClient, input: Input) => Promise<Row[]>;

/** A colon and a name, but not the type of a cast; and if it is an array, the type of its elements. */
const PARAMETER = /(?<!:):([a-z]\w*)(?:::(\w+)\[\])?/g;
/** The columns of rows, as {@link Definition} says to write them; not `FROM unnest(…)`. */
const COLUMN = /(?<!\b(?:FROM|JOIN)\s+)unnest\((?:\(SELECT :(\w+)::(\w+)\[\]\)|:(\w+)::(\w+)\[\])\)/g;
/** A statement as it is sent, with the names of its parameters in order, and the types of the elements of arrays. */
interface Compiled {
  readonly text: string;
  readonly names: readonly string[];
  readonly elementTypes: ReadonlyMap<string, string>;
}

function compile(text: string): Compiled {
  const names: string[] = [];
  const elementTypes = new Map<string, string>();
  const sent = text.replace(PARAMETER, (_, name: string, elementType?: string) => {
    if (!names.includes(name)) names.push(name);
    if (elementType) elementTypes.set(name, elementType);
    return `$${names.indexOf(name) + 1}${elementType ? `::${elementType}[]` : ''}`;
  });
  return { text: sent, names, elementTypes };
}

/** Begins the names of the values of columns that have one row. */
const ONLY = 'only_';

/** The columns of a statement's rows, and its text for rows with one element in each of them. */
function withPlainColumns(text: string): { columns: string[]; text: string } {
  const columns: string[] = [];
  const plain = text.replace(COLUMN, (_, first, firstType, next, nextType) => {
    const name = first ?? next;
    columns.push(name);
    return `:${ONLY}${name}::${firstType ?? nextType}`;
  });
  return { columns, text: plain };
}

function fieldOf(input: unknown, name: string): unknown {
  const value = (input as Readonly<Record<string, unknown>> | null)?.[name];
  if (value === undefined) throw new TypeError(`no value for parameter ${name}`);
  return value;
}

/**
 * Defines a statement. Its text is compiled once and prepared once on each connection, so it must not depend on the
 * input. Times are returned as `Date`, and `int8` as `bigint`.
 *
 * If each column of its rows has one element, these are sent as plain values by a second text: PostgreSQL starts and runs its plan in
 * less time, which counts for events that come one by one: accepting one takes 7 to 18 % less of its processor time (`packages/bench/NOTES.md`).
 * There are no more texts, because a connection prepares only so many.
 * @throws TypeError if `parameters` names one that the text does not have; when it is executed, if a parameter has no value
 */
export function defineStatement<Input, Row>({
  text,
  parameters = {},
  rows = (input) => (Array.isArray(input) ? input : null),
  environments,
}: Definition<Input>): RunStatement<Input, Row> {
  const { columns, text: plain } = withPlainColumns(text);
  const ofMany = compile(text);
  const ofOne = compile(plain);
  const { names, elementTypes: types } = ofMany;
  const unused = Object.keys(parameters).filter((name) => !names.includes(name));
  if (unused.length > 0) throw new TypeError(`the statement has no parameter ${unused.join(', ')}`);
  const read = (name: string, input: Input): unknown => {
    const own = parameters[name];
    if (own) return own(input);
    const type = types.get(name);
    const batch = type === undefined ? null : rows(input);
    if (batch === null) return fieldOf(input, name);
    return batch.map((row) => {
      const value = fieldOf(row, name);
      return type === 'jsonb' && value !== null ? JSON.stringify(value) : value;
    });
  };
  return (client, input) => {
    const given = new Map<string, unknown>();
    for (const name of names) given.set(name, read(name, input));
    const isOne = columns.every((name) => (given.get(name) as unknown[]).length === 1);
    if (isOne) for (const name of columns) given.set(`${ONLY}${name}`, (given.get(name) as unknown[])[0]);
    const { text: sent, names: wanted, elementTypes } = isOne ? ofOne : ofMany;
    const values = wanted.map((name) => {
      const value = given.get(name);
      return Array.isArray(value) ? encodeArray(elementTypes.get(name) ?? '', value) : value;
    });
    return queryText<Row>(client, sent, values, environments && scopeOf(environments(input)));
  };
}

/**
 * SQL of a step `name (column)` of a recursive query: the different values of a column, in order, each by one look at an index in the
 * order of the column (a loose index scan). A reader with a limit stops it.
 * @param rows SQL after `FROM` with a condition, such as `delivery_runs WHERE completed_at IS NULL`
 */
export const differentValues = (name: string, column: string, rows: string) => `
    ${name} (${column}) AS (
      (SELECT ${column} FROM ${rows} ORDER BY ${column} LIMIT 1)
      UNION ALL
      SELECT next.${column} FROM ${name} CROSS JOIN LATERAL (
        SELECT ${column} FROM ${rows} AND ${column} > ${name}.${column} ORDER BY ${column} LIMIT 1) AS next)`;

/** A text as a constant in SQL. */
export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
