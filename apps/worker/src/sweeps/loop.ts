interface Loop {
  /** Starts no further round and waits for the current one. */
  stop(): Promise<void>;
}

interface LoopOptions {
  readonly name: string;
  readonly intervalMs: number;
  /** One round, which must limit its own work. */
  readonly round: () => Promise<void>;
  readonly onError: (name: string, error: unknown) => void;
  /** A random number in [0, 1), which spreads the start of loops in many processes. */
  readonly jitter: () => number;
}

/**
 * Repeats a round until stopped. The interval starts when a round ends, so rounds never overlap. A failed round is
 * reported, and the loop continues.
 */
export function startLoop({ name, intervalMs, round, onError, jitter }: LoopOptions): Loop {
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
      onError(name, error);
    } finally {
      schedule(intervalMs);
    }
  }

  schedule(intervalMs * jitter());
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}
