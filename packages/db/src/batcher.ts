import { groupBy } from '@postrider/domain';
import { EVERYONE, inShare } from './pool.ts';

/** Runs a batch and returns one result per item, in order. Throws if the whole batch failed. */
type RunBatch<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

/** Runs one item, alone or together with others. */
type Batched<Item, Result> = (item: Item) => Promise<Result>;

/** Called after every batch, successful or not, with its number of items and its duration in milliseconds. */
export type ObserveBatch = (items: number, durationMs: number) => void;

export interface BatcherOptions<Item> {
  /** Most items of one batch. */
  readonly maxItems: number;
  /** Most batches in flight at once; items that arrive meanwhile form the next batch. */
  readonly maxInFlight: number;
  /** Whether one item can have caused a failure, so that the batch is repeated in parts; by default none can. */
  readonly isItemError?: (error: unknown) => boolean;
  /**
   * The group of an item, such as its tenant. A failed batch is split by group first, and the statements of a batch of one
   * group are charged to it.
   */
  readonly groupOf?: (item: Item) => string;
  /** Whether one group can have caused a failure although no single item did. */
  readonly isGroupError?: (error: unknown) => boolean;
  /** The size of an item in bytes; 0 by default. */
  readonly sizeOf?: (item: Item) => number;
  /** Most bytes of a batch of several items; 4 MiB by default. */
  readonly maxBatchBytes?: number;
  readonly onBatch?: ObserveBatch | undefined;
  /** How items wait for others under load; not at all by default. */
  readonly linger?: Linger<Item> | undefined;
}

/** When a batcher pauses between batches; see {@link createBatcher}. */
export interface Linger<Item> {
  /** The longest pause between two batches, in milliseconds. */
  readonly ms: number;
  /** This many waiting items end the pause. */
  readonly enoughItems: number;
  /** Whether an item must not wait for others, so that it ends the pause; none by default. */
  readonly isUrgent?: (item: Item) => boolean;
  /** Calls `end` once after `ms`; a timer by default. */
  readonly wait?: (end: () => void, ms: number) => void;
}

/**
 * A batch of fewer items is not load: they came from one event, or met by chance, and the next item should not wait. A pause
 * follows larger ones.
 */
const ITEMS_UNDER_LOAD = 4;

/** The most bytes per batch, and waiting. It limits memory and the work of PostgreSQL for items of any size. */
const DEFAULT_BATCH_BYTES = 4 * 1_048_576;
const MAX_QUEUED_BYTES = 64 * 1_048_576;
/** The most waiting items. At 10,000 a second that is a fifth of a second's work. */
const MAX_QUEUED_ITEMS = 2_000;

/** Too many items are waiting. The caller gets this at once instead of waiting. */
export class BatcherOverloadedError extends Error {
  readonly code = 'POSTRIDER_OVERLOADED';

