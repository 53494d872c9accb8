import { AsyncLocalStorage } from 'node:async_hooks';
import type { QueryConfig } from 'pg';
import { Prisma } from '../generated/client.ts';

/** The scope of work across all environments. */
export const ALL_ENVIRONMENTS = 'all';

/** The end of a statement with {@link environmentScope}; its value is the last one. */
const SCOPE = /\/\* environments: \$\d+ \*\/$/;
/** An upper bound for the length of that end, in characters, so that the search does not read the whole statement. */
const END_LENGTH = 40;

/** The scope of some environments, as a value of the setting `postrider.environments`. */
export function scopeOf(environmentIds: Iterable<string>): string {
  return `{${[...new Set(environmentIds)].join(',')}}`;
}

/**
 * Ends a raw statement with the environments that it is for; policies hide the rows of all others. It is a value in a
 * comment, which the connection removes and sets before the statement, without a round trip. So the text, and the
 * prepared statement, are the same for all environments.
 */
export function environmentScope(environmentIds: Iterable<string>): Prisma.Sql {
  return Prisma.sql`/* environments: ${scopeOf(environmentIds)} */`;
}

/** The statement without its scope, and the scope; undefined if there is none. */
export function takeScope(config: QueryConfig): { query: QueryConfig; scope?: string } {
  const values = config.values as unknown[] | undefined;
  if (!values || !SCOPE.test(config.text.slice(-END_LENGTH))) return { query: config };
  return { query: { ...config, values: values.slice(0, -1) }, scope: String(values.at(-1)) };
}

const current = new AsyncLocalStorage<string>();

/** Runs `work`, in which statements of `withinEnvironment` only see rows of this environment. */
export function inEnvironment<Result>(environmentId: string, work: () => Result): Result {
  return current.run(scopeOf([environmentId]), work);
}

/** The scope of the current {@link inEnvironment}; outside of it that of no environment. */
export const currentScope = (): string => current.getStore() ?? scopeOf([]);
