import { isPooledDatabase } from '@postrider/domain';
import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { Prisma, PrismaClient } from './generated/client.ts';
import {
  boundEnd,
  connectionsOf,
  FOREIGN_SESSION,
  guardPool,
  onRefusal,
  type PoolShares,
  STALE_PLAN,
} from './pool.ts';
import { ALL_ENVIRONMENTS, currentScope, ScopedClient, takeInScope } from './scope/scoped-client.ts';
import { sessionConfig } from './session-settings.ts';
import { createStatementNames, sendByPool, UNNAMED } from './statement.ts';

declare const scoped: unique symbol;

/** Marks clients whose statements say which environments they are for. It exists only for the compiler. */
interface Scoped {
  readonly [scoped]: true;
}

/**
 * A client that by itself sees no rows of any environment. Code that reads or writes such rows takes a {@link
 * Queryable}, or defines a statement that names its environments (`environments` of `defineStatement`).
 */
export type Database = PrismaClient;
/** A client for work across environments, see {@link acrossEnvironments}. */
export type UnboundDatabase = PrismaClient & Scoped;
/** The client of a query function: an open transaction in some environments, or one across all. */
export type Queryable = Prisma.TransactionClient & Scoped;
/** The client of a function whose statements name their environments themselves, or see no rows of any. */
export type AnyClient = Prisma.TransactionClient;

/**
 * Limits in milliseconds: the wait for a connection, longer than those for the share of the pool and for the connection
 * itself (5 s each), whose errors say more; and the duration of an interactive transaction.
 */
export const TRANSACTION_LIMITS = { maxWait: 11_000, timeout: 15_000 } as const;
/**
 * How long changes that are made together may take, in milliseconds, with the rendering of their templates: the longest transaction
 * that ends runs.
 */
export const TOGETHER_LIMIT_MS = 60_000;

/**
 * A connection whose response is overdue for longer than any statement may take counts as dead, whatever TCP reports.
 */
const SILENCE_LIMIT_MS = 12_000;
/** How much longer a statement may take whose connection is not silent. The server cancels it after 10 s. */
const TALKING_EXTRA_MS = 3_000;
const CONNECT_LIMIT_MS = 5_000;
/** For the statements that still run when the pool is closed. */
const END_LIMIT_MS = 1_000;
/**
 * A new connection costs PostgreSQL about 20 ms of processor time until it has planned the statements of an event. So
 * idle connections stay open, but for less time than networks usually keep them.
 */
const IDLE_LIMIT_MS = 300_000;
const KEEP_ALIVE_AFTER_MS = 60_000;

interface DatabaseOptions {
  /** The most connections. Keep it at 16 or less: more make one tenant's usage row slower, not faster. */
  readonly poolSize?: number;
  /** Divides the pool, which is then as large as its shares; see `inShare`. */
  readonly shares?: PoolShares;
  readonly silenceLimitMs?: number;
  /** How long an idle connection is used without a trial. */
  readonly trustedIdleMs?: number;
}

/** The connections of a pool, and the callers that wait for one. */
interface PoolUse {
  readonly max: number;
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
}

/** The scopes of a client that was opened here. */
interface Scopes {
  /** Whether policies apply to its role; true until the first connection has shown it. */
  readonly isRestricted: () => boolean;
  readonly across: () => UnboundDatabase;
  readonly within: () => UnboundDatabase;
  /** The client whose transactions name their environments; null for that client itself. */
  readonly bound: Database | null;
}

/** A property of the client, so that wrappers of the client have it too. */
const SCOPES = Symbol('scopes');

function scopesOf(db: Database): Scopes {
  const found = (db as { [SCOPES]?: Scopes })[SCOPES];
  if (!found) throw new Error('the client was not opened by openPooledDatabase');
  return found;
}

/**
 * The same pool for work across environments: finding rows by id or time only, and operators' actions. Row-level
 * security hides nothing from it, so each use bypasses tenant isolation and needs a reason.
 */
export function acrossEnvironments(db: Database): UnboundDatabase {
  return scopesOf(db).across();
}

/**
 * The same pool for operations that identify a resource by its id only, on behalf of one environment: statements see and
 * change only rows of the environment of `inEnvironment`, whatever environments they name, and none outside of it. For a
 * role that owns the tables there is no row-level security, so an operation still has to check ids.
 */
export function withinEnvironment(db: Database): UnboundDatabase {
  return scopesOf(db).within();
}

