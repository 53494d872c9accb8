import { createFairSemaphore, type Holder, type Permit } from '@postrider/fairness';
import type { Renderer } from '@postrider/rendering';
import { createAimdLimits, type RenderPermit, type RenderPermits } from './permits.ts';

/**
 * Claimed but not yet rendered runs per render process: enough to keep it busy while others are claimed, and few enough
 * that each is rendered well within its lease.
 */
const RENDERS_PER_PROCESS = 4;
/** Channels that wait for a render permit. A poll finds those that are refused. */
const MAX_WAITING_CHANNELS = { maxWaiting: 1_000, maxWaitingPerOwner: 250 };
/**
 * Time from getting the permit to the rendered content, including the claim. A good template takes a few milliseconds.
 */
const SLOW_RENDER_MS = 200;

/**
 * Shares the permits between tenants, and then between their channels. A tenant starts with one permit, gets more while
 * its renders are fast, and is reduced to one while they are slow, because runs that are claimed behind a slow template
 * spend their lease waiting. There are no permits until a render process has started.
 */
export function createRenderPermits({
  renderer,
  processes,
  concurrency,
  monotonicMs = () => performance.now(),
}: {
  renderer: Pick<Renderer, 'isReady' | 'whenReady'>;
  processes: number;
  concurrency: number;
  monotonicMs?: () => number;
}): RenderPermits {
  const permits = Math.min(RENDERS_PER_PROCESS * processes, Math.max(2, Math.floor(concurrency / 2)));
  const largest = Math.max(1, Math.floor((permits * (processes - 1)) / processes));
  const limits = createAimdLimits({ first: 1, largest });
  const semaphore = createFairSemaphore({
    total: permits,
    perOwner: (tenantId) => Math.min(permits - 1, limits.of(tenantId)),
    ...MAX_WAITING_CHANNELS,
  });

  function toRenderPermit({ owner }: Holder, permit: Permit): RenderPermit {
    const takenAt = monotonicMs();
    return {
      release: permit.release,
      rendered() {
        limits.adjust(owner, monotonicMs() - takenAt < SLOW_RENDER_MS);
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
    acquireUpTo: (key, most) =>
      renderer.isReady() ? semaphore.acquireUpTo(key, most).map((permit) => toRenderPermit(key, permit)) : [],
    async acquire(key, signal) {
      const permit = (await readyUnless(signal)) ? await semaphore.acquire(key, signal) : null;
      return permit && toRenderPermit(key, permit);
    },
    waiting: semaphore.waiting,
  };
}
