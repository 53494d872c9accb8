export interface FairGateOptions {
  /** How many may be inside at once. */
  readonly places: number;
  /** How many of one key may be inside at once. */
  readonly placesPerKey: number;
  /** Longest queue; whoever comes then is refused. */
  readonly maxWaiting: number;
}

/**
 * Waits for a place. Resolves with the function that gives it back, or with null when refused or given up.
 */
export type EnterGate = (key: string, signal?: AbortSignal) => Promise<(() => void) | null>;

interface Waiter {
  readonly admit: () => void;
}

/**
 * A bounded queue that serves the keys in turn, so that a key with a hundred waiting renders of a second each
 * delays another key by one of them and not by all.
 */
export function createFairGate({ places, placesPerKey, maxWaiting }: FairGateOptions): EnterGate {
  /** In the order in which the keys are served next. */
  const queues = new Map<string, Waiter[]>();
  const insideOfKey = new Map<string, number>();
  let inside = 0;
  let waiting = 0;

  const hasPlace = (key: string) => inside < places && (insideOfKey.get(key) ?? 0) < placesPerKey;

  function take(key: string): () => void {
    inside += 1;
    insideOfKey.set(key, (insideOfKey.get(key) ?? 0) + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      inside -= 1;
      const left = (insideOfKey.get(key) ?? 1) - 1;
      if (left === 0) insideOfKey.delete(key);
      else insideOfKey.set(key, left);
      admitNext();
    };
  }

  function removeFrom(key: string, queue: Waiter[], waiter: Waiter): boolean {
    const index = queue.indexOf(waiter);
    if (index < 0) return false;
    queue.splice(index, 1);
    waiting -= 1;
    if (queue.length === 0) queues.delete(key);
    return true;
  }

  function admitNext(): void {
    for (const [key, queue] of queues) {
      const [waiter] = queue;
      if (!waiter || !hasPlace(key)) continue;
      removeFrom(key, queue, waiter);
      if (queue.length > 0) {
        queues.delete(key);
        queues.set(key, queue);
      }
      waiter.admit();
      return;
    }
  }

  return (key, signal) => {
    if (signal?.aborted) return Promise.resolve(null);
    if (hasPlace(key) && !queues.has(key)) return Promise.resolve(take(key));
    if (waiting >= maxWaiting) return Promise.resolve(null);
    return new Promise((resolve) => {
      const queue = queues.get(key) ?? [];
      const giveUp = () => {
        if (removeFrom(key, queue, waiter)) resolve(null);
      };
      const waiter: Waiter = {
        admit: () => {
          signal?.removeEventListener('abort', giveUp);
          resolve(take(key));
        },
      };
      queue.push(waiter);
      queues.set(key, queue);
      waiting += 1;
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  };
}
