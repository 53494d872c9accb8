import { isPooledDatabase } from '@postrider/domain';
import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { FOREIGN_SESSION, onRefusal, STALE_PLAN, streamOf } from './connection-stream.ts';
import { Prisma, PrismaClient } from './generated/client.ts';
import { sessionConfig } from './session-settings.ts';
import { keepSoundConnections } from './sound-connections.ts';
import { createStatementNames } from './statement-names.ts';

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
      onRefusal(client, [STALE_PLAN], statementNames.renew);
      // A pooler that the URL does not speak of: other names would be lost as these were.
      onRefusal(client, FOREIGN_SESSION, statementNames.giveUp);
      await client.query(greeting);
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

export {
  databaseErrorCodes,
  isDatabaseUnreachable,
  isTransactionConflict,
  LOCK_NOT_AVAILABLE,
} from './database-errors.ts';
export { Prisma };
