import { WaitingLine } from './waiting-line.ts';

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
  /** Calls `listener` after each release, if it leaves some of the total free once waiting asks were served. */
  onFree(listener: () => void): void;
  /** Serves the waiting asks that fit now; to be called after bounds have grown for another reason than a release. */
  admitWaiting(): void;
  waiting(): number;
}

interface FullAsk<Asked> {
  readonly asked: Asked;
  readonly owner: string;
  /** Empty if the owner has no parts. */
  readonly part: string;
  readonly weight: number;
}

interface Waiter<Asked> extends FullAsk<Asked> {
  readonly settle: (permit: Permit | null) => void;
}

const fits = (held: number, weight: number, bound: number) => held === 0 || held + weight <= bound;

/** Sums by key, without those that are 0. */
class Sums {
  readonly #sums = new Map<string, number>();

  of(key: string): number {
    return this.#sums.get(key) ?? 0;
  }

  add(key: string, weight: number): void {
    const sum = this.of(key) + weight;
    if (sum === 0) this.#sums.delete(key);
    else this.#sums.set(key, sum);
  }
}

/** Creates a semaphore without permits. */
export function createFairSemaphore<Asked extends Ask = Ask>(
  options: FairSemaphoreOptions<Asked>,
): FairSemaphore<Asked> {
  const { total, perOwner, perPart } = options;
  const ownerBound = typeof perOwner === 'function' ? perOwner : () => perOwner;
  const partBound = typeof perPart === 'function' ? perPart : () => perPart ?? Number.POSITIVE_INFINITY;
  const heldByOwner = new Sums();
  const heldByPart = new Sums();
  const listeners: (() => void)[] = [];
  let held = 0;

  const toFull = (asked: Asked): FullAsk<Asked> => {
    const { owner, part = '', weight = 1 } = asked;
    return { asked, owner, part, weight };
  };
  const partKey = ({ owner, part }: FullAsk<Asked>) => `${owner}\0${part}`;
  const isPartBounded = ({ part }: FullAsk<Asked>) => perPart !== undefined && part !== '';
  const fitsPart = (ask: FullAsk<Asked>) =>
    !isPartBounded(ask) || fits(heldByPart.of(partKey(ask)), ask.weight, partBound(ask.asked));
  const fitsOwner = ({ owner, weight }: FullAsk<Asked>) =>
    fits(heldByOwner.of(owner), weight, ownerBound(owner));
  const fitsTotal = ({ weight }: FullAsk<Asked>) => fits(held, weight, total);
  const fitsAll = (ask: FullAsk<Asked>) => fitsPart(ask) && fitsOwner(ask) && fitsTotal(ask);
  const line = new WaitingLine<Waiter<Asked>>({ ...options, fitsPart, fitsOwner });

  /** Whether an ask can be served without overtaking a waiting one. */
  const passes = (ask: FullAsk<Asked>) =>
    fitsAll(ask) && !line.hasPart(ask) && !line.nextOf(ask.owner) && line.next() === undefined;

  function charge(ask: FullAsk<Asked>, weight: number): void {
    held += weight;
    heldByOwner.add(ask.owner, weight);
    if (isPartBounded(ask)) heldByPart.add(partKey(ask), weight);
  }

  function permit(ask: FullAsk<Asked>): Permit {
    let mine = ask.weight;
    let isHeld = true;
    charge(ask, mine);
    return {
      add(weight) {
        if (!isHeld) return;
        mine += weight;
        charge(ask, weight);
      },
      release() {
        if (!isHeld) return;
        isHeld = false;
        charge(ask, -mine);
        admitWaiting();
        for (const listener of listeners) if (held < total) listener();
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
    free: () => Math.max(0, total - held),
    onFree: (listener) => void listeners.push(listener),
    admitWaiting,
    waiting: () => line.length,
  };
}
