import { isPooledDatabase } from '@postrider/domain';
import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { onStalePlan, streamOf } from './connection-stream.ts';
import { Prisma, PrismaClient } from './generated/client.ts';
import { sessionConfig } from './session-settings.ts';
import { keepSoundConnections } from './sound-connections.ts';

export type Database = PrismaClient;
/** What a query function takes: the client itself or an open transaction. */
export type Queryable = Prisma.TransactionClient;

/** Longest wait for a connection and longest life of an interactive transaction, in milliseconds. */
export const TRANSACTION_LIMITS = { maxWait: 5_000, timeout: 15_000 } as const;

/**
 * A connection that owes an answer and is silent for longer than any statement may take is dead, whatever TCP
 * says of it.
 */
const SILENCE_LIMIT_MS = 12_000;
const CONNECT_LIMIT_MS = 5_000;

export interface DatabaseOptions {
  /** Most connections. Keep it at 16 or less: more make one tenant's usage row slower, not faster. */
  readonly poolSize?: number;
  readonly silenceLimitMs?: number;
}

/** Statements that a connection keeps prepared; the service has some hundred. */
const MAX_PREPARED = 500;
const UNNAMED = '';

interface StatementNames {
  readonly nameOf: (query: { sql: string }) => string;
  /** Gives every statement another name from now on, so that each connection prepares it anew. */
  readonly renew: () => void;
}

/**
 * Names statements by their text, so that each connection parses and plans one only the first time: planning a
 * claim takes Postgres longer than carrying it out. Lists of varying length make ever new texts; beyond the
 * bound they stay unnamed.
 */
function createStatementNames(): StatementNames {
  const names = new Map<string, string>();
  let given = 0;
  return {
    nameOf({ sql }) {
      const known = names.get(sql);
      if (known !== undefined || names.size >= MAX_PREPARED) return known ?? UNNAMED;
      const name = `postrider_${given}`;
      given += 1;
      names.set(sql, name);
      return name;
    },
    renew: () => names.clear(),
  };
}

/** The connections of a pool at one moment, and those who wait for one. */
export interface PoolUse {
  readonly max: number;
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface OpenedDatabase {
  readonly db: Database;
  readonly poolUse: () => PoolUse;
}

/** {@link openPooledDatabase} for those who do not watch the pool. */
export function openDatabase(databaseUrl: string, options: DatabaseOptions = {}): Database {
  return openPooledDatabase(databaseUrl, options).db;
}

/**
 * Opens a client with a pool of connections, made when they are needed. Nothing asked of it waits for ever: a
 * connection that cannot be had within 5 s, a statement that takes 10 s and a network that swallows what is
 * sent are errors for which {@link isDatabaseUnreachable} is true.
 */
export function openPooledDatabase(
  databaseUrl: string,
  { poolSize = 10, silenceLimitMs = SILENCE_LIMIT_MS }: DatabaseOptions = {},
): OpenedDatabase {
  const { connectionString, greeting } = sessionConfig(databaseUrl);
  const statementNames = createStatementNames();
  const pool = new Pool({
    connectionString,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    keepAlive: true,
    async onConnect(client) {
      // Whoever uses the connection gets the rejection; between two users nobody listens, and the process
      // would end.
      client.on('error', () => undefined);
      const stream = streamOf(client);
      stream.setTimeout(silenceLimitMs, () => {
        stream.destroy(Object.assign(new Error('Postgres fell silent'), { code: 'ETIMEDOUT' }));
      });
      // A migration beside running processes: a statement under its old name would fail as long as they live.
      onStalePlan(client, statementNames.renew);
      if (greeting !== null) await client.query(greeting);
    },
  });
  keepSoundConnections(pool);
  // Prisma's longer formats quote arguments and source lines, which then stand in logs.
  const db = new PrismaClient({
    errorFormat: 'minimal',
    adapter: new PrismaPg(pool, {
      disposeExternalPool: true,
      // Through a pooler the next statement may meet a server that has prepared nothing.
      ...(isPooledDatabase(databaseUrl) ? {} : { statementNameGenerator: statementNames.nameOf }),
    }),
  });
  const poolUse = (): PoolUse => ({
    max: poolSize,
    inUse: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  });
  return { db, poolUse };
}

/**
 * SQLSTATE classes 08 (connection), 53 (resources) and 57P (shutdown), 25006 (a replica, after a failover),
 * 25P03 and 57014 (a time limit), 55P03 (a row stayed locked), 0A000 (a statement prepared before a migration,
 * of all that the service sends), Node's socket errors, and the kinds that
 * Prisma's driver adapter gives them: Postgres cannot do its work now, whatever was asked of it.
 */
const OUT_OF_REACH =
  /^(08|53|0A000|25006|25P03|55P03|57014|57P)|^(ECONNREFUSED|ECONNRESET|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EPIPE|ETIMEDOUT|POSTRIDER_OVERLOADED|P1001|P1002|P1008|P1017|P2024|P2028)$|^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/;
const OUT_OF_REACH_TEXT =
  /connection terminated|timeout exceeded when trying to connect|server closed the connection|can't reach database|fell silent|not queryable/i;

/** SQLSTATE of a wait for a lock that outlasted `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = '55P03';

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

/** SQLSTATE class 40 (deadlocks and serialization failures) and what Prisma makes of them. */
const CONFLICT = /^(40[0-9A-Z]{3}|P2034|TransactionWriteConflict)$/;

/**
 * True when the error says that Postgres gave a transaction up in favour of another one: nothing of it was
 * written, and the same may be tried again. It is no outage, see {@link isDatabaseUnreachable}.
 */
export function isTransactionConflict(error: unknown): boolean {
  return databaseErrorCodes(error).some((code) => CONFLICT.test(code));
}

export { Prisma };
