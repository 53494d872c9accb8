import { PrismaPg } from '@prisma/adapter-pg';
import { Prisma, PrismaClient } from './generated/client.ts';

export type Database = PrismaClient;
/** What a query function takes: the client itself or an open transaction. */
export type Queryable = Prisma.TransactionClient;

/** Longest wait for a connection and longest life of an interactive transaction, in milliseconds. */
export const TRANSACTION_LIMITS = { maxWait: 5_000, timeout: 15_000 } as const;

/**
 * Opens a client with a pool of at most `poolSize` connections. Keep it at 16 or less: more connections make one
 * tenant's usage row slower, not faster. A connection that cannot be had within 5 s is an error.
 */
export function openDatabase(databaseUrl: string, { poolSize = 10 }: { poolSize?: number } = {}): Database {
  const adapter = new PrismaPg({
    connectionString: databaseUrl,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  return new PrismaClient({ adapter });
}

/**
 * SQLSTATE classes 08 (connection), 53 (resources), 55P03 (a row stayed locked) and 57P (shutdown), Node's socket errors, and the kinds that
 * Prisma's driver adapter gives them: Postgres
 * cannot do its work now, whatever was asked of it.
 */
const OUT_OF_REACH =
  /^(08|53|55P03|57P)|^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|ETIMEDOUT|P1001|P1002|P1008|P1017|P2024|P2028)$|^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/;
const OUT_OF_REACH_TEXT =
  /connection terminated|timeout exceeded when trying to connect|server closed the connection|can't reach database/i;

/** The codes and kinds carried by an error and its causes, outermost first. */
export function databaseErrorCodes(error: unknown): string[] {
  const codes: string[] = [];
  let current: unknown = error;
  for (let depth = 0; current && typeof current === 'object' && depth < 8; depth += 1) {
    const { code, originalCode, kind, meta, cause } = current as Record<string, unknown>;
    for (const candidate of [code, originalCode, kind]) {
      if (typeof candidate === 'string') codes.push(candidate);
    }
    current = cause ?? (meta as Record<string, unknown> | undefined)?.driverAdapterError;
  }
  return codes;
}

/** True when the error says that Postgres cannot be reached now, as opposed to refusing what was asked. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (databaseErrorCodes(error).some((code) => OUT_OF_REACH.test(code))) return true;
  const message = (error as { message?: unknown } | null)?.message;
  return typeof message === 'string' && OUT_OF_REACH_TEXT.test(message);
}

export { Prisma };
