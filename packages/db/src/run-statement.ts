import { DatabaseError, type Pool, type QueryConfig, type QueryResult, types } from 'pg';
import type { AnyClient } from './client.ts';
import type { PrismaClient } from './generated/client.ts';

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
