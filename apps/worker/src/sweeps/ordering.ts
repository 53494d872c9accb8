import { settleOrder, type UnboundDatabase } from '@postrider/db';
import type { Enqueue } from '@postrider/queue';
import { inBatches } from './loop.ts';

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
      const { ends, wakeUps } = await settleOrder(db, limit);
      await enqueue(wakeUps);
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
