/**
 * Repeats a round until stopped. A round gets the pause before it, limits its own work, resolves with the pause after it, both
 * in milliseconds, and does not reject. A pause begins when a round has ended, so rounds never overlap.
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
