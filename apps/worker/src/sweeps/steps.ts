import { settleOrder, type UnboundDatabase } from '@postrider/db';
import type { Enqueue } from '@postrider/queue';

/** Rows per transaction, and transactions per round. */
export const BATCH = 1_000;
const MAX_BATCHES = 20;

/** Repeats a step while there is more, up to `times` times. Returns how many items it handled. */
export async function repeat(
  step: () => Promise<{ readonly handled: number; readonly hasMore: boolean }>,
  times = MAX_BATCHES,
): Promise<number> {
  let total = 0;
  for (let time = 0; time < times; time += 1) {
    const { handled, hasMore } = await step();
    total += handled;
    if (!hasMore) break;
  }
  return total;
}

/** Repeats a step until it handles fewer rows than it may. */
export const inBatches = (
  step: (limit: number) => Promise<number>,
  { limit = BATCH, times = MAX_BATCHES }: { readonly limit?: number; readonly times?: number } = {},
): Promise<number> =>
  repeat(async () => {
    const handled = await step(limit);
    return { handled, hasMore: handled >= limit };
  }, times);

interface OrderDeps {
  readonly db: UnboundDatabase;
  readonly enqueue: Enqueue;
}

/** Ended runs per transaction. */
const ENDED_AT_ONCE = 500;

/** Moves the turns of all keys with ended runs, in batches. Returns how many runs ended. */
export const moveTurns = ({ db, enqueue }: OrderDeps): Promise<number> =>
  inBatches(
    async (limit) => {
      const { ends, runs } = await settleOrder(db, limit);
      await enqueue(runs);
      return ends;
    },
    { limit: ENDED_AT_ONCE, times: Number.POSITIVE_INFINITY },
  );

/**
 * Creates a function that moves turns in the background, for a worker that has just ended an ordered run. Calls
 * during a round share the next round.
 */
export function createMoveOrder(
  deps: OrderDeps & { readonly onError: (error: unknown) => void },
): () => void {
  let isWorking = false;
  let isRequested = false;
  async function work(): Promise<void> {
    isWorking = true;
    while (isRequested) {
      isRequested = false;
      await moveTurns(deps).catch(deps.onError);
    }
    isWorking = false;
  }
  return () => {
    isRequested = true;
    if (!isWorking) void work();
  };
}
