import { createFairSemaphore, type Holder, type Permit } from '@postrider/fairness';
import type { Renderer } from '@postrider/rendering';
import { createAimdLimits, type Slot, type SlotAsk, type Slots } from './slots.ts';

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

/** A run with a template needs a permit before its claim, because the claim starts the lease. */
export interface RenderPermit {
  /** Releases the permit; calling it again does nothing. */
  readonly release: () => void;
  /** Releases the permit after rendering, and records how long that took. */
  readonly rendered: () => void;
}

export interface RenderPermits {
  /** As many permits as are free at once, at most `most`; none if others wait for them. */
  acquireUpTo(key: Holder, most: number): RenderPermit[];
  /** Waits for a permit; null if too many wait, no render process starts, or `signal` aborts. */
  acquire(key: Holder, signal: AbortSignal): Promise<RenderPermit | null>;
  waiting(): number;
}

/**
 * Shares the permits between tenants, and then between their channels. A tenant starts with one permit, gets more while
 * its renders are fast, and is reduced to one while they are slow, because runs that are claimed behind a slow template
 * spend their lease waiting. There are no permits until a render process has started.
 */
export function createRenderPermits({
  renderer,
  processes,
  concurrency,
  nowMs = () => performance.now(),
}: {
  renderer: Pick<Renderer, 'isReady' | 'whenReady'>;
  processes: number;
  concurrency: number;
  nowMs?: () => number;
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
    const takenAt = nowMs();
    return {
      release: permit.release,
      rendered() {
        limits.adjust(owner, nowMs() - takenAt < SLOW_RENDER_MS);
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

/** What a claim may use. All of it is released, or passed on with a run. */
export interface Permits {
  readonly slots: Slot[];
  readonly renders: RenderPermit[];
}

/**
 * Waits for what a claim needs; null if too many channels wait, or `signal` aborts.
 * @param most the most runs
 * @param isRendered whether the next run probably has a template
 */
export type AcquirePermits = (
  asked: SlotAsk,
  claim: { readonly most: number; readonly isRendered: boolean },
  signal: AbortSignal,
) => Promise<Permits | null>;

/** Releases what a claim has not used. */
export function releasePermits({ slots, renders }: Permits): void {
  for (const slot of slots.splice(0)) slot.release();
  for (const render of renders.splice(0)) render.release();
}

/**
 * How many channels may keep their slot while they wait for a render permit, as a share of all slots, and how many of a tenant: its
 * renders may be slow, and its channels many.
 */
const PATIENT = { share: 1 / 8, perOwner: 1, maxWaiting: 2_000, maxWaitingPerOwner: 500 };

/**
 * Creates the function that waits for the permits of a claim: at least a slot, and at least a render permit if `isRendered`.
 * Tenants take turns, and within a tenant its channels. Nothing is held while waiting, because a slot that waits for a render
 * permit, or the other way round, would keep others waiting. But a channel that has had its turn in both lines, and found the other
 * permit taken, could go on like that without end. It then waits until it may keep its slot while it waits for the render permit. Null
 * if too many channels wait, or `signal` aborts.
 * @param slots none of them taken yet
 */
export function createAcquirePermits(slots: Slots, renders: RenderPermits): AcquirePermits {
  const patient = createFairSemaphore({
    ...PATIENT,
    total: Math.max(1, Math.floor(slots.free() * PATIENT.share)),
  });

  /** Keeps the slot while it waits. Nobody who has a render permit waits for a slot, so it gets one. */
  async function waitForBoth(asked: SlotAsk, signal: AbortSignal): Promise<Permits | null> {
    const slot = await slots.acquire(asked, signal);
    if (!slot) return null;
    const render = await renders.acquire(asked, signal);
    if (render) return { slots: [slot], renders: [render] };
    slot.release();
    return null;
  }

  return async (asked, { most, isRendered }, signal) => {
    const first = await slots.acquire(asked, signal);
    if (!first) return null;
    if (!isRendered) return { slots: [first, ...slots.acquireUpTo(asked, most - 1)], renders: [] };
    const entered = renders.acquireUpTo(asked, most);
    if (entered.length > 0) {
      return { slots: [first, ...slots.acquireUpTo(asked, entered.length - 1)], renders: entered };
    }
    first.release();
    const render = await renders.acquire(asked, signal);
    if (!render) return null;
    const [slot] = slots.acquireUpTo(asked, 1);
    if (slot) return { slots: [slot], renders: [render] };
    render.release();
    const turn = await patient.acquire(asked, signal);
    return turn && waitForBoth(asked, signal).finally(turn.release);
  };
}