/** The client whose transactions name their environments, and whether policies apply to its role. */
export function boundDatabase(db: Database): { readonly bound: Database; readonly isRestricted: boolean } {
  const { bound, isRestricted } = scopesOf(db);
  return { bound: bound ?? db, isRestricted: isRestricted() };
}

/** Creates a value when it is first needed. */
function once<Value>(create: () => Value): () => Value {
  let created: { readonly value: Value } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}

export interface OpenedDatabase {
  readonly db: Database;
  readonly poolUse: () => PoolUse;
}

/** {@link openPooledDatabase} without the pool statistics. */
export function openDatabase(databaseUrl: string, options: DatabaseOptions = {}): Database {
  return openPooledDatabase(databaseUrl, options).db;
}

/**
 * Opens a client with a pool of connections, which are created when needed. Nothing waits forever: no share of the pool
 * within 5 s, then no connection within 5 s, a statement that takes 10 s, and a network that drops packets are errors for
 * which {@link isDatabaseUnreachable} is true.
 */
export function openPooledDatabase(
  databaseUrl: string,
  {
    shares,
    poolSize = shares ? connectionsOf(shares) : 10,
    silenceLimitMs = SILENCE_LIMIT_MS,
    trustedIdleMs,
  }: DatabaseOptions = {},
): OpenedDatabase {
  const { connectionString, greeting } = sessionConfig(databaseUrl);
  const statementNames = createStatementNames();
  const isPooled = isPooledDatabase(databaseUrl);
  const restriction = { holds: true };
  const pool = new Pool({
    Client: ScopedClient,
    connectionString,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    query_timeout: silenceLimitMs + TALKING_EXTRA_MS,
    idleTimeoutMillis: IDLE_LIMIT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    async onConnect(client) {
      // The user of the connection gets the rejection. An idle connection has no listener, and the error would end
      // the process.
      client.on('error', () => undefined);
      guard.watch(client);
      // After a migration, statements prepared before it would fail for the rest of the process's life.
      onRefusal(client, [STALE_PLAN], statementNames.renew);
      // The URL does not declare a pooler, but there is one: new names would be unknown to its sessions, too.
      onRefusal(client, FOREIGN_SESSION, statementNames.giveUp);
      await client.query(greeting);
      restriction.holds = await (client as ScopedClient).prepareScopes({ isPooled });
    },
  });
  const guard = guardPool(pool, { shares, inUseMs: silenceLimitMs, trustedIdleMs });
  boundEnd(pool, END_LIMIT_MS);
  // A broken idle connection is removed; the next caller gets another one.
  pool.on('error', () => undefined);
  const acrossPool = takeInScope(pool, () => ALL_ENVIRONMENTS, false);
  const withinPool = takeInScope(pool, currentScope, true);
  // Through a pooler, the next statement may reach a server session without prepared statements.
  const nameOf = isPooled ? () => UNNAMED : statementNames.nameOf;
  const openClient = (source: Pool, disposeExternalPool: boolean) => {
    const client = new PrismaClient({
      // Prisma's longer formats quote arguments and source lines, which then appear in logs.
      errorFormat: 'minimal',
      adapter: new PrismaPg(source, { disposeExternalPool, statementNameGenerator: nameOf }),
    });
    sendByPool(client, source, nameOf);
    return client;
  };
  const db = openClient(pool, true);
  const isRestricted = () => restriction.holds;
  const across = once((): UnboundDatabase => {
    const client = openClient(acrossPool, false) as UnboundDatabase;
    return Object.assign(client, { [SCOPES]: { isRestricted, across, within, bound: db } satisfies Scopes });
  });
  const within = once((): UnboundDatabase => {
    const client = openClient(withinPool, false) as UnboundDatabase;
    const own = () => client;
    // Its statements have a scope already, and nothing leads from it to other environments.
    const scopes: Scopes = { isRestricted: () => false, across: own, within: own, bound: null };
    return Object.assign(client, { [SCOPES]: scopes });
  });
  Object.assign(db, { [SCOPES]: { isRestricted, across, within, bound: null } satisfies Scopes });
  const poolUse = (): PoolUse => ({
    max: poolSize,
    inUse: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount + guard.waiting(),
  });
  return { db, poolUse };
}

export {
  databaseErrorCodes,
  describeDatabaseError,
  describeOutage,
  isDatabaseUnreachable,
  isLockNotAvailable,
  isTransactionConflict,
} from './database-errors.ts';
export { Prisma };

/** Copies into a buffer of its own, as Prisma's type for bytes requires. */
export const bytes = (value: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(value);
