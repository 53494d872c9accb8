/** Gives a slot back; calling it again does nothing. */
export type ReleaseSlot = () => void;

export interface Slots {
  /** A slot for one delivery of this channel, or null when the channel may not have one now. */
  take(channelId: string): ReleaseSlot | null;
  mayTake(channelId: string): boolean;
  inUse(): number;
}

/**
 * Shares the slots of this process between channels by a dynamic threshold: a channel may take one while it holds fewer than there are
 * free (or none, while one is free). One busy channel gets at most half of them, and n hanging ones together leave one
 * part in n + 1 free for those that come after. A fixed limit per channel was rejected: it
 * either wastes slots when one channel is busy or lets enough hanging channels take all.
 */
export function createSlots(total: number): Slots {
  const held = new Map<string, number>();
  let inUse = 0;

  const heldBy = (channelId: string) => held.get(channelId) ?? 0;
  const mayTake = (channelId: string, free: number) => free > 0 && heldBy(channelId) < Math.max(1, free);

  function release(channelId: string): void {
    inUse -= 1;
    const left = heldBy(channelId) - 1;
    if (left > 0) held.set(channelId, left);
    else held.delete(channelId);
  }

  return {
    take(channelId) {
      if (!mayTake(channelId, total - inUse)) return null;
      inUse += 1;
      held.set(channelId, heldBy(channelId) + 1);
      let isHeld = true;
      return () => {
        if (isHeld) release(channelId);
        isHeld = false;
      };
    },
    mayTake: (channelId) => mayTake(channelId, total - inUse),
    inUse: () => inUse,
  };
}
