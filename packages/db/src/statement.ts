import { HEX_VALUES, NO_DIGIT } from '@postrider/domain';
import { DatabaseError, type Pool, type QueryConfig, type QueryResult, types } from 'pg';
import type { AnyClient } from './client.ts';
import type { PrismaClient } from './generated/client.ts';
import { scopeOf } from './scope/scoped-client.ts';

/** A rejection with SQLSTATE and message only: the driver's error also contains values of rows. */
class StatementError extends Error {
  override readonly name = 'StatementError';
  readonly code: string | undefined;

  constructor({ message, code }: DatabaseError) {
    super(message);
    this.code = code;
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

type Run = (text: string, values: unknown[]) => Promise<QueryResult>;

const runs = new WeakMap<object, Run>();

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
  runs.set(client, async (text, values) => {
    connecting ??= client.$connect().catch((error: unknown) => {
      connecting = undefined;
      throw error;
    });
    await connecting;
    return pool.query({ name: nameOf({ sql: text }), text, values, types: TYPES } as QueryConfig);
  });
}

/**
 * Does the same as `$queryRawUnsafe` without Prisma's runtime, which takes longer than the driver itself. Values can be texts,
 * numbers, booleans, dates, bytes, and arrays of these. In a transaction, and for a wrapped client, it calls `$queryRawUnsafe`.
 * @throws StatementError if Postgres rejects the statement
 */
export async function queryText<Row>(
  client: AnyClient,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const run = runs.get(client);
  if (!run) return client.$queryRawUnsafe<Row[]>(text, ...values);
  try {
    const { rows } = await run(text, [...values]);
    return rows;
  } catch (error) {
    throw error instanceof DatabaseError ? new StatementError(error) : error;
  }
}

/** How values of one type are written in PostgreSQL's binary format. */
interface Codec<Value> {
  /** The type's object id (PostgreSQL's `pg_type.dat`), the same in every server. */
  readonly oid: number;
  size(value: Value): number;
  /** Writes the value at `at` and returns its `size`. */
  write(bytes: Buffer, value: Value, at: number): number;
}

const UUID = { bytes: 16, text: 36 } as const;
const DASH = 0x2d;

/** Scratch space for the text of a UUID. Reading bytes is several times faster than reading the characters of a string. */
const uuidText = Buffer.alloc(UUID.text);

function writeUuid(bytes: Buffer, uuid: string, at: number): number {
  if (uuid.length !== UUID.text || uuidText.write(uuid) !== UUID.text)
    throw new TypeError('a parameter is not a UUID');
  let from = 0;
  for (let index = at; index < at + 16; index++) {
    if ((from === 8 || from === 13 || from === 18 || from === 23) && uuidText[from] === DASH) from++;
    const high = HEX_VALUES[uuidText[from] as number] as number;
    const low = HEX_VALUES[uuidText[from + 1] as number] as number;
    if (high === NO_DIGIT || low === NO_DIGIT) throw new TypeError('a parameter is not a UUID');
    bytes[index] = high * 16 + low;
    from += 2;
  }
  if (from !== UUID.text) throw new TypeError('a parameter is not a UUID');
  return UUID.bytes;
}

const writeBigInt = (bytes: Buffer, value: bigint, at: number) => bytes.writeBigInt64BE(value, at) - at;

/** PostgreSQL counts microseconds from 2000-01-01. */
const EPOCH_MS = Date.UTC(2000, 0, 1);

function writeTime(bytes: Buffer, time: Date, at: number): number {
  const micros = (time.getTime() - EPOCH_MS) * 1_000;
  // As a number it is exact up to the year 2285, and faster.
  if (!Number.isSafeInteger(micros))
    return writeBigInt(bytes, BigInt(time.getTime() - EPOCH_MS) * 1_000n, at);
  const high = Math.floor(micros / 2 ** 32);
  bytes.writeInt32BE(high, at);
  bytes.writeUInt32BE(micros - high * 2 ** 32, at + 4);
  return 8;
}

const codec = <Value>(definition: Codec<Value>) => definition;

const CODECS = {
  bool: codec<boolean>({
    oid: 16,
    size: () => 1,
    write: (bytes, value, at) => bytes.writeUInt8(value ? 1 : 0, at) - at,
  }),
  bytea: codec<Uint8Array>({
    oid: 17,
    size: (value) => value.length,
    write: (bytes, value, at) => {
      bytes.set(value, at);
      return value.length;
    },
  }),
  int4: codec<number>({
    oid: 23,
    size: () => 4,
    write: (bytes, value, at) => {
      if (!Number.isInteger(value)) throw new RangeError('a parameter is not an integer');
      return bytes.writeInt32BE(value, at) - at;
    },
  }),
  int8: codec<number>({
    oid: 20,
    size: () => 8,
    write: (bytes, value, at) => writeBigInt(bytes, BigInt(value), at),
  }),
  text: codec<string>({
    oid: 25,
    size: Buffer.byteLength,
    write: (bytes, value, at) => bytes.write(value, at),
  }),
  timestamptz: codec<Date>({ oid: 1184, size: () => 8, write: writeTime }),
  uuid: codec<string>({ oid: 2950, size: () => UUID.bytes, write: writeUuid }),
  /** The JSON text, after the version of the format. */
  jsonb: codec<string>({
    oid: 3802,
    size: (text) => 1 + Buffer.byteLength(text),
    write: (bytes, text, at) => {
      bytes[at] = 1;
      return 1 + bytes.write(text, at + 1);
    },
  }),
} as const;

const HEADER_BYTES = 20;
const EMPTY_BYTES = 12;

/** Encodes an array in PostgreSQL's binary format. */
function encode<Value>({ oid, size, write }: Codec<Value>, values: readonly (Value | null)[]): Buffer {
  let length = HEADER_BYTES + 4 * values.length;
  let nulls = 0;
  let previous: Value | null = null;
  let bytesOfPrevious = 0;
  for (const value of values) {
    if (value === null) nulls++;
    else {
      if (value !== previous) bytesOfPrevious = size(value);
      previous = value;
      length += bytesOfPrevious;
    }
  }
  const bytes = Buffer.allocUnsafe(length);
  // An array without values has no dimensions.
  bytes.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  bytes.writeInt32BE(nulls > 0 ? 1 : 0, 4);
  bytes.writeInt32BE(oid, 8);
  if (values.length === 0) return bytes.subarray(0, EMPTY_BYTES);
  bytes.writeInt32BE(values.length, 12);
  bytes.writeInt32BE(1, 16);
  let at = HEADER_BYTES;
  let written = 0;
  previous = null;
  for (const value of values) {
    if (value === null) {
      at = bytes.writeInt32BE(-1, at);
    } else {
      // Most values are the same in consecutive rows.
      if (value === previous) bytes.copyWithin(at, at - 4 - written, at);
      else {
        written = write(bytes, value, at + 4);
        bytes.writeInt32BE(written, at);
      }
      at += 4 + written;
    }
    previous = value;
  }
  return bytes;
}

/** Element types by their names in statements. */
const ELEMENTS: Readonly<Record<string, Codec<never>>> = { ...CODECS, int: CODECS.int4 };

/**
 * An array as the value of a parameter, in PostgreSQL's binary format, which neither side needs to escape or parse. Elements of
 * `jsonb` are JSON texts.
 * @param type of its elements, as in `::type[]`
 * @throws TypeError for an unknown type or an invalid UUID, RangeError for a number or time out of range
 */
export function encodeArray(type: string, values: readonly unknown[]): Buffer {
  const codec = ELEMENTS[type];
  if (!codec) throw new TypeError(`no arrays of ${type} can be sent`);
  return encode(codec, values as never[]);
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
  /** The environments that the statement is for; policies hide the rows of others. Left out: those of the client. */
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

function compile(text: string, isScoped: boolean): Compiled {
  const names: string[] = [];
  const elementTypes = new Map<string, string>();
  const compiled = text.replace(PARAMETER, (_, name: string, elementType?: string) => {
    if (!names.includes(name)) names.push(name);
    if (elementType) elementTypes.set(name, elementType);
    return `$${names.indexOf(name) + 1}${elementType ? `::${elementType}[]` : ''}`;
  });
  const scope = isScoped ? ` /* environments: $${names.length + 1} */` : '';
  return { text: compiled + scope, names, elementTypes };
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
 * less time, which counts for events that come one by one. There are no more texts, because a connection prepares only so many.
 * @throws TypeError if `parameters` names one that the text does not have; when it is executed, if a parameter has no value
 */
export function defineStatement<Input, Row>({
  text,
  parameters = {},
  rows = (input) => (Array.isArray(input) ? input : null),
  environments,
}: Definition<Input>): RunStatement<Input, Row> {
  const { columns, text: plain } = withPlainColumns(text);
  const ofMany = compile(text, environments !== undefined);
  const ofOne = compile(plain, environments !== undefined);
  const { names, elementTypes: types } = ofMany;
  const unused = Object.keys(parameters).filter((name) => !names.includes(name));
  if (unused.length > 0) throw new TypeError(`the statement has no parameter ${unused.join(', ')}`);
  const read = (name: string, input: Input): unknown => {
    const own = parameters[name];
    if (own) return own(input);
    const type = types.get(name);
    const batch = type === undefined ? null : rows(input);
    if (batch === null) return fieldOf(input, name);
    const values = batch.map((row) => fieldOf(row, name));
    return type === 'jsonb' ? values.map((value) => (value === null ? null : JSON.stringify(value))) : values;
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
    if (environments) values.push(scopeOf(environments(input)));
    return queryText<Row>(client, sent, values);
  };
}

/** A text as a constant in SQL. */
export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
