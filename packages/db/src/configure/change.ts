import type { IdSource } from '@postrider/domain';
import { type Queryable, TRANSACTION_LIMITS, type UnboundDatabase } from '../client.ts';
import type { Actor } from './audit.ts';

/** Dependencies of all configuration changes. */
export interface ConfigureDeps {
  /** Operators work across environments: they identify a resource by its id only. */
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  readonly actor: Actor;
}

/**
 * Runs a change and its audit entry in one transaction across environments. A change that depends on the current
 * state locks the row first (`lockPlan` and others), so that the second of two concurrent changes sees the result of
 * the first.
 */
export function inTransaction<Result>(
  { db }: Pick<ConfigureDeps, 'db'>,
  run: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  return db.$transaction((tx) => run(tx as Queryable), TRANSACTION_LIMITS);
}

/** A page request; `after` is the last key of the previous page. */
export interface PageRequest {
  readonly after: string | null;
  readonly limit: number;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The key of the last row if there are more, else null. */
  readonly nextAfter: string | null;
}

/** Makes a page from `limit + 1` rows; the additional row only shows that there are more. */
export function pageOf<Row>(found: readonly Row[], limit: number, keyOf: (row: Row) => string): Page<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextAfter: found.length > limit && last !== undefined ? keyOf(last) : null };
}
