import { placeDueRuns, settleOrder, type UnboundDatabase } from '@postrider/db';
import type { EnqueueRuns } from '@postrider/queue';

/** Ended runs of one transaction, and scheduled runs that get their places in one. */
const BATCH = 500;

export interface OrderDeps {
  readonly db: UnboundDatabase;
  readonly enqueue: EnqueueRuns;
}

/** Lets the next run of every key go of which one has ended, batch by batch. Returns how many ended. */
async function moveTurns({ db, enqueue }: OrderDeps): Promise<number> {
  let ended = 0;
  for (;;) {
    const { ends, runs } = await settleOrder(db, BATCH);
    await enqueue(runs);
    ended += ends;
    if (ends < BATCH) return ended;
  }
}

/**
 * Moves the turn on of every ordering key of which a run has ended, and gives scheduled runs whose time has come their places.
 * Every worker does: the database decides between them. Returns how many runs it was about. Runs whose enqueueing fails are
 * found by the sweep of due runs.
 */
export async function sweepOrder(deps: OrderDeps): Promise<number> {
  const ended = await moveTurns(deps);
  let placed = 0;
  for (;;) {
    const batch = await placeDueRuns(deps.db, BATCH);
    await deps.enqueue(batch.runs);
    placed += batch.placed;
    if (batch.placed < BATCH) return ended + placed;
  }
}

/**
 * Creates a function that moves turns on in the background, for a worker that has just ended an ordered run. Calls while it works
 * make one more round together.
 */
export function createMoveOrder(
  deps: OrderDeps & { readonly onError: (error: unknown) => void },
): () => void {
  let isWorking = false;
  let isAsked = false;
  async function work(): Promise<void> {
    isWorking = true;
    while (isAsked) {
      isAsked = false;
      await moveTurns(deps).catch(deps.onError);
    }
    isWorking = false;
  }
  return () => {
    isAsked = true;
    if (!isWorking) void work();
  };
}