  constructor() {
    super('more work waits for Postgres than can be done soon');
  }
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly size: number;
  readonly urgent: boolean;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Coalesces concurrent calls into batches. It has these states:
 *
 * ## Idle
 *
 * No item waits. The next one runs at once.
 *
 * ## Full
 *
 * All batches are in flight. Items that arrive meanwhile form the next one.
 *
 * ## Pausing
 *
 * With `linger`, a pause follows each batch of at least `ITEMS_UNDER_LOAD` items. It ends after `linger.ms`, when enough items wait, or
 * when an urgent one does. So batches are larger under load, an item waits at most `linger.ms` longer, and without load
 * none waits.
 *
 * If an error can come from a group or an item, the failed batch is split by group, in parallel, and a group by item,
 * one by one. So only the faulty item fails, and one group hardly delays the others. `run` must therefore leave nothing behind
 * when it throws, for example by a transaction. Any other failure rejects every item. Rejects with {@link BatcherOverloadedError}
 * if too many items are waiting.
 */
export function createBatcher<Item, Result>(
  run: RunBatch<Item, Result>,
  options: BatcherOptions<Item>,
): Batched<Item, Result> {
  const { maxItems, maxInFlight, isItemError = () => false, isGroupError, groupOf, onBatch } = options;
  const { sizeOf = () => 0, maxBatchBytes = DEFAULT_BATCH_BYTES, linger } = options;
  type Batch = readonly Waiting<Item, Result>[];
  const queue: Waiting<Item, Result>[] = [];
  const enoughItems = Math.min(linger?.enoughItems ?? 1, maxItems);
  let queuedBytes = 0;
  let urgentItems = 0;
  let inFlight = 0;
  /** Identifies the current pause, so that the timer of an earlier one does not end it. */
  let pause: symbol | null = null;

  /** The parts to repeat after a failure; null if splitting cannot help. */
  function split(batch: Batch, error: unknown): { parts: Batch[]; atOnce: boolean } | null {
    const byItem = isItemError(error);
    if (groupOf && (byItem || isGroupError?.(error))) {
      const groups = [...groupBy(batch, ({ item }) => groupOf(item)).values()];
      if (groups.length > 1) return { parts: groups, atOnce: true };
    }
    if (!byItem || batch.length === 1) return null;
    return { parts: batch.map((waiting) => [waiting]), atOnce: false };
  }

  function ownerOf(batch: Batch): string {
    const [owner = EVERYONE, ...others] = new Set(groupOf ? batch.map(({ item }) => groupOf(item)) : []);
    return others.length === 0 ? owner : EVERYONE;
  }

  async function observed(batch: Batch): Promise<readonly Result[]> {
    const beganAt = performance.now();
    try {
      return await inShare('work', () => run(batch.map(({ item }) => item)), ownerOf(batch));
    } finally {
      onBatch?.(batch.length, performance.now() - beganAt);
    }
  }

  async function settle(batch: Batch): Promise<void> {
    try {
      const results = await observed(batch);
      batch.forEach(({ resolve, reject }, index) => {
        if (index in results) resolve(results[index] as Result);
        else reject(new Error(`the batch gave no result for item ${index}`));
      });
    } catch (error) {
      const again = split(batch, error);
      if (!again) for (const { reject } of batch) reject(error);
      else if (again.atOnce) await Promise.all(again.parts.map(settle));
      else for (const part of again.parts) await settle(part);
    }
  }

  function takeBatch(): Batch {
    let count = 0;
    let bytes = 0;
    for (const { size } of queue.slice(0, maxItems)) {
      if (count > 0 && bytes + size > maxBatchBytes) break;
      count += 1;
      bytes += size;
    }
    queuedBytes -= bytes;
    const batch = queue.splice(0, count);
    urgentItems -= batch.filter(({ urgent }) => urgent).length;
    return batch;
  }

  function pauseAfter(batch: Batch): void {
    if (!linger || batch.length < ITEMS_UNDER_LOAD) return;
    const begun = Symbol();
    pause = begun;
    (linger.wait ?? setTimeout)(() => {
      if (pause !== begun) return;
      pause = null;
      startNext();
    }, linger.ms);
  }

  const isBatchReady = () => queue.length > 0 && (!pause || urgentItems > 0 || queue.length >= enoughItems);

  function startNext(): void {
    while (inFlight < maxInFlight && isBatchReady()) {
      pause = null;
      inFlight += 1;
      const batch = takeBatch();
      void settle(batch).finally(() => {
        inFlight -= 1;
        pauseAfter(batch);
        startNext();
      });
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const size = sizeOf(item);
      if (queue.length >= MAX_QUEUED_ITEMS || queuedBytes + size > MAX_QUEUED_BYTES) {
        reject(new BatcherOverloadedError());
        return;
      }
      queuedBytes += size;
      const urgent = linger?.isUrgent?.(item) ?? false;
      if (urgent) urgentItems += 1;
      queue.push({ item, size, urgent, resolve, reject });
      if (queue.length === 1 || queue.length === enoughItems || urgent) setImmediate(startNext);
    });
}
