interface InLine {
  readonly owner: string;
  /** Empty if the owner has no parts. */
  readonly part: string;
}

/** The waiters of one owner by part, in the order in which the parts are served next. */
interface Queue<Waiter> {
  readonly parts: Map<string, Waiter[]>;
  length: number;
}

/** The waiters of the part that has most. With one waiter of each of many parts, it looks at one. */
function longestPart<Waiter>({ parts, length }: Queue<Waiter>): readonly Waiter[] {
  const possible = length - parts.size + 1;
  let found: readonly Waiter[] = [];
  for (const waiters of parts.values()) {
    if (waiters.length > found.length) found = waiters;
    if (found.length === possible) break;
  }
  return found;
}

function moveToEnd<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

interface WaitingLineOptions<Waiter> {
  readonly maxWaiting: number;
  readonly maxWaitingPerOwner: number;
  /** Whether the bounds of the waiter's part, and of its owner, let it be served. */
  readonly fitsPart: (waiter: Waiter) => boolean;
  readonly fitsOwner: (waiter: Waiter) => boolean;
}

/**
 * A bounded line in which owners take turns, and within an owner its parts; within a part the order of arrival counts.
 */
class WaitingLine<Waiter extends InLine> {
  /** In the order in which the owners are served next. */
  readonly #queues = new Map<string, Queue<Waiter>>();
  readonly #options: WaitingLineOptions<Waiter>;
  #length = 0;

  constructor(options: WaitingLineOptions<Waiter>) {
    this.#options = options;
  }

  get length(): number {
    return this.#length;
  }

  /** Whether a waiter of this part is in line. */
  hasPart({ owner, part }: InLine): boolean {
    return this.#queues.get(owner)?.parts.has(part) ?? false;
  }

  /** The next waiter of an owner whose part has room. */
  nextOf(owner: string): Waiter | undefined {
    const queue = this.#queues.get(owner);
    return queue && this.#nextIn(queue);
  }

