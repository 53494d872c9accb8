import type { Queryable } from '../client.ts';

/** Erasures that are not completed, in random order, so that of very many none is always last. */
export async function findOpenErasures(db: Queryable, limit: number): Promise<{ readonly id: string }[]> {
  return db.$queryRaw`
    SELECT id FROM erasures WHERE completed_at IS NULL ORDER BY random() LIMIT ${limit}`;
}
