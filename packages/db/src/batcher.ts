/** Runs a batch and returns one result per item, in the items' order. Throws when the whole batch came to nothing. */
export type RunBatch<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

/** Runs one item, alone or together with others. */
export type Batched<Item, Result> = (item: Item) => Promise<Result>;

export interface BatcherOptions {
  /** Most items of one batch. */
  readonly maxItems: number;
  /** Most batches in flight at once; items that arrive meanwhile form the next batch. */
  readonly maxInFlight: number;
  /** Whether a failed batch is worth running item by item, because one item may be the cause. */
  readonly isItemFault: (error: unknown) => boolean;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Coalesces concurrent calls into batches without adding latency: an idle batcher runs an item at once, and what
 * arrives while every place is taken forms the next batch. A batch that fails for the sake of an item
 * (`isItemFault`) is run again item by item, so that only the faulty item fails; `run` must therefore leave nothing
 * behind when it throws, which a transaction guarantees. Any other failure rejects every item of the batch.
 */
export function createBatcher<Item, Result>(
  run: RunBatch<Item, Result>,
  { maxItems, maxInFlight, isItemFault }: BatcherOptions,
): Batched<Item, Result> {
  const queue: Waiting<Item, Result>[] = [];
  let inFlight = 0;

  async function settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, index) => {
        if (index in results) resolve(results[index] as Result);
        else reject(new Error(`the batch gave no result for item ${index}`));
      });
    } catch (error) {
      if (batch.length > 1 && isItemFault(error)) {
        for (const waiting of batch) await settle([waiting]);
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  }

  function startNext(): void {
    while (inFlight < maxInFlight && queue.length > 0) {
      inFlight += 1;
      void settle(queue.splice(0, maxItems)).finally(() => {
        inFlight -= 1;
        startNext();
      });
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (queue.length === 1) setImmediate(startNext);
    });
}
