/** The owner of a place: a tenant, and within it one of its channels. */
export interface GateKey {
  readonly owner: string;
  readonly part: string;
}

export interface FairGateOptions {
  /** The number of places. */
  readonly places: number;
  /** The most places that one owner may hold, at least 1. */
  readonly placesOf: (owner: string) => number;
  /** The longest queue of all owners together. */
  readonly maxWaiting: number;
  /** The longest queue of one owner. */
  readonly maxWaitingPerOwner: number;
}

/** Releases a place; calling it again does nothing. */
export type LeaveGate = () => void;

/**
 * A bounded queue that serves owners in turn, and the parts of an owner in turn: an owner with a hundred waiting
 * renders of a second each delays another owner by one of them, not by all. If the queue is full, a new waiter with a
 * shorter queue replaces the last waiter of the longest one, so nobody can fill the queue for others.
 */
export interface FairGate {
  /** Takes a place; null if none is free or others wait for it. */
  tryEnter(key: GateKey): LeaveGate | null;
  /** Waits for a place; null if the queue is full or `signal` aborts. */
  enter(key: GateKey, signal?: AbortSignal): Promise<LeaveGate | null>;
}

interface Waiter {
  readonly admit: () => void;
  readonly refuse: () => void;
}

/** The waiters of one owner by part, in the order in which the parts are served next. */
interface Queue {
  readonly parts: Map<string, Waiter[]>;
  length: number;
}

function longest<Key, Value>(entries: Iterable<[Key, Value]>, lengthOf: (value: Value) => number) {
  let found: [Key, Value] | undefined;
  for (const entry of entries) if (!found || lengthOf(entry[1]) > lengthOf(found[1])) found = entry;
  return found;
}

function moveToEnd<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

export function createFairGate(options: FairGateOptions): FairGate {
  const { places, placesOf, maxWaiting, maxWaitingPerOwner } = options;
  /** In the order in which the owners are served next. */
  const queues = new Map<string, Queue>();
  const insideOfOwner = new Map<string, number>();
  let inside = 0;
  let waiting = 0;

  const hasPlace = (owner: string) => inside < places && (insideOfOwner.get(owner) ?? 0) < placesOf(owner);

  function take(owner: string): LeaveGate {
    inside += 1;
    insideOfOwner.set(owner, (insideOfOwner.get(owner) ?? 0) + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      inside -= 1;
      const left = (insideOfOwner.get(owner) ?? 1) - 1;
      if (left === 0) insideOfOwner.delete(owner);
      else insideOfOwner.set(owner, left);
      // More than one if the owner may now have more places than before.
      let admitted = true;
      while (admitted) admitted = admitNext();
    };
  }

  function remove({ owner, part }: GateKey, waiter: Waiter): void {
    const queue = queues.get(owner);
    const waiters = queue?.parts.get(part);
    const index = waiters?.indexOf(waiter) ?? -1;
    if (!queue || !waiters || index < 0) return;
    waiters.splice(index, 1);
    queue.length -= 1;
    waiting -= 1;
    if (waiters.length === 0) queue.parts.delete(part);
    if (queue.length === 0) queues.delete(owner);
  }

  function admitNext(): boolean {
    for (const [owner, queue] of queues) {
      if (!hasPlace(owner)) continue;
      const [[part, waiters] = []] = queue.parts;
      const waiter = waiters?.[0];
      if (part === undefined || !waiters || !waiter) continue;
      moveToEnd(queue.parts, part, waiters);
      moveToEnd(queues, owner, queue);
      remove({ owner, part }, waiter);
      waiter.admit();
      return true;
    }
    return false;
  }

  /** Removes the last waiter of the owner's longest part. Returns whether there was one. */
  function dropLastOf(owner: string, queue: Queue): boolean {
    const [part, waiters] = longest(queue.parts, (list) => list.length) ?? [];
    const last = waiters?.at(-1);
    if (part === undefined || !last) return false;
    remove({ owner, part }, last);
    last.refuse();
    return true;
  }

  /**
   * Makes room for one more waiter with this key, if necessary by removing one from a longer queue. Returns whether
   * there is room.
   */
  function makeRoom({ owner, part }: GateKey): boolean {
    const own = queues.get(owner);
    const ownLength = own?.length ?? 0;
    if (own && ownLength >= maxWaitingPerOwner) {
      const [, waiters] = longest(own.parts, (list) => list.length) ?? [];
      const isShorter = (own.parts.get(part)?.length ?? 0) + 1 < (waiters?.length ?? 0);
      return isShorter && dropLastOf(owner, own);
    }
    if (waiting < maxWaiting) return true;
    const [largestOwner, largest] = longest(queues, (queue) => queue.length) ?? [];
    if (largestOwner === undefined || !largest) return false;
    return ownLength + 1 < largest.length && dropLastOf(largestOwner, largest);
  }

  function queueUp(key: GateKey, waiter: Waiter): void {
    const queue = queues.get(key.owner) ?? { parts: new Map(), length: 0 };
    const waiters = queue.parts.get(key.part) ?? [];
    waiters.push(waiter);
    queue.parts.set(key.part, waiters);
    queue.length += 1;
    waiting += 1;
    queues.set(key.owner, queue);
  }

  const tryEnter = ({ owner }: GateKey) => (hasPlace(owner) && !queues.has(owner) ? take(owner) : null);

  return {
    tryEnter,
    enter(key, signal) {
      if (signal?.aborted) return Promise.resolve(null);
      const entered = tryEnter(key);
      if (entered) return Promise.resolve(entered);
      if (!makeRoom(key)) return Promise.resolve(null);
      return new Promise((resolve) => {
        const giveUp = () => {
          remove(key, waiter);
          waiter.refuse();
        };
        const settle = (leave: LeaveGate | null) => {
          signal?.removeEventListener('abort', giveUp);
          resolve(leave);
        };
        const waiter: Waiter = {
          admit: () => settle(take(key.owner)),
          refuse: () => settle(null),
        };
        queueUp(key, waiter);
        signal?.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}
