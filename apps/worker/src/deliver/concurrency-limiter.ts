import type { RunChannel } from '@postrider/db';
import { createSlots, type Slot, type SlotsOptions } from '@postrider/fairness';

export type ReleaseSlot = Slot['release'];

export interface ConcurrencyLimiter {
  /** Acquires a slot for one delivery of this channel; null if it may not have one now. */
  tryAcquire(channel: RunChannel): ReleaseSlot | null;
  canAcquire(channel: RunChannel): boolean;
  inUse(): number;
}

/** The slots of this process, for callers that keep the line of waiting channels themselves: see `createSlots`. */
export function createConcurrencyLimiter(
  total: number,
  options: Omit<SlotsOptions, 'total'> = {},
): ConcurrencyLimiter {
  const slots = createSlots({ total, ...options });
  const askOf = ({ channelId, kind }: RunChannel) => ({ owner: channelId, part: channelId, kind });
  return {
    tryAcquire: (channel) => slots.acquireUpTo(askOf(channel), 1)[0]?.release ?? null,
    canAcquire: (channel) => slots.canAcquire(askOf(channel)),
    inUse: () => total - slots.free(),
  };
}
