interface LoopOptions {
  readonly intervalMs: number;
  /** One round, which must limit its own work. */
  readonly round: () => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** A random number in [0, 1), which spreads the start of loops in many processes. */
  readonly jitter: () => number;
}

/**
 * Repeats a round until stopped. The interval starts when a round ends, so rounds never overlap. A failed round is
 * reported, and the loop continues.
 */
export function startLoop({ intervalMs, round, onError, jitter }: LoopOptions): {
  stop: () => Promise<void>;
} {
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> = Promise.resolve();
  let stopped = false;

  function schedule(delayMs: number): void {
    if (stopped) return;
    timer = setTimeout(() => {
      underWay = runRound();
    }, delayMs);
  }

  async function runRound(): Promise<void> {
    try {
      await round();
    } catch (error) {
      onError(error);
    } finally {
      schedule(intervalMs);
    }
  }

  schedule(intervalMs * jitter());
  return {
    /** Starts no further round and waits for the current one. */
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}
