/**
 * Lets calls through while they succeed. It has these states:
 *
 * ## Closed
 *
 * Every call runs. A failure opens the breaker.
 *
 * ## Open
 *
 * Calls are rejected at once until the cool-down has passed.
 *
 * ## Trial
 *
 * The first call after the cool-down runs, and begins another cool-down for the others. If it succeeds, the breaker
 * closes; if it fails, the breaker stays open.
 */
export interface Breaker {
  /** Runs `call`, or throws {@link BreakerOpenError} without running it. */
  run<T>(call: () => Promise<T>): Promise<T>;
  isClosed(): boolean;
  /** Records a failure outside of `run`, such as a lost connection. */
  trip(error: unknown): void;
  /** Lets the next call through before the cool-down has passed, because it will probably succeed. */
  allowTrial(): void;
}

export class BreakerOpenError extends Error {
  constructor() {
    super('not tried: the last call failed and the cool-down has not passed');
  }
}

/**
 * Creates a circuit breaker. `onOpen` is called with the first failure of an outage and not again until a call has
 * succeeded, so that an outage is reported once.
 */
export function createBreaker({
  cooldownMs,
  onOpen,
  now = () => performance.now(),
}: {
  cooldownMs: number;
  onOpen: (error: unknown) => void;
  now?: () => number;
}): Breaker {
  let retryAt: number | null = null;

  function trip(error: unknown): void {
    const wasClosed = retryAt === null;
    retryAt = now() + cooldownMs;
    if (wasClosed) onOpen(error);
  }

  return {
    trip,
    allowTrial() {
      if (retryAt !== null) retryAt = now();
    },
    isClosed: () => retryAt === null,
    async run(call) {
      if (retryAt !== null && now() < retryAt) throw new BreakerOpenError();
      // Only this call is the trial; others are rejected until it has ended.
      if (retryAt !== null) retryAt = now() + cooldownMs;
      try {
        const result = await call();
        retryAt = null;
        return result;
      } catch (error) {
        trip(error);
        throw error;
      }
    },
  };
}
