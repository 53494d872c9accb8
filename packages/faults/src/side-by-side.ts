/**
 * Works through the items in order, so many at a time. Resolves when all work has ended; rejects then when
 * any of it failed.
 */
export async function sideBySide<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  async function lane(): Promise<void> {
    for (const item of waiting) await work(item);
  }
  const lanes = await Promise.allSettled(Array.from({ length: atOnce }, lane));
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason;
}
