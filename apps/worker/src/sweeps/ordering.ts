import {
  forgetIdleKeys,
  type OrderingKey,
  placeDueRuns,
  settleOrder,
  type UnboundDatabase,
} from '@postrider/db';
import type { Enqueue } from '@postrider/queue';

/** Ended runs, or scheduled runs that get their sequence, per transaction. */
const BATCH = 500;
/** Keys per transaction of the search for idle keys, and transactions per round. */
const IDLE_BATCH = 1_000;
const MAX_IDLE_BATCHES = 20;

interface OrderDeps {
  readonly db: UnboundDatabase;
  readonly enqueue: Enqueue;
}

/** Moves the turns of all keys with ended runs, in batches. Returns how many runs ended. */
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
 * Moves the turn of every ordering key with ended runs, and gives due scheduled runs their sequence. Returns how many
 * runs were handled. Every worker does this; locks in the database coordinate them. Polls find runs
 * whose wake-ups could not be added.
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

/** Where the next round continues the search for idle keys; null for the beginning. */
export interface IdleCursor {
  after: OrderingKey | null;
}

/**
 * Deletes long-unused ordering keys among the next 20,000. Every worker does this and skips keys that another one has
 * locked. Returns how many were deleted.
 */
export async function sweepIdleKeys(db: UnboundDatabase, cursor: IdleCursor): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < MAX_IDLE_BATCHES; batch += 1) {
    const { forgotten, next } = await forgetIdleKeys(db, { after: cursor.after, limit: IDLE_BATCH });
    total += forgotten;
    cursor.after = next;
    if (next === null) break;
  }
  return total;
}

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
