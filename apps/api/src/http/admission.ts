import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyUse } from './body.ts';
import { type Refusal, refuse } from './reply.ts';

/** The bytes that an admitted request holds for its body and response. */
export interface Ticket {
  /**
   * Charges further bytes that are already allocated. They are never refused, but other requests wait. Not after
   * `leave`.
   */
  readonly add: (bytes: number) => void;
  /** Releases all bytes. Further calls do nothing. */
  readonly leave: () => void;
}

export type Admitted =
  | { readonly outcome: 'admitted'; readonly ticket: Ticket }
  /** The share of the owner or its part, or the total, was exhausted for as long as the request waited. */
  | { readonly outcome: 'refused'; readonly full: 'share' | 'total' };

/** The owner to which a request is charged. */
interface Holder {
  /** Such as a tenant. */
  readonly owner: string;
  /** A part of the owner, such as a token; undefined if the owner has none. */
  readonly part?: string | undefined;
}

/** Admits requests by the bytes that they will hold, charged to a holder. */
export type Admit = (holder: Holder, bytes: number) => Admitted | Promise<Admitted>;

export interface AdmissionBounds {
  /** Bytes of all owners together. */
  readonly total: number;
  /** Bytes of one owner. */
  readonly share: number;
  /** Bytes of one part of an owner; the whole share when left out. */
  readonly partShare?: number;
  /** The longest wait for bytes that others hold, in milliseconds. */
  readonly waitMs: number;
  /** Waiting requests per owner and in total. */
  readonly waitingPerOwner: number;
  readonly waiting: number;
}

/**
 * A body needs up to about ten times its size while it is parsed and stored, so 16 MiB of bodies need less than 160
 * MiB. A tenant gets a quarter: 16 of the largest bodies at once, or 1,000 small requests. Others wait unread. A token
 * gets three quarters of that, which leaves room for the tenant's other tokens.
 */
const ADMISSION_BOUNDS: AdmissionBounds = {
  total: 16 * 1024 * 1024,
  share: 4 * 1024 * 1024,
  partShare: 3 * 1024 * 1024,
  waitMs: 5_000,
  waitingPerOwner: 256,
  waiting: 1_024,
};

/** A request for bytes; `part` is empty if the owner has none. */
interface Claim {
  readonly owner: string;
  readonly part: string;
  readonly bytes: number;
}

interface Waiter extends Claim {
  readonly settle: (admitted: Admitted) => void;
  readonly timer: NodeJS.Timeout;
}

/** The waiters of one owner by part, in the order in which the parts are served next. */
interface Queue {
  readonly parts: Map<string, Waiter[]>;
  length: number;
}

function addTo(sums: Map<string, number>, key: string, bytes: number): void {
  const sum = (sums.get(key) ?? 0) + bytes;
  if (sum === 0) sums.delete(key);
  else sums.set(key, sum);
}

function moveToEnd<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

/**
 * Limits the bytes in flight. An owner never has more than its share, and a part never more than a part's share, except
 * for a single request that alone exceeds it. A request that does not fit waits before its body is read. Owners take
 * turns, and so do the parts of an owner; within a part, requests are served in order of arrival. Nobody overtakes a
 * request that waits only for the total, however large it is. A request that waits for its owner's share does not block
 * other owners.
 */
