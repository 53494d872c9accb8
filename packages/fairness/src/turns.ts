import { createFairSemaphore, type FairSemaphoreOptions, type Holder } from './fair-semaphore.ts';

export interface EventLoopTurnsOptions
  extends Partial<Pick<FairSemaphoreOptions, 'maxWaiting' | 'maxWaitingPerOwner'>> {
  /** The milliseconds that all owners together get before the event loop handles other events; with 0 one turn. */
  readonly sliceMs: number;
  /** The longest pause after a slice that took more than {@link SHORT_MS}, in milliseconds; by default none. */
  readonly maxRestMs?: number;
}

/**
 * Shares the thread between owners: what the holder of a turn does until it waits for something, such as a statement or
 * a timer, is its turn. Its invariants:
 * - Owners take turns, and so do the parts of an owner, as those of a `FairSemaphore`.
 * - After `sliceMs` of turns the event loop handles other events first, such as the request of an owner that has not
 *   asked yet. The turn that exceeds them ends as late as it likes: a thread cannot be taken away.
 * - A caller that asks while no other turn is under way and no slice has ended in this turn of the event loop does not wait.
 */
export interface EventLoopTurns {
  /**
   * True if it is the holder's turn; otherwise resolves when it is. False if too many wait.
   * @param task what the turn is for: asking again for the same one within its turn changes nothing
   */
  take(holder: Holder, task?: object): boolean | Promise<boolean>;
}

/** Parsing or writing JSON with more characters takes milliseconds of the event loop. */
export const LARGE_JSON_CHARACTERS = 16 * 1_024;
/**
 * Turns for large JSON: one in each turn of the event loop, and after one that took long a pause for as long as it took. One takes
 * at most about 30 ms; eight in a row would stop everything else for a quarter of a second, and V8 could not collect their garbage.
 */
export const LARGE_JSON_TURNS = { sliceMs: 0, maxRestMs: 50 } as const;

/** A slice that took no longer is followed by the next one in the next turn of the event loop. */
const SHORT_MS = 2;

/** @param now in milliseconds, monotonic */
export function createEventLoopTurns(
  {
    sliceMs,
    maxRestMs = 0,
    maxWaiting = Number.POSITIVE_INFINITY,
    maxWaitingPerOwner = maxWaiting,
  }: EventLoopTurnsOptions,
  now: () => number = () => performance.now(),
): EventLoopTurns {
  const semaphore = createFairSemaphore({ total: 1, perOwner: 1, maxWaiting, maxWaitingPerOwner });
  let current: object | null = null;
  let spentMs = 0;

  function rest(endRest: () => void): void {
    const pauseMs = spentMs <= SHORT_MS ? 0 : Math.min(spentMs, maxRestMs);
    spentMs = 0;
    if (pauseMs === 0) setImmediate(endRest);
    else setTimeout(endRest, pauseMs);
  }

  function begin(task: object, release: () => void): void {
    const began = now();
    current = task;
    const end = () => {
      spentMs += now() - began;
      current = null;
      if (spentMs < sliceMs) release();
      else rest(release);
    };
    // A tick that a microtask asks for runs after all microtasks: then the holder waits for something else.
    queueMicrotask(() => process.nextTick(end));
  }

  return {
    take(holder, task = {}) {
      if (current === task) return true;
      const permit = semaphore.tryAcquire(holder);
      if (permit) {
        begin(task, permit.release);
        return true;
      }
      return semaphore.acquire(holder).then((waited) => {
        if (waited) begin(task, waited.release);
        return waited !== null;
      });
    },
  };
}
