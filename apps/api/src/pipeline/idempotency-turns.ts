/**
 * How a wait for a turn ended. With `mine`, `release` must be called once, saying whether an answer is now
 * stored; with `settled` another request stored one.
 */
export type Turn =
  | { readonly outcome: 'mine'; readonly release: (answerStored: boolean) => void }
  | { readonly outcome: 'settled' }
  | { readonly outcome: 'timed_out' };

/** Waits for its turn on a scope for at most `waitMs`. */
export type TakeTurn = (scope: string, waitMs: number) => Promise<Turn>;

type Waiter = (turn: Turn) => void;

/**
 * Lets the requests of this process that race on one idempotency scope run one at a time, so that they wait
 * for the first here and not on its row in Postgres. An answer that was stored ends the wait of all; a
 * request that stored none (4xx, 5xx) lets the next one run. A scope is remembered only while a request has
 * its turn.
 */
export function createTurns(): TakeTurn {
  const queues = new Map<string, Waiter[]>();

  function turnOf(scope: string): Turn {
    return { outcome: 'mine', release: (answerStored) => release(scope, answerStored) };
  }

  function release(scope: string, answerStored: boolean): void {
    const waiters = queues.get(scope) ?? [];
    const next = answerStored ? undefined : waiters.shift();
    if (next) {
      next(turnOf(scope));
      return;
    }
    queues.delete(scope);
    for (const waiter of waiters) waiter({ outcome: 'settled' });
  }

  return (scope, waitMs) => {
    const queue = queues.get(scope);
    if (!queue) {
      queues.set(scope, []);
      return Promise.resolve(turnOf(scope));
    }
    return new Promise((resolve) => {
      const waiter: Waiter = (turn) => {
        clearTimeout(timer);
        resolve(turn);
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiter), 1);
        resolve({ outcome: 'timed_out' });
      }, waitMs);
      queue.push(waiter);
    });
  };
}
