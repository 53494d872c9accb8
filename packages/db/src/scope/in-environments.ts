import { boundDatabase, type Database, type Queryable, TRANSACTION_LIMITS } from '../client.ts';
import { scopeOf } from './environment-scope.ts';

/** Runs `change` in one transaction, which sees rows of these environments and no others. */
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
 * Runs `read`, which sees rows of these environments and no others. Where no policy holds for the client's role it is
 * spared the transaction that carries the setting.
 */
export function readInEnvironments<Result>(
  db: Database,
  environmentIds: Iterable<string>,
  read: (db: Queryable) => Promise<Result>,
): Promise<Result> {
  const { bound, isRestricted } = boundDatabase(db);
  return isRestricted ? changeInEnvironments(db, environmentIds, read) : read(bound as unknown as Queryable);
}
