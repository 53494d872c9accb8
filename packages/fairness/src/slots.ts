import { createAimdLimits } from './aimd.ts';
import { createFairSemaphore, type FairSemaphore, type Holder, type Permit } from './fair-semaphore.ts';

/** A channel with a delivery open for longer than this counts as slow. */
const SLOW_MS = 3_000;
/** Open deliveries that a channel may have before its endpoint has responded for the first time. */
const FIRST_LIMIT = 2;
/** Asks that wait for a slot. A channel needs one. */
const QUEUE = { maxWaiting: 2_000, maxWaitingPerOwner: 500 };

/** The tenant and the channel of a delivery. */
export interface SlotAsk extends Holder {
  /** Id of the channel. */
  readonly part: string;
  /** Kind of the channel. */
  readonly kind: string;
}

/** Permission for one open delivery. */
export interface Slot {
  /**
   * Releases the slot; calling it again does nothing. `answered` says whether the receiver responded; leave it out if
   * nothing was sent.
   */
  readonly release: (answered?: boolean) => void;
}

/** See {@link FairSemaphore} for who is next. */
export interface Slots extends Pick<FairSemaphore<SlotAsk>, 'canAcquire' | 'free' | 'onFree' | 'waiting'> {
  /** As many slots as the channel may have at once, at most `most`. */
  acquireUpTo(asked: SlotAsk, most: number): Slot[];
  /** Waits for a slot; null if too many wait, or `signal` aborts. */
  acquire(asked: SlotAsk, signal?: AbortSignal): Promise<Slot | null>;
}

export interface SlotsOptions {
  readonly total: number;
  /** The most slots of one channel, by its kind; all of them when left out. */
  readonly perKind?: Readonly<Record<string, number>>;
  /** A monotonic clock, in milliseconds. */
  readonly nowMs?: () => number;
}

/**
 * Shares the `total` slots of this process between channels, so that slow ones do not slow down the others
 * (docs/architecture.md, invariant 8). A channel gets another slot if all four rules allow it:
 * - it holds fewer than are free, so a busy channel gets at most half of them;
 * - it holds fewer than deliveries of its kind can run at once (`perKind`): one that waits inside the sender
 *   would spend its time limit there;
 * - it holds fewer than its AIMD limit, so an endpoint that hangs is down to one slot;
 * - if it is slow, slow channels together hold less than half of the slots.
 *
 * Rejected: a fixed limit per channel, which wastes slots when one channel is busy; and the first rule alone,
 * with which eight hanging channels took half, a quarter, an eighth … until nothing was left.
 */
export function createSlots({ total, perKind = {}, nowMs = () => performance.now() }: SlotsOptions): Slots {
  /** When each slot of a channel was acquired, the oldest first. */
  const held = new Map<string, Set<{ readonly acquiredAt: number }>>();
  const limits = createAimdLimits({ first: FIRST_LIMIT, largest: total });
  const semaphore = createFairSemaphore<SlotAsk>({ total, perOwner: total, perPart: boundOf, ...QUEUE });

  function isSlow(channelId: string): boolean {
    const [oldest] = held.get(channelId) ?? [];
    return oldest !== undefined && nowMs() - oldest.acquiredAt > SLOW_MS;
  }

  function heldBySlow(): number {
    let sum = 0;
    for (const [channelId, slots] of held) if (isSlow(channelId)) sum += slots.size;
    return sum;
  }

  function boundOf({ part, kind }: SlotAsk): number {
    if (isSlow(part) && heldBySlow() >= total / 2) return 0;
    return Math.min(semaphore.free(), perKind[kind] ?? total, limits.of(part));
  }

  function toSlot({ part }: SlotAsk, permit: Permit): Slot {
    const slot = { acquiredAt: nowMs() };
    const slots = held.get(part) ?? new Set();
    held.set(part, slots.add(slot));
    return {
      release(answered) {
        if (!slots.delete(slot)) return;
        if (slots.size === 0) held.delete(part);
        if (answered !== undefined) limits.adjust(part, answered);
        permit.release();
      },
    };
  }

  return {
    acquireUpTo: (asked, most) => semaphore.acquireUpTo(asked, most).map((permit) => toSlot(asked, permit)),
    async acquire(asked, signal) {
      const permit = await semaphore.acquire(asked, signal);
      return permit && toSlot(asked, permit);
    },
    canAcquire: semaphore.canAcquire,
    free: semaphore.free,
    onFree: semaphore.onFree,
    waiting: semaphore.waiting,
  };
}