  /** The next waiter whose owner and part have room. */
  next(): Waiter | undefined {
    for (const queue of this.#queues.values()) {
      const waiter = this.#nextIn(queue);
      if (waiter && this.#options.fitsOwner(waiter)) return waiter;
    }
    return undefined;
  }

  /**
   * Adds a waiter. In a full line it displaces the last waiter of the longest queue, if its own is shorter.
   * @returns whether it was added, and the waiter that it displaced
   */
  add(waiter: Waiter): { readonly isAdded: boolean; readonly displaced: Waiter | null } {
    const room = this.#makeRoom(waiter);
    if (!room) return { isAdded: false, displaced: null };
    const queue = this.#queues.get(waiter.owner) ?? { parts: new Map<string, Waiter[]>(), length: 0 };
    const waiters = queue.parts.get(waiter.part) ?? [];
    waiters.push(waiter);
    queue.parts.set(waiter.part, waiters);
    queue.length += 1;
    this.#length += 1;
    this.#queues.set(waiter.owner, queue);
    return { isAdded: true, ...room };
  }

  /** Removes a waiter. If it had its turn, its owner and part move to the end of the line. */
  remove(waiter: Waiter, { hadTurn }: { hadTurn: boolean }): void {
    const queue = this.#queues.get(waiter.owner);
    const waiters = queue?.parts.get(waiter.part);
    const index = waiters?.indexOf(waiter) ?? -1;
    if (!queue || !waiters || index < 0) return;
    waiters.splice(index, 1);
    queue.length -= 1;
    this.#length -= 1;
    if (waiters.length === 0) queue.parts.delete(waiter.part);
    else if (hadTurn) moveToEnd(queue.parts, waiter.part, waiters);
    if (queue.length === 0) this.#queues.delete(waiter.owner);
    else if (hadTurn) moveToEnd(this.#queues, waiter.owner, queue);
  }

  #nextIn({ parts }: Queue<Waiter>): Waiter | undefined {
    for (const [first] of parts.values()) if (first && this.#options.fitsPart(first)) return first;
    return undefined;
  }

  /** Null if there is no room for such a waiter. */
  #makeRoom({ owner, part }: InLine): { readonly displaced: Waiter | null } | null {
    const { maxWaiting, maxWaitingPerOwner } = this.#options;
    const own = this.#queues.get(owner);
    const ownLength = own?.length ?? 0;
    if (ownLength >= maxWaitingPerOwner) {
      const waiters = own ? longestPart(own) : [];
      const isShorter = (own?.parts.get(part)?.length ?? 0) + 1 < waiters.length;
      return isShorter ? this.#dropLast(waiters) : null;
    }
    if (this.#length < maxWaiting) return { displaced: null };
    let largest: Queue<Waiter> | undefined;
    for (const queue of this.#queues.values()) if (queue.length > (largest?.length ?? 0)) largest = queue;
    if (!largest || ownLength + 1 >= largest.length) return null;
    return this.#dropLast(longestPart(largest));
  }

  #dropLast(waiters: readonly Waiter[]): { readonly displaced: Waiter } | null {
    const last = waiters.at(-1);
    if (!last) return null;
    this.remove(last, { hadTurn: false });
    return { displaced: last };
  }
}

/** Who is charged for a permit. */
export interface Holder {
  /** Such as a tenant. */
  readonly owner: string;
  /** A part of the owner, such as a token or a channel. Without one, only the owner's bound applies. */
  readonly part?: string | undefined;
}

/** What a caller asks for. */
export interface Ask extends Holder {
  /** In the unit of the bounds, such as bytes; 1 by default. */
  readonly weight?: number;
}

/** What a caller holds until it releases it. */
export interface Permit {
  /**
   * Charges more to the same owner and part, such as bytes that are already allocated. It is never refused, but others
   * wait. Does nothing after `release`.
   */
  readonly add: (weight: number) => void;
  /** Releases everything. Further calls do nothing. */
  readonly release: () => void;
}

export interface FairSemaphoreOptions<Asked extends Ask = Ask> {
  /** The weight of all permits. */
  readonly total: number;
  /**
   * The weight of one owner's permits, at least 1. A function is called whenever it matters; its bounds may grow only
   * before a release or a call of `admitWaiting`, because waiting asks are looked at then.
   */
  readonly perOwner: number | ((owner: string) => number);
  /** The weight of the permits of one part; that of its owner when left out. A function is called as that of `perOwner`. */
  readonly perPart?: number | ((asked: Asked) => number);
  /** Waiting asks of all owners, and of one. They bound the memory of the queue. */
  readonly maxWaiting: number;
  readonly maxWaitingPerOwner: number;
  /** The longest wait, in milliseconds; unlimited when left out. */
  readonly waitMs?: number;
}

/**
 * A weighted semaphore that several owners share. Its invariants:
 * - The weight of all permits is at most the total, that of an owner or part at most its bound. A single permit may
 *   exceed them, and so may `Permit.add`: then nobody else gets one.
 * - Who waits: an ask that does not fit, or that would overtake another one. No ask waits that could be served.
 * - Who is next: owners take turns, and so do the parts of an owner; within a part asks are served in order of arrival.
 *   Nobody overtakes an ask that waits only for the total, however heavy it is. An ask that waits for the bound of its
 *   owner or part blocks nobody else.
 * - In a full queue, a newcomer with a shorter queue displaces the last waiter of the longest one. So an owner cannot
 *   keep others out by filling the queue, nor can a part of an owner.
 */
export interface FairSemaphore<Asked extends Ask = Ask> {
  /** A permit at once; null if the ask does not fit or would overtake another one. */
  tryAcquire(asked: Asked): Permit | null;
  /** As many permits as fit at once without overtaking anybody, at most `most`. Each has the weight of the ask. */
  acquireUpTo(asked: Asked, most: number): Permit[];
  /**
   * Waits for a permit; null if the queue is full, `signal` aborts, or the wait takes longer than `waitMs`, by default that of
   * the options.
   */
  acquire(asked: Asked, signal?: AbortSignal, waitMs?: number): Promise<Permit | null>;
  /** Whether such an ask would get a permit at once. */
  canAcquire(asked: Asked): boolean;
  /** Whether the bound of the owner or part, not the total, keeps such an ask from a permit now. */
  isShareSpent(asked: Asked): boolean;
  /** The weight that is left of the total. */
  free(): number;
  /** Calls `callback` after each release, if it leaves some of the total free once waiting asks were served. */
  onFree(callback: () => void): void;
  /** Serves the waiting asks that fit now; to be called after bounds have grown for another reason than a release. */
  admitWaiting(): void;
  waiting(): number;
}

interface FullAsk<Asked> extends InLine {
  readonly asked: Asked;
  readonly weight: number;
  /** Identifies its part among those of all owners; null if no bound of parts applies. */
  readonly boundedPart: string | null;
}

interface Waiter<Asked> extends FullAsk<Asked> {
  readonly settle: (permit: Permit | null) => void;
}

const fits = (taken: number, weight: number, bound: number) => taken === 0 || taken + weight <= bound;

/** Adds to one of some sums, which are without those that are 0. */
function addTo(sums: Map<string, number>, key: string, weight: number): void {
  const sum = (sums.get(key) ?? 0) + weight;
  if (sum === 0) sums.delete(key);
  else sums.set(key, sum);
}

/** Creates a semaphore without permits. */
export function createFairSemaphore<Asked extends Ask = Ask>(
  options: FairSemaphoreOptions<Asked>,
): FairSemaphore<Asked> {
  const { total, perOwner, perPart } = options;
  const ownerBound = typeof perOwner === 'function' ? perOwner : () => perOwner;
  const partBound = typeof perPart === 'function' ? perPart : () => perPart ?? Number.POSITIVE_INFINITY;
  const takenByOwner = new Map<string, number>();
  const takenByPart = new Map<string, number>();
  const callbacks: (() => void)[] = [];
  let taken = 0;

  const toFull = (asked: Asked): FullAsk<Asked> => {
    const { owner, part = '', weight = 1 } = asked;
    const boundedPart = perPart === undefined || part === '' ? null : `${owner}\0${part}`;
    return { asked, owner, part, weight, boundedPart };
  };
  const fitsPart = ({ asked, weight, boundedPart }: FullAsk<Asked>) =>
    boundedPart === null || fits(takenByPart.get(boundedPart) ?? 0, weight, partBound(asked));
  const fitsOwner = ({ owner, weight }: FullAsk<Asked>) =>
    fits(takenByOwner.get(owner) ?? 0, weight, ownerBound(owner));
  const fitsTotal = ({ weight }: FullAsk<Asked>) => fits(taken, weight, total);
  const fitsAll = (ask: FullAsk<Asked>) => fitsPart(ask) && fitsOwner(ask) && fitsTotal(ask);
  const line = new WaitingLine<Waiter<Asked>>({ ...options, fitsPart, fitsOwner });

  /** Whether an ask can be served without overtaking a waiting one. */
  const passes = (ask: FullAsk<Asked>) =>
    fitsAll(ask) && !line.hasPart(ask) && !line.nextOf(ask.owner) && line.next() === undefined;

  function charge(ask: FullAsk<Asked>, weight: number): void {
    taken += weight;
    addTo(takenByOwner, ask.owner, weight);
    if (ask.boundedPart !== null) addTo(takenByPart, ask.boundedPart, weight);
  }

  function permit(ask: FullAsk<Asked>): Permit {
    let mine = ask.weight;
    let isTaken = true;
    charge(ask, mine);
    return {
      add(weight) {
        if (!isTaken) return;
        mine += weight;
        charge(ask, weight);
      },
      release() {
        if (!isTaken) return;
        isTaken = false;
        charge(ask, -mine);
        admitWaiting();
        for (const callback of callbacks) if (taken < total) callback();
      },
    };
  }

  function admitWaiting(): void {
    for (let waiter = line.next(); waiter && fitsTotal(waiter); waiter = line.next()) {
      line.remove(waiter, { hadTurn: true });
      waiter.settle(permit(waiter));
    }
  }

  function wait(ask: FullAsk<Asked>, signal?: AbortSignal, waitMs?: number): Promise<Permit | null> {
    return new Promise((resolve) => {
      const giveUp = () => {
        line.remove(waiter, { hadTurn: false });
        waiter.settle(null);
        // Others may have waited behind it.
        admitWaiting();
      };
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
      const waiter: Waiter<Asked> = {
        ...ask,
        settle(permit) {
          clearTimeout(timer);
          signal?.removeEventListener('abort', giveUp);
          resolve(permit);
        },
      };
      const { isAdded, displaced } = line.add(waiter);
      if (!isAdded) return waiter.settle(null);
      signal?.addEventListener('abort', giveUp, { once: true });
      displaced?.settle(null);
      if (displaced) admitWaiting();
    });
  }

  return {
    tryAcquire(asked) {
      const ask = toFull(asked);
      return passes(ask) ? permit(ask) : null;
    },
    acquireUpTo(asked, most) {
      const ask = toFull(asked);
      const permits: Permit[] = [];
      // Nobody is overtaken after the first permit either: each leaves less room for those who wait.
      while (permits.length < most && (permits.length === 0 ? passes(ask) : fitsAll(ask)))
        permits.push(permit(ask));
      return permits;
    },
    acquire(asked, signal, waitMs = options.waitMs) {
      if (signal?.aborted) return Promise.resolve(null);
      const ask = toFull(asked);
      return passes(ask) ? Promise.resolve(permit(ask)) : wait(ask, signal, waitMs);
    },
    canAcquire: (asked) => passes(toFull(asked)),
    isShareSpent(asked) {
      const ask = toFull(asked);
      const ahead = line.nextOf(ask.owner);
      return !fitsPart(ask) || !fitsOwner(ask) || (ahead !== undefined && !fitsOwner(ahead));
    },
    free: () => Math.max(0, total - taken),
    onFree: (callback) => void callbacks.push(callback),
    admitWaiting,
    waiting: () => line.length,
  };
}
