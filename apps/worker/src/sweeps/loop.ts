/**
 * Repeats a round until stopped. A pause begins when a round has ended, so rounds never overlap.
 * @param round gets the pause before it and resolves with the pause after it, both in milliseconds. It limits its own work, and must
 * not reject.
 */
export function startLoop(
  firstPauseMs: number,
  round: (pausedMs: number) => Promise<number>,
): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();
  let isStopped = false;

  function schedule(pauseMs: number): void {
    if (isStopped) return;
    timer = setTimeout(() => {
      current = round(pauseMs).then(schedule);
    }, pauseMs);
  }

  schedule(firstPauseMs);
  return {
    /** Starts no further round and waits for the current one. */
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}

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
