import type { RunChannel } from '@postrider/db';
import { type ChannelKind, LRUCache } from '@postrider/domain';

/** A channel with a delivery open for longer than this counts as slow. */
const SLOW_MS = 3_000;
/** Open deliveries that a channel may have before its endpoint has responded for the first time. */
const FIRST_LIMIT = 2;
/** Channels whose limit is cached. The least recently used one starts again at the first limit. */
const MAX_CHANNELS = 10_000;

/**
 * Releases the slot; calling it again does nothing. `answered` says whether the receiver responded; leave it out if
 * nothing was sent.
 */
export type ReleaseSlot = (answered?: boolean) => void;

export interface ConcurrencyLimiter {
  /** Acquires a slot for one delivery of this channel; null if it may not have one now. */
  tryAcquire(channel: RunChannel): ReleaseSlot | null;
  canAcquire(channel: RunChannel): boolean;
  inUse(): number;
}

/**
 * A limit per key, such as a channel, between 1 and `largest` by additive increase and multiplicative decrease. It
 * starts at `first`, grows by one with each success (so it doubles with every round trip) and is halved by a failure.
 */
export function createAimdLimits(largest: number, first = FIRST_LIMIT) {
  const limits = new LRUCache<string, number>({ max: MAX_CHANNELS });
  const of = (key: string) => limits.get(key) ?? first;

  return {
    of,
    adjust(key: string, succeeded: boolean) {
      limits.set(key, succeeded ? Math.min(largest, of(key) + 1) : Math.max(1, Math.floor(of(key) / 2)));
    },
  };
}

/**
 * Shares the `total` slots of this process between channels, so that slow ones do not slow down the others
 * (docs/architecture.md, invariant 8). A channel gets another slot if all four rules allow it:
 * - it holds fewer than are free, so a busy channel gets at most half of them;
 * - it holds fewer than deliveries of its kind can run at once (`perChannel`): one that waits inside the sender
 *   would spend its time limit there;
 * - it holds fewer than its AIMD limit, so an endpoint that hangs is down to one slot;
 * - if it is slow, slow channels together hold less than half of the slots.
 *
 * Rejected: a fixed limit per channel, which wastes slots when one channel is busy; and the first rule alone,
 * with which eight hanging channels took half, a quarter, an eighth … until nothing was left.
 */
export function createConcurrencyLimiter(
  total: number,
  {
    perChannel = {},
    nowMs = () => performance.now(),
  }: { perChannel?: Readonly<Record<ChannelKind, number>>; nowMs?: () => number } = {},
): ConcurrencyLimiter {
  /** When each open slot of a channel was acquired, the oldest first. */
  const held = new Map<string, Set<{ readonly acquiredAt: number }>>();
  const limits = createAimdLimits(total);
  let inUse = 0;

  const heldBy = (channelId: string) => held.get(channelId)?.size ?? 0;

  function isSlow(channelId: string): boolean {
    const [oldest] = held.get(channelId) ?? [];
    return oldest !== undefined && nowMs() - oldest.acquiredAt > SLOW_MS;
  }

  function heldBySlow(): number {
    let sum = 0;
    for (const [channelId, slots] of held) if (isSlow(channelId)) sum += slots.size;
    return sum;
  }

  function canAcquire({ channelId, kind }: RunChannel): boolean {
    const free = total - inUse;
    const holds = heldBy(channelId);
    if (free === 0 || holds >= Math.max(1, free) || holds >= (perChannel[kind] ?? total)) return false;
    if (holds >= limits.of(channelId)) return false;
    return !isSlow(channelId) || heldBySlow() < total / 2;
  }

  return {
    canAcquire,
    inUse: () => inUse,
    tryAcquire(channel) {
      if (!canAcquire(channel)) return null;
      const { channelId } = channel;
      const slot = { acquiredAt: nowMs() };
      const slots = held.get(channelId) ?? new Set();
      held.set(channelId, slots.add(slot));
      inUse += 1;
      return (answered) => {
        if (!slots.delete(slot)) return;
        inUse -= 1;
        if (slots.size === 0) held.delete(channelId);
        if (answered !== undefined) limits.adjust(channelId, answered);
      };
    },
  };
}
