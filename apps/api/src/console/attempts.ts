import { type BucketRate, LRUCache, takeTokens, tokenInterval } from '@postrider/domain';

/** Failed attempts per client: 20 at once, then one in five seconds. */
export const FAILURES: BucketRate = { requestsPerSecond: 0.2, burst: 20 };
/** New sessions per token, each of which adds a row and an audit entry: 20 at once, then one a minute. */
export const SESSIONS_OF_TOKEN: BucketRate = { requestsPerSecond: 1 / 60, burst: 20 };
/** Tracked clients or tokens. The least recently used one is evicted. */
const MAX_KEYS = 10_000;

export type Attempt =
  | { readonly outcome: 'allowed'; readonly giveBack: () => void }
  | { readonly outcome: 'refused'; readonly retryAfterMs: number };

/**
 * Limits attempts by key in this process. An attempt counts from its start until it is given back, so that concurrent
 * attempts cannot exceed the limit. `monotonicNow` is in milliseconds.
 */
export function createAttempts(rate: BucketRate, monotonicNow: () => number): (key: string) => Attempt {
  const states = new LRUCache<string, number>({ max: MAX_KEYS });
  return (key) => {
    const now = Math.trunc(monotonicNow());
    const tokens = takeTokens(states.get(key) ?? null, now, rate);
    if (tokens.taken === 0) return { outcome: 'refused', retryAfterMs: tokens.retryAfterMs };
    states.set(key, tokens.nextState);
    return {
      outcome: 'allowed',
      giveBack() {
        const state = states.get(key);
        if (state !== undefined) states.set(key, state - tokenInterval(rate));
      },
    };
  };
}
