import { DatabaseError, type Pool, type QueryConfig, type QueryResult, types } from 'pg';
import type { AnyClient } from './client.ts';
import type { Prisma, PrismaClient } from './generated/client.ts';

/** SQLSTATE, message and nothing else of a rejection: the driver's error also has the values of rows. */
export class StatementError extends Error {
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
/** As a session in UTC writes a time from the year 1000 to 9999. */
const UTC_LENGTHS = { least: '2026-11-22 10:00:00+00'.length, end: '+00' };

/** The driver's own parser takes any time in any zone, and several microseconds for it. */
function toDate(text: string): unknown {
  const isUtc = text.endsWith(UTC_LENGTHS.end) && text[10] === ' ' && text.length >= UTC_LENGTHS.least;
  return isUtc ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : parseTime(text);
}

/** What a row has instead of the driver's own values, so that it is as one of `$queryRaw`. */
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

/** Has {@link queryRows} send the statements of a client by its pool, which Prisma listens to and ends once it is connected. */
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
 * As `$queryRaw`, without Prisma's way there and back, which takes a client longer than the driver does: for the statements
 * that every event needs. Values are those that the driver takes: texts, numbers, booleans, dates, bytes, and arrays of them.
 * In a transaction, and for a client that is wrapped, it is `$queryRaw`.
 * @throws StatementError when Postgres rejects the statement
 */
export async function queryRows<Row>(client: AnyClient, statement: Prisma.Sql): Promise<Row[]> {
  const run = runs.get(client);
  if (!run) return client.$queryRaw<Row[]>(statement);
  try {
    const { rows } = await run(statement.text, statement.values as unknown[]);
    return rows;
  } catch (error) {
    throw error instanceof DatabaseError ? new StatementError(error) : error;
  }
}
