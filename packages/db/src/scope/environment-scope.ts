import type { QueryConfig } from 'pg';
import { Prisma } from '../generated/client.ts';

/** The scope of work that by its nature goes across environments. */
export const ALL_ENVIRONMENTS = 'all';

/** What {@link environmentScope} leaves at the end of a statement's text: its value is the last one. */
const SCOPE = /\/\* environments: \$\d+ \*\/$/;

/** The scope of some environments, as the setting `postrider.environments` has it. */
export function scopeOf(environmentIds: Iterable<string>): string {
  return `{${[...new Set(environmentIds)].join(',')}}`;
}

/**
 * Says at the very end of a raw statement which environments it is for; policies hide the rows of all others from it.
 * It is an argument in a comment, which the connection takes off and sets before the statement, without a round trip:
 * the text stays the same for all environments, and so does what Postgres has prepared.
 */
export function environmentScope(environmentIds: Iterable<string>): Prisma.Sql {
  return Prisma.sql`/* environments: ${scopeOf(environmentIds)} */`;
}

/** The statement without its scope, and the scope; undefined where none is written. */
export function takeScope(config: QueryConfig): { query: QueryConfig; scope?: string } {
  const values = config.values as unknown[] | undefined;
  if (!values || !SCOPE.test(config.text)) return { query: config };
  return { query: { ...config, values: values.slice(0, -1) }, scope: String(values.at(-1)) };
}
