import { createAimdLimits, createFairSemaphore, type Holder, type Permit } from '@postrider/fairness';
import type { Renderer } from '@postrider/rendering';

/**
 * Claimed but not yet rendered runs per render process: enough to keep it busy while others are claimed, and few enough
 * that each is rendered well within its lease.
 */
const RENDERS_PER_PROCESS = 4;
/** Channels that wait for a render place. A poll finds those that are refused. */
const MAX_WAITING_CHANNELS = { maxWaiting: 1_000, maxWaitingPerOwner: 250 };
/**
 * Time from getting the place to the rendered content, including the claim. A good template takes a few milliseconds.
 */
const SLOW_MS = 200;

/** A run with a template needs a place before its claim, because the claim starts the lease. */
export interface RenderPlace {
  /** Releases the place; calling it again does nothing. */
  readonly leave: () => void;
  /** Releases the place after rendering, and records how long that took. */
  readonly rendered: () => void;
}

export interface RenderPlaces {
  /** As many places as are free at once, at most `most`; none if others wait for them. */
  enterUpTo(key: Holder, most: number): RenderPlace[];
  /** Waits for a place; null if too many wait, no render process starts, or `signal` aborts. */
  enter(key: Holder, signal: AbortSignal): Promise<RenderPlace | null>;
  /** The number of waiting channels. */
  waiting(): number;
}

/**
 * Shares the places between tenants, and then between their channels. A tenant starts with one place, gets more while
 * its renders are fast, and is reduced to one while they are slow, because runs that are claimed behind a slow template
 * spend their lease waiting. There are no places until a render process has started.
 */
export function createRenderPlaces({
  renderer,
  processes,
  concurrency,
  nowMs = () => performance.now(),
}: {
  renderer: Pick<Renderer, 'isReady' | 'whenReady'>;
  processes: number;
  concurrency: number;
  nowMs?: () => number;
}): RenderPlaces {
  const places = Math.min(RENDERS_PER_PROCESS * processes, Math.max(2, Math.floor(concurrency / 2)));
  const largest = Math.max(1, Math.floor((places * (processes - 1)) / processes));
  const limits = createAimdLimits({ first: 1, largest });
  const semaphore = createFairSemaphore({
    total: places,
    perOwner: (tenantId) => Math.min(places - 1, limits.of(tenantId)),
    ...MAX_WAITING_CHANNELS,
  });

  function toPlace({ owner }: Holder, permit: Permit): RenderPlace {
    const takenAt = nowMs();
    return {
      leave: permit.release,
      rendered() {
        limits.adjust(owner, nowMs() - takenAt < SLOW_MS);
        permit.release();
      },
    };
  }

  /** Whether a render process has started; false as soon as `signal` aborts. */
  function readyUnless(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = () => resolve(false);
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
      void renderer.whenReady().then((isReady) => {
        signal.removeEventListener('abort', giveUp);
        resolve(isReady);
      });
    });
  }

  return {
    enterUpTo: (key, most) =>
      renderer.isReady() ? semaphore.acquireUpTo(key, most).map((permit) => toPlace(key, permit)) : [],
    async enter(key, signal) {
      const permit = (await readyUnless(signal)) ? await semaphore.acquire(key, signal) : null;
      return permit && toPlace(key, permit);
    },
    waiting: semaphore.waiting,
  };
}
