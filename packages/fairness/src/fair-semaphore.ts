import { WaitingLine } from './waiting-line.ts';

/** Who is charged. */
export interface Holder {
  /** Such as a tenant. */
  readonly owner: string;
  /** A part of the owner, such as a token or a channel. Without one, only the owner's bound applies. */
  readonly part?: string | undefined;
}

/** What a caller asks for. */
export interface Claim extends Holder {
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

export interface FairSemaphoreOptions {
  /** The weight of all permits. */
  readonly total: number;
  /** The weight of one owner's permits, at least 1; a function is called whenever it matters. */
  readonly perOwner: number | ((owner: string) => number);
  /** The weight of the permits of one part; that of its owner when left out. */
  readonly perPart?: number;
  /** Waiting claims of all owners, and of one. */
  readonly maxWaiting: number;
  readonly maxWaitingPerOwner: number;
  /** The longest wait, in milliseconds; unlimited when left out. */
  readonly waitMs?: number;
}

/**
 * A weighted semaphore that several owners share. An owner never has more than its bound, and a part never more than
 * its own, except for a single permit that alone exceeds it. Owners take turns, and so do the parts of an owner; within
 * a part, claims are served in order of arrival. Nobody overtakes a claim that waits only for the total, however heavy
 * it is. A claim that waits for its owner's or part's bound blocks no other owner. In a full queue, a newcomer with a
 * shorter queue displaces the last waiter of the longest one.
 */
export interface FairSemaphore {
  /** A permit at once; null if the claim does not fit or would overtake another one. */
  tryAcquire(claim: Claim): Permit | null;
  /** Waits for a permit; null if the queue is full, the wait took too long, or `signal` aborts. */
  acquire(claim: Claim, signal?: AbortSignal): Promise<Permit | null>;
  /** Whether the bound of the owner or part, not the total, keeps such a claim from a permit now. */
  isShareSpent(claim: Claim): boolean;
  /** The number of waiting claims. */
  waiting(): number;
}

interface FullClaim {
  readonly owner: string;
  /** Empty if the owner has no parts. */
  readonly part: string;
  readonly weight: number;
}

interface Waiter extends FullClaim {
  readonly settle: (permit: Permit | null) => void;
}

const fits = (held: number, weight: number, bound: number) => held === 0 || held + weight <= bound;
const completed = ({ owner, part = '', weight = 1 }: Claim): FullClaim => ({ owner, part, weight });

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

/** Creates a semaphore of which nothing is taken yet. */
export function createFairSemaphore(options: FairSemaphoreOptions): FairSemaphore {
  const { total, perOwner, perPart, waitMs } = options;
  const boundOf = typeof perOwner === 'function' ? perOwner : () => perOwner;
  const heldByOwner = new Sums();
  const heldByPart = new Sums();
  let held = 0;

  const partKey = ({ owner, part }: FullClaim) => `${owner}\0${part}`;
  const partBound = ({ part }: FullClaim) => (part === '' ? undefined : perPart);
  const fitsPart = (claim: FullClaim) => {
    const bound = partBound(claim);
    return bound === undefined || fits(heldByPart.of(partKey(claim)), claim.weight, bound);
  };
  const fitsOwner = ({ owner, weight }: FullClaim) => fits(heldByOwner.of(owner), weight, boundOf(owner));
  const fitsTotal = ({ weight }: FullClaim) => fits(held, weight, total);
  const line = new WaitingLine<Waiter>({ ...options, fitsPart, fitsOwner });

  function charge(claim: FullClaim, weight: number): void {
    held += weight;
    heldByOwner.add(claim.owner, weight);
    if (partBound(claim) !== undefined) heldByPart.add(partKey(claim), weight);
  }

  function permit(claim: FullClaim): Permit {
    let mine = claim.weight;
    let isHeld = true;
    charge(claim, mine);
    return {
      add(weight) {
        if (!isHeld) return;
        mine += weight;
        charge(claim, weight);
      },
      release() {
        if (!isHeld) return;
        isHeld = false;
        charge(claim, -mine);
        admitWaiting();
      },
    };
  }

  function admitWaiting(): void {
    for (let waiter = line.next(); waiter && fitsTotal(waiter); waiter = line.next()) {
      line.remove(waiter, { hadTurn: true });
      waiter.settle(permit(waiter));
    }
  }

  /** Whether a claim can be served without overtaking a waiting one. */
  function passes(claim: FullClaim): boolean {
    if (!fitsPart(claim) || !fitsOwner(claim) || !fitsTotal(claim)) return false;
    return !line.hasPart(claim) && !line.nextOf(claim.owner) && line.next() === undefined;
  }

  function wait(claim: FullClaim, signal: AbortSignal | undefined): Promise<Permit | null> {
    return new Promise((resolve) => {
      const giveUp = () => {
        line.remove(waiter, { hadTurn: false });
        waiter.settle(null);
        // Others may have waited behind it.
        admitWaiting();
      };
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
      const waiter: Waiter = {
        ...claim,
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
      const claim = completed(asked);
      return passes(claim) ? permit(claim) : null;
    },
    acquire(asked, signal) {
      if (signal?.aborted) return Promise.resolve(null);
      const claim = completed(asked);
      return passes(claim) ? Promise.resolve(permit(claim)) : wait(claim, signal);
    },
    isShareSpent(asked) {
      const claim = completed(asked);
      const ahead = line.nextOf(claim.owner);
      return !fitsPart(claim) || !fitsOwner(claim) || (ahead !== undefined && !fitsOwner(ahead));
    },
    waiting: () => line.length,
  };
}
