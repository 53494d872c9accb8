/**
 * Processes the items in order, at most `atOnce` at a time. Takes an item only when a lane is free, so the items may be
 * endless. Settles when all work has ended, and rejects if any of it failed.
 */
export async function sideBySide<Item>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item, lane: number) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  async function run(_: unknown, lane: number): Promise<void> {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value, lane);
  }
  const lanes = await Promise.allSettled(Array.from({ length: atOnce }, run));
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason;
}

/** Yields 0, 1, 2, …: `count` numbers, or fewer if `isOver` returns true. */
export function* countUp(count: number, isOver: () => boolean = () => false): Generator<number> {
  for (let index = 0; index < count && !isOver(); index += 1) yield index;
}
