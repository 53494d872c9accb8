import type { Queryable } from '../client.ts';

/** Those of the channels that are enabled and of the environment, in the order of `ids`. */
export async function findUsableChannels(
  db: Queryable,
  { environmentId, ids }: { readonly environmentId: string; readonly ids: readonly string[] },
): Promise<ReadonlySet<string>> {
  const rows = await db.channel.findMany({
    where: { environmentId, id: { in: [...ids] }, enabled: true, deletedAt: null },
    select: { id: true },
  });
  const usable = new Set(rows.map(({ id }) => id));
  return new Set(ids.filter((id) => usable.has(id)));
}
