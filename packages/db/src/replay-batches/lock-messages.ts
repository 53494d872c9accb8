import type { Queryable } from '../client.ts';

/**
 * Locks messages for the transaction, before anything is decided about them, and returns those that are still there, in
 * the order of `ids`. In the order of their ids, as whoever erases and removes messages: so that nobody waits in a circle.
 * As strong as the update that counts a replay, so that it is never made stronger.
 */
export async function lockMessages(
  tx: Queryable,
  { environmentId, ids }: { readonly environmentId: string; readonly ids: readonly string[] },
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM messages WHERE environment_id = ${environmentId}::uuid AND id = ANY(${ids}::uuid[])
     ORDER BY id FOR NO KEY UPDATE`;
  const locked = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => locked.has(id));
}
