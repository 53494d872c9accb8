import { Prisma } from './client.ts';

/**
 * When a held run is due, as SQL: never. Searches for due runs therefore do not find held runs, and a large number of
 * them does not slow these searches. Releasing a run sets `held` to NULL and `due_at` to the current time.
 */
export const HELD_UNTIL: Prisma.Sql = Prisma.sql`'9999-12-31T00:00:00Z'::timestamptz`;
