import { type BucketRate, takeTokens, tokenInterval } from '@postrider/domain';
import { LRUCache } from 'lru-cache';

/** Attempts of one client that fail: 20 at once, and then one in five seconds. */
export const FAILURES: BucketRate = { requestsPerSecond: 0.2, burst: 20 };
/** Sessions that one token opens, each a row and an entry in the audit log: 20 at once, and then one a minute. */
export const SESSIONS_OF_TOKEN: BucketRate = { requestsPerSecond: 1 / 60, burst: 20 };
/** Clients or tokens that are remembered; the one unused for longest goes first. */
const MAX_KEYS = 10_000;

export type Attempt =
  | { readonly outcome: 'allowed'; readonly giveBack: () => void }
  | { readonly outcome: 'refused'; readonly retryAfterMs: number };

/**
 * Limits attempts by a key, in each process. An attempt counts from its start, so that many at once pass no limit, until it
 * is given back. `monotonicNow` is in milliseconds.
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
