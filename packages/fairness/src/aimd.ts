/** Keys whose limit is kept. The least recently adjusted one starts again at the first limit. */
const MAX_KEYS = 10_000;

/**
 * A limit per key, such as a channel, between 1 and `largest` by additive increase and multiplicative decrease. It
 * starts at `first`, grows by one with each success (so it doubles with every round trip) and is halved by a failure.
 */
export interface AimdLimits {
  of(key: string): number;
  adjust(key: string, succeeded: boolean): void;
}

/** Creates limits that nothing has adjusted yet. */
export function createAimdLimits({ first, largest }: { first: number; largest: number }): AimdLimits {
  /** The least recently adjusted one first. */
  const limits = new Map<string, number>();
  const of = (key: string) => limits.get(key) ?? first;
  return {
    of,
    adjust(key, succeeded) {
      const limit = succeeded ? Math.min(largest, of(key) + 1) : Math.max(1, Math.floor(of(key) / 2));
      limits.delete(key);
      limits.set(key, limit);
      if (limits.size <= MAX_KEYS) return;
      const [oldest = key] = limits.keys();
      limits.delete(oldest);
    },
  };
}
