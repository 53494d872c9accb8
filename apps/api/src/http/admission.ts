import type { Request } from 'express';
import type { BodyUse } from './body.ts';
import { type Refusal, refuse } from './reply.ts';

/** The bytes that an admitted request holds, of its body and of its response. */
export interface Ticket {
  /** Charges further bytes, which are there already: they are not refused, but others wait for them. Not after `leave`. */
  readonly add: (bytes: number) => void;
  /** Gives all of it back. Further calls do nothing. */
  readonly leave: () => void;
}

export type Admitted =
  | { readonly outcome: 'admitted'; readonly ticket: Ticket }
  /** The holder's share was used up, or all of it, for as long as the request waited. */
  | { readonly outcome: 'refused'; readonly full: 'share' | 'total' };

/** Admits requests by the bytes that they will hold, on the account of a holder such as a tenant. */
export type Admit = (holder: string, bytes: number) => Admitted | Promise<Admitted>;

export interface AdmissionBounds {
  /** Bytes of all holders together. */
  readonly total: number;
  /** Bytes of one holder. */
  readonly share: number;
  /** Longest wait for bytes that others hold, in milliseconds. */
  readonly waitMs: number;
  /** Requests that may wait, of one holder and of all. */
  readonly waitingPerHolder: number;
  readonly waiting: number;
}

/**
 * A body costs up to some ten times its bytes while it is parsed and stored, so 16 MiB of bodies stay below 160 MiB.
 * One tenant has a quarter: 16 of the largest bodies at once, or 1,000 small requests. More wait, unread.
 */
export const ADMISSION_BOUNDS: AdmissionBounds = {
  total: 16 * 1024 * 1024,
  share: 4 * 1024 * 1024,
  waitMs: 5_000,
  waitingPerHolder: 256,
  waiting: 1_024,
};

interface Waiter {
  readonly holder: string;
  readonly bytes: number;
  readonly settle: (admitted: Admitted) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Creates an account of bytes in flight. A holder never has more than its share, one request excepted that alone
 * exceeds it, so that one greedy holder leaves room for others. A request that does not fit waits before its body is
 * read; free bytes go to the waiting holder that has the least, and within a holder in the order of arrival.
 */
export function createAdmission(bounds: AdmissionBounds = ADMISSION_BOUNDS): Admit {
  const held = new Map<string, number>();
  const waitingOf = new Map<string, number>();
  const waiters: Waiter[] = [];
  let all = 0;

  const heldBy = (holder: string) => held.get(holder) ?? 0;
  const fitsShare = (holder: string, bytes: number) =>
    heldBy(holder) === 0 || heldBy(holder) + bytes <= bounds.share;
  const fits = (holder: string, bytes: number) =>
    fitsShare(holder, bytes) && (all === 0 || all + bytes <= bounds.total);

  function charge(holder: string, bytes: number): void {
    all += bytes;
    const now = heldBy(holder) + bytes;
    if (now === 0) held.delete(holder);
    else held.set(holder, now);
  }

  function grant(holder: string, bytes: number): Admitted {
    let mine = bytes;
    let left = false;
    charge(holder, bytes);
    const add = (more: number) => {
      if (left) return;
      mine += more;
      charge(holder, more);
    };
    const leave = () => {
      if (left) return;
      left = true;
      charge(holder, -mine);
      if (waiters.length > 0) admitWaiting();
    };
    return { outcome: 'admitted', ticket: { add, leave } };
  }

  function remove(waiter: Waiter): void {
    waiters.splice(waiters.indexOf(waiter), 1);
    clearTimeout(waiter.timer);
    const left = (waitingOf.get(waiter.holder) ?? 1) - 1;
    if (left === 0) waitingOf.delete(waiter.holder);
    else waitingOf.set(waiter.holder, left);
  }

  function nextWaiter(): Waiter | undefined {
    const seen = new Set<string>();
    let best: Waiter | undefined;
    for (const waiter of waiters) {
      if (seen.has(waiter.holder)) continue;
      seen.add(waiter.holder);
      if (!fits(waiter.holder, waiter.bytes)) continue;
      if (best === undefined || heldBy(waiter.holder) < heldBy(best.holder)) best = waiter;
    }
    return best;
  }

  function admitWaiting(): void {
    for (let waiter = nextWaiter(); waiter !== undefined; waiter = nextWaiter()) {
      remove(waiter);
      waiter.settle(grant(waiter.holder, waiter.bytes));
    }
  }

  const refused = (holder: string, bytes: number): Admitted => ({
    outcome: 'refused',
    full: fitsShare(holder, bytes) ? 'total' : 'share',
  });

  return (holder, bytes) => {
    const ahead = waitingOf.get(holder) ?? 0;
    if (ahead === 0 && fits(holder, bytes)) return grant(holder, bytes);
    if (ahead >= bounds.waitingPerHolder || waiters.length >= bounds.waiting) return refused(holder, bytes);
    return new Promise((settle) => {
      const timer = setTimeout(() => {
        remove(waiter);
        settle(refused(holder, bytes));
      }, bounds.waitMs);
      const waiter = { holder, bytes, settle, timer };
      waiters.push(waiter);
      waitingOf.set(holder, ahead + 1);
    });
  };
}

/** What a request holds besides its body: headers, context, and a small response. */
const REQUEST_BYTES = 4 * 1024;

/** Seconds. Requests have waited by then, so the next try is better a moment away. */
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

/** The most bytes of a body that will be kept: nothing of one that is known to be too large. */
function bodyBytes(http: Request, use: BodyUse, limit: number): number {
  if (use === 'ignored') return 0;
  if (http.headers['transfer-encoding'] !== undefined) return limit;
  const length = Number(http.headers['content-length'] ?? 0);
  return length <= limit ? length : 0;
}

export interface RequestToAdmit {
  readonly http: Request;
  /** On whose account it is. */
  readonly holder: string;
  readonly use: BodyUse;
  /** Of its body, in bytes. */
  readonly limit: number;
  /** Bytes that are set aside for a large response. */
  readonly responseBytes?: number | undefined;
}

/**
 * Admits a request before its body is read, until its response is taken or its connection closed. Waits a moment for
 * bytes that others hold; then refuses with 429 when the holder has its share, with 503 when the process has no more.
 */
export async function admitRequest(
  admit: Admit,
  { http, holder, use, limit, responseBytes = 0 }: RequestToAdmit,
): Promise<{ readonly ticket: Ticket } | { readonly reply: Refusal }> {
  const admitted = await admit(holder, REQUEST_BYTES + bodyBytes(http, use, limit) + responseBytes);
  if (admitted.outcome === 'refused') return { reply: REFUSALS[admitted.full] };
  const { ticket } = admitted;
  // The response may have been closed, by a refusal of the listener, while the request waited for room.
  if (http.socket.destroyed || http.res?.closed !== false) ticket.leave();
  else http.res.once('close', ticket.leave);
  return { ticket };
}
