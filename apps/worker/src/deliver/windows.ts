/** Deliveries that a channel may have open before its endpoint has answered any. */
export const FIRST_WINDOW = 2;
/** Channels remembered; the one unused for longest begins anew. */
const MAX_CHANNELS = 10_000;

/** How many deliveries each channel may have open, by what its endpoint has answered. */
export interface Windows {
  of(channelId: string): number;
  /** One more after an answer (so it doubles with every round trip), half after none. */
  adjust(channelId: string, answered: boolean): void;
}

/** Creates the windows, all between 1 and `largest`; each begins with `first`. */
export function createWindows(largest: number, first = FIRST_WINDOW): Windows {
  /** In the order of their last change. */
  const windows = new Map<string, number>();
  const of = (channelId: string) => windows.get(channelId) ?? first;

  return {
    of,
    adjust(channelId, answered) {
      const next = answered
        ? Math.min(largest, of(channelId) + 1)
        : Math.max(1, Math.floor(of(channelId) / 2));
      windows.delete(channelId);
      windows.set(channelId, next);
      const [oldest] = windows.keys();
      if (windows.size > MAX_CHANNELS && oldest !== undefined) windows.delete(oldest);
    },
  };
}
