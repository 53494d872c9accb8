import type { IdSource } from '@postrider/domain';
import { type Queryable, TRANSACTION_LIMITS, type UnboundDatabase } from '../client.ts';
import type { Actor } from './audit.ts';

/** Dependencies of all configuration changes. */
export interface ConfigureDeps {
  /** An operator's work goes across environments: it finds a resource by its id alone. */
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  readonly actor: Actor;
}

/**
 * Runs a change and its audit entry in one transaction, which goes across environments as `db` does. A change that
 * depends on what is there locks the row (`lockPlan` and the like), decides, and writes, so that of two at once the
 * second decides on what the first has left.
 */
export function inTransaction<Result>(
  { db }: Pick<ConfigureDeps, 'db'>,
  run: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  return db.$transaction((tx) => run(tx as Queryable), TRANSACTION_LIMITS);
}

/** A page in the order of a key: `after` is the key that the page before ended with. */
export interface PageRequest {
  readonly after: string | null;
  readonly limit: number;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The key of the last row when there are more. */
  readonly nextAfter: string | null;
}

/** A page out of `limit + 1` rows, of which the last only tells that there are more. */
export function pageOf<Row>(found: readonly Row[], limit: number, keyOf: (row: Row) => string): Page<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextAfter: found.length > limit && last !== undefined ? keyOf(last) : null };
}