export function createAdmission(bounds: AdmissionBounds = ADMISSION_BOUNDS): Admit {
  const { total, share, partShare = share } = bounds;
  const heldByOwner = new Map<string, number>();
  const heldByPart = new Map<string, number>();
  /** In the order in which the owners are served next. */
  const queues = new Map<string, Queue>();
  let all = 0;
  let waiting = 0;

  const partKey = (owner: string, part: string) => `${owner} ${part}`;
  const fits = (held: number, bytes: number, bound: number) => held === 0 || held + bytes <= bound;
  const fitsPart = ({ owner, part, bytes }: Claim) =>
    part === '' || fits(heldByPart.get(partKey(owner, part)) ?? 0, bytes, partShare);
  const fitsShare = ({ owner, bytes }: Claim) => fits(heldByOwner.get(owner) ?? 0, bytes, share);
  const fitsTotal = ({ bytes }: Claim) => fits(all, bytes, total);

  function charge(owner: string, part: string, bytes: number): void {
    all += bytes;
    addTo(heldByOwner, owner, bytes);
    if (part !== '') addTo(heldByPart, partKey(owner, part), bytes);
  }

  function grant({ owner, part, bytes }: Claim): Admitted {
    let mine = bytes;
    let left = false;
    charge(owner, part, bytes);
    const add = (more: number) => {
      if (left) return;
      mine += more;
      charge(owner, part, more);
    };
    const leave = () => {
      if (left) return;
      left = true;
      charge(owner, part, -mine);
      admitWaiting();
    };
    return { outcome: 'admitted', ticket: { add, leave } };
  }

  function queueUp(waiter: Waiter): void {
    const queue = queues.get(waiter.owner) ?? { parts: new Map<string, Waiter[]>(), length: 0 };
    const waiters = queue.parts.get(waiter.part) ?? [];
    waiters.push(waiter);
    queue.parts.set(waiter.part, waiters);
    queue.length += 1;
    waiting += 1;
    queues.set(waiter.owner, queue);
  }

  /** Removes a waiter from its queue. If it had its turn, its owner and part move to the end. */
  function remove(waiter: Waiter, { hadTurn }: { hadTurn: boolean }): void {
    const queue = queues.get(waiter.owner);
    const waiters = queue?.parts.get(waiter.part);
    if (!queue || !waiters) return;
    clearTimeout(waiter.timer);
    waiters.splice(waiters.indexOf(waiter), 1);
    queue.length -= 1;
    waiting -= 1;
    if (waiters.length === 0) queue.parts.delete(waiter.part);
    else if (hadTurn) moveToEnd(queue.parts, waiter.part, waiters);
    if (queue.length === 0) queues.delete(waiter.owner);
    else if (hadTurn) moveToEnd(queues, waiter.owner, queue);
  }

  /** The next waiter of an owner, skipping parts that have used their share. */
  function nextOf({ parts }: Queue): Waiter | undefined {
    for (const [first] of parts.values()) if (first && fitsPart(first)) return first;
    return undefined;
  }

  /** The next waiter, skipping owners that have used their share. */
  function next(): Waiter | undefined {
    for (const queue of queues.values()) {
      const waiter = nextOf(queue);
      if (waiter && fitsShare(waiter)) return waiter;
    }
    return undefined;
  }

  function admitWaiting(): void {
    for (let waiter = next(); waiter && fitsTotal(waiter); waiter = next()) {
      remove(waiter, { hadTurn: true });
      waiter.settle(grant(waiter));
    }
  }

  /** Whether a new request can be admitted without overtaking a waiting one. */
  function passes(request: Claim): boolean {
    if (!fitsPart(request) || !fitsShare(request) || !fitsTotal(request)) return false;
    const own = queues.get(request.owner);
    if (own && (own.parts.has(request.part) || nextOf(own))) return false;
    return waiting === 0 || next() === undefined;
  }

  function refused(request: Claim): Admitted {
    const own = queues.get(request.owner);
    const ahead = own && nextOf(own);
    const isOwn = !fitsPart(request) || !fitsShare(request) || (ahead !== undefined && !fitsShare(ahead));
    return { outcome: 'refused', full: isOwn ? 'share' : 'total' };
  }

  return ({ owner, part = '' }, bytes) => {
    const request = { owner, part, bytes };
    if (passes(request)) return grant(request);
    const ahead = queues.get(owner)?.length ?? 0;
    if (ahead >= bounds.waitingPerOwner || waiting >= bounds.waiting) return refused(request);
    return new Promise((settle) => {
      const timer = setTimeout(() => {
        settle(refused(request));
        remove(waiter, { hadTurn: false });
        // Others may have waited behind it.
        admitWaiting();
      }, bounds.waitMs);
      const waiter: Waiter = { ...request, settle, timer };
      queueUp(waiter);
    });
  };
}

/** The bytes of a request besides its body: headers, context, and a small response. */
const REQUEST_BYTES = 4 * 1024;

/** In seconds. The request has already waited, so the client should pause before the next try. */
const RETRY_AFTER = { 'Retry-After': '1' };

const REFUSALS: Readonly<Record<'share' | 'total', Refusal>> = {
  share: refuse('rate_limited', {
    message: 'Too many bytes of your requests and responses are in flight: wait as long as Retry-After says.',
    headers: RETRY_AFTER,
  }),
  total: refuse('service_unavailable', {
    message: 'Too many requests are in flight: send the same request again.',
    headers: RETRY_AFTER,
  }),
};

/** The most bytes of a body that will be stored; 0 if it is known to be too large. */
function bodyBytes(http: IncomingMessage, use: BodyUse, limit: number): number {
  if (use === 'ignored') return 0;
  if (http.headers['transfer-encoding'] !== undefined) return limit;
  const length = Number(http.headers['content-length'] ?? 0);
  return length <= limit ? length : 0;
}

interface RequestToAdmit {
  readonly http: IncomingMessage;
  readonly res: ServerResponse;
  /** The owner to which the request is charged. */
  readonly holder: Holder;
  readonly use: BodyUse;
  /** The largest body, in bytes. */
  readonly limit: number;
  /** Bytes reserved for a large response. */
  readonly responseBytes?: number | undefined;
}

/**
 * Admits a request before its body is read, until its response is sent or its connection closed. Waits briefly for
 * bytes that others hold, and then refuses: with 429 if the holder has used its share, with 503 if the process has no
 * bytes left.
 */
export async function admitRequest(
  admit: Admit,
  { http, res, holder, use, limit, responseBytes = 0 }: RequestToAdmit,
): Promise<{ readonly ticket: Ticket } | { readonly reply: Refusal }> {
  const admitted = await admit(holder, REQUEST_BYTES + bodyBytes(http, use, limit) + responseBytes);
  if (admitted.outcome === 'refused') return { reply: REFUSALS[admitted.full] };
  const { ticket } = admitted;
  // The listener may have refused and closed the request while it waited.
  if (http.socket.destroyed || res.closed) ticket.leave();
  else res.once('close', ticket.leave);
  return { ticket };
}
