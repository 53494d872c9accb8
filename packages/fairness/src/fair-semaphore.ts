import { type InLine, WaitingLine } from './waiting-line.ts';

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
  const passes = (ask: FullAsk<Asked>) => fitsAll(ask) && (line.length === 0 || line.overtakesNobody(ask));

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
    if (line.length === 0) return;
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

export interface EventLoopTurnsOptions
  extends Partial<Pick<FairSemaphoreOptions, 'maxWaiting' | 'maxWaitingPerOwner'>> {
  /** The milliseconds that all owners together get before the event loop handles other events; with 0 one turn. */
  readonly sliceMs: number;
  /** The longest pause after a slice that took more than {@link SHORT_MS}, in milliseconds; by default none. */
  readonly maxRestMs?: number;
}

/**
 * Shares the thread between owners: what the holder of a turn does until it waits for something, such as a statement or
 * a timer, is its turn. Its invariants:
 * - Owners take turns, and so do the parts of an owner, as those of a `FairSemaphore`.
 * - After `sliceMs` of turns the event loop handles other events first, such as the request of an owner that has not
 *   asked yet. The turn that exceeds them ends as late as it likes: a thread cannot be taken away.
 * - A caller that asks while no other turn is under way and no slice has ended in this turn of the event loop does not wait.
 */
export interface EventLoopTurns {
  /**
   * True if it is the holder's turn; otherwise resolves when it is. False if too many wait.
   * @param task what the turn is for: asking again for the same one within its turn changes nothing
   */
  take(holder: Holder, task?: object): boolean | Promise<boolean>;
}

/** Parsing or writing JSON with more characters takes milliseconds of the event loop. */
export const LARGE_JSON_CHARACTERS = 16 * 1_024;
/**
 * Turns for large JSON: one in each turn of the event loop, and after one that took long a pause for as long as it took. One takes
 * at most about 30 ms; eight in a row would stop everything else for a quarter of a second, and V8 could not collect their garbage.
 */
export const LARGE_JSON_TURNS = { sliceMs: 0, maxRestMs: 50 } as const;

/** A slice that took no longer is followed by the next one in the next turn of the event loop. */
const SHORT_MS = 2;

/**
 * Creates the turns of one thread.
 * @param now in milliseconds, monotonic
 */
export function createEventLoopTurns(
  {
    sliceMs,
    maxRestMs = 0,
    maxWaiting = Number.POSITIVE_INFINITY,
    maxWaitingPerOwner = maxWaiting,
  }: EventLoopTurnsOptions,
  now: () => number = () => performance.now(),
): EventLoopTurns {
  const semaphore = createFairSemaphore({ total: 1, perOwner: 1, maxWaiting, maxWaitingPerOwner });
  let current: object | null = null;
  let spentMs = 0;

  function rest(endRest: () => void): void {
    const pauseMs = spentMs <= SHORT_MS ? 0 : Math.min(spentMs, maxRestMs);
    spentMs = 0;
    if (pauseMs === 0) setImmediate(endRest);
    else setTimeout(endRest, pauseMs);
  }

  function begin(task: object, release: () => void): void {
    const began = now();
    current = task;
    const end = () => {
      spentMs += now() - began;
      current = null;
      if (spentMs < sliceMs) release();
      else rest(release);
    };
    // A tick that a microtask asks for runs after all microtasks: then the holder waits for something else.
    queueMicrotask(() => process.nextTick(end));
  }

  return {
    take(holder, task = {}) {
      if (current === task) return true;
      const permit = semaphore.tryAcquire(holder);
      if (permit) {
        begin(task, permit.release);
        return true;
      }
      return semaphore.acquire(holder).then((waited) => {
        if (waited) begin(task, waited.release);
        return waited !== null;
      });
    },
  };
}
