import type { RunChannel } from '@postrider/db';
import type { ChannelKind } from '@postrider/domain';
import { createWindows } from './windows.ts';

/** A slot open for longer than this is held by an endpoint that is slow or hangs. */
export const SLOW_MS = 3_000;

/**
 * Gives a slot back; calling it again does nothing. `answered` says whether the other end answered at all;
 * left out when nothing was sent.
 */
export type ReleaseSlot = (answered?: boolean) => void;

export interface Slots {
  /** A slot for one delivery of this channel, or null when the channel may not have one now. */
  take(channel: RunChannel): ReleaseSlot | null;
  mayTake(channel: RunChannel): boolean;
  inUse(): number;
}

/**
 * Shares the slots of this process between channels, so that slow ones do not slow the others
 * (docs/architecture.md, invariant 8). Four rules must allow a channel another slot:
 * - it holds fewer than are free, so a busy channel gets at most half of them;
 * - it holds fewer than deliveries of its kind can be under way at once (`perChannel`): one that waits inside
 *   the sender would spend its time limit there;
 * - it holds fewer than its window, which begins small, grows with every answer and shrinks without one, so
 *   an endpoint that hangs is down to one slot;
 * - if it has a slow delivery open, slow channels together hold less than half of the slots.
 *
 * A fixed limit per channel was rejected: it wastes slots when one channel is busy. So was the first rule
 * alone: eight hanging channels took half, a quarter, an eighth … until nothing was left.
 */
export function createSlots(
  total: number,
  {
    perChannel = {},
    nowMs = () => performance.now(),
  }: { perChannel?: Partial<Record<ChannelKind, number>>; nowMs?: () => number } = {},
): Slots {
  /** When each open slot of a channel was taken, the oldest first. */
  const held = new Map<string, Set<{ readonly takenAt: number }>>();
  const windows = createWindows(total);
  let inUse = 0;

  const heldBy = (channelId: string) => held.get(channelId)?.size ?? 0;

  function isSlow(channelId: string): boolean {
    const [oldest] = held.get(channelId) ?? [];
    return oldest !== undefined && nowMs() - oldest.takenAt > SLOW_MS;
  }

  function heldBySlow(): number {
    let sum = 0;
    for (const [channelId, slots] of held) if (isSlow(channelId)) sum += slots.size;
    return sum;
  }

  function mayTake({ channelId, kind }: RunChannel): boolean {
    const free = total - inUse;
    const holds = heldBy(channelId);
    if (free === 0 || holds >= Math.max(1, free) || holds >= (perChannel[kind] ?? total)) return false;
    if (holds >= windows.of(channelId)) return false;
    return !isSlow(channelId) || heldBySlow() < total / 2;
  }

  return {
    mayTake,
    inUse: () => inUse,
    take(channel) {
      if (!mayTake(channel)) return null;
      const { channelId } = channel;
      const slot = { takenAt: nowMs() };
      const slots = held.get(channelId) ?? new Set();
      held.set(channelId, slots.add(slot));
      inUse += 1;
      return (answered) => {
        if (!slots.delete(slot)) return;
        inUse -= 1;
        if (slots.size === 0) held.delete(channelId);
        if (answered !== undefined) windows.adjust(channelId, answered);
      };
    },
  };
}
