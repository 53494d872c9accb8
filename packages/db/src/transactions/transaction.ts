import {
  boundDatabase,
  type Database,
  type Queryable,
  TRANSACTION_LIMITS,
  type UnboundDatabase,
} from '../client.ts';
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
