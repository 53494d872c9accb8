import { takeTokens } from '@postrider/domain';
import { LRUCache } from 'lru-cache';

/** Failures of one client: so many at once, and then one in five seconds. */
const FAILURES = { requestsPerSecond: 0.2, burst: 20 };
const INTERVAL_MS = 1_000 / FAILURES.requestsPerSecond;
/** Clients that are remembered; the one that failed longest ago goes first. */
const MAX_CLIENTS = 10_000;

export type Attempt =
  | { readonly outcome: 'allowed'; readonly succeeded: () => void }
  | { readonly outcome: 'refused'; readonly retryAfterMs: number };

/**
 * Limits the attempts to sign in that fail, of each client in each process. An attempt counts as failed until it says that
 * it has succeeded, so that many at once pass no limit. `monotonicNow` is in milliseconds.
 */
export function createAttempts(monotonicNow: () => number): (client: string) => Attempt {
  const states = new LRUCache<string, number>({ max: MAX_CLIENTS });
  return (client) => {
    const now = Math.trunc(monotonicNow());
    const tokens = takeTokens(states.get(client) ?? null, now, FAILURES);
    if (tokens.taken === 0) return { outcome: 'refused', retryAfterMs: tokens.retryAfterMs };
    states.set(client, tokens.nextState);
    return {
      outcome: 'allowed',
      succeeded() {
        const state = states.get(client);
        if (state !== undefined) states.set(client, state - INTERVAL_MS);
      },
    };
  };
}
