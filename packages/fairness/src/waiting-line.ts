export interface InLine {
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
export class WaitingLine<Waiter extends InLine> {
  /** In the order in which the owners are served next. */
  readonly #queues = new Map<string, Queue<Waiter>>();
  readonly #options: WaitingLineOptions<Waiter>;
  /** Only its own methods change it. A field, not a getter: callers read it to run no code of an empty line. */
  length = 0;

  constructor(options: WaitingLineOptions<Waiter>) {
    this.#options = options;
  }

  /** Whether a newcomer would overtake nobody: its part has no waiter, and no other waiter can be served. */
  overtakesNobody({ owner, part }: InLine): boolean {
    const hasPart = this.#queues.get(owner)?.parts.has(part) ?? false;
    return !hasPart && this.nextOf(owner) === undefined && this.next() === undefined;
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
    this.length += 1;
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
    this.length -= 1;
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
    if (this.length < maxWaiting) return { displaced: null };
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
