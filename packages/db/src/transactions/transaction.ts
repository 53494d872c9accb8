import {
  type AnyClient,
  boundDatabase,
  type Database,
  type Queryable,
  TOGETHER_LIMIT_MS,
  TRANSACTION_LIMITS,
  type UnboundDatabase,
} from '../client.ts';
import { databaseErrorCodes } from '../database-errors.ts';
import { scopeOf } from '../scope/scoped-client.ts';

/** Runs `change` in one transaction that only sees rows of these environments. */
export function changeInEnvironments<Result>(
  db: Database,
  environmentIds: Iterable<string>,
  change: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  const { bound, isRestricted } = boundDatabase(db);
  return bound.$transaction(async (tx) => {
    if (isRestricted) {
      await tx.$executeRaw`SELECT set_config('postrider.environments', ${scopeOf(environmentIds)}, true)`;
    }
    return change(tx as Queryable);
  }, TRANSACTION_LIMITS);
}

/**
 * Runs `read`, which only sees rows of these environments. If no policy applies to the client's role, it saves the
 * transaction that carries the setting.
 */
export function readInEnvironments<Result>(
  db: Database,
  environmentIds: Iterable<string>,
  read: (db: Queryable) => Promise<Result>,
): Promise<Result> {
  const { bound, isRestricted } = boundDatabase(db);
  return isRestricted ? changeInEnvironments(db, environmentIds, read) : read(bound as unknown as Queryable);
}

/**
 * Runs a change and its audit entry in one transaction across environments. A change that depends on the current
 * state locks the row first (`lockPlan` and others), so that the second of two concurrent changes sees the result of
 * the first.
 */
export function inTransaction<Result>(
  { db }: { readonly db: UnboundDatabase },
  run: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  return db.$transaction((tx) => run(tx as Queryable), TRANSACTION_LIMITS);
}

/** The time at which the transaction began, by the database's clock, in whole milliseconds. */
export async function timeOf(tx: Queryable): Promise<Date> {
  const [row] = await tx.$queryRaw<{ now: Date }[]>`SELECT date_trunc('milliseconds', now()) AS now`;
  if (!row) throw new Error('PostgreSQL returned no time');
  return row.now;
}

/**
 * Starts an accepting transaction: limits its waits for locks and returns the database's time in whole milliseconds,
 * which dates everything in the transaction. Process clocks are not used.
 */
export async function beginAccepting(tx: AnyClient, lockTimeoutMs: number): Promise<Date> {
  const [row] = await tx.$queryRaw<{ now: Date }[]>`
    SELECT set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true), date_trunc('milliseconds', now()) AS now`;
  if (!row) throw new Error('PostgreSQL returned no time');
  return row.now;
}

/** Runs reads across environments that all see the database as it is at the first of them. */
export function readAtOnce<Result>(
  { db }: { readonly db: UnboundDatabase },
  read: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  return db.$transaction((tx) => read(tx as Queryable), {
    ...TRANSACTION_LIMITS,
    isolationLevel: 'RepeatableRead',
  });
}

/** Changes that were made together took too long, and were undone. */
class TimeUpError extends Error {}

/** Whether {@link changeTogether} has reached its time limit. */
export const isTimeUp = (error: unknown): boolean => error instanceof TimeUpError;

/** Prisma's code for a transaction that could not be opened in time, or that its time limit has ended. */
const TRANSACTION_CLOSED = 'P2028';

/** Thrown to undo changes that were made together. */
class Undone<Result> extends Error {
  readonly result: Result;
  constructor(result: Result) {
    super('undone');
    this.result = result;
  }
}

/**
 * A client in a transaction, for functions that open their own: each of theirs becomes a savepoint, and what one of them has changed
 * before it throws is undone.
 */
function nestedClient(tx: Queryable): UnboundDatabase {
  const inSavepoint = async (run: (tx: Queryable) => Promise<unknown>) => {
    await tx.$executeRaw`SAVEPOINT step`;
    try {
      const result = await run(tx);
      await tx.$executeRaw`RELEASE SAVEPOINT step`;
      return result;
    } catch (error) {
      // The savepoint stays after a rollback: without its release, each step that fails would nest the next one deeper.
      await tx.$executeRaw`ROLLBACK TO SAVEPOINT step`
        .then(() => tx.$executeRaw`RELEASE SAVEPOINT step`)
        .catch(() => undefined);
      throw error;
    }
  };
  return new Proxy(tx, {
    get(target, name) {
      if (name === '$transaction') return inSavepoint;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  }) as unknown as UnboundDatabase;
}

/**
 * Runs several changes in one transaction: all of them are kept, or none if `isKept` is false or `run` throws. Functions that
 * take a client for work across environments accept that of `run`. Rejects if it takes too long, see {@link isTimeUp}.
 */
export async function changeTogether<Result extends { readonly isKept: boolean }>(
  { db }: { readonly db: UnboundDatabase },
  run: (db: UnboundDatabase) => Promise<Result>,
  limitMs: number = TOGETHER_LIMIT_MS,
): Promise<Result> {
  let isOpen = false;
  try {
    return await db.$transaction(
      async (tx) => {
        isOpen = true;
        // A template may be rendered for up to 5 s, while the transaction waits.
        await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = '10s'`;
        const result = await run(nestedClient(tx as Queryable));
        if (!result.isKept) throw new Undone(result);
        return result;
      },
      { ...TRANSACTION_LIMITS, timeout: limitMs },
    );
  } catch (error) {
    if (error instanceof Undone) return error.result as Result;
    if (isOpen && databaseErrorCodes(error).includes(TRANSACTION_CLOSED)) {
      throw new TimeUpError('the changes took too long', { cause: error });
    }
    throw error;
  }
}
