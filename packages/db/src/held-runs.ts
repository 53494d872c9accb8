import { Prisma } from './client.ts';

/**
 * When a held run is due, as SQL: never. So nothing that looks for due runs finds it, and a backlog of held runs costs no
 * search anything. Releasing one sets `held` to NULL and `due_at` to the time of then.
 */
export const HELD_UNTIL: Prisma.Sql = Prisma.sql`'9999-12-31T00:00:00Z'::timestamptz`;
