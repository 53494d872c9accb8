import type { IncomingMessage, ServerResponse } from 'node:http';
import { createFairSemaphore, type Holder, type Permit } from '@postrider/fairness';
import type { BodyUse } from './body.ts';
import { type Refusal, refuse } from './reply.ts';
import { signalOf } from './request.ts';

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

/**
 * Admits requests by the bytes that they will hold, charged to a holder. `signal` is called if the request has to wait;
 * when it aborts, the request leaves the line.
 */
export type Admit = (
  holder: Holder,
  bytes: number,
  signal?: () => AbortSignal,
) => Admitted | Promise<Admitted>;

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

/**
 * Limits the bytes in flight by a fair semaphore: a request that does not fit waits before its body is read, and owners
 * take turns.
 */
export function createAdmission(bounds: AdmissionBounds = ADMISSION_BOUNDS): Admit {
  const bytesInFlight = createFairSemaphore({
    total: bounds.total,
    perOwner: bounds.share,
    perPart: bounds.partShare ?? bounds.share,
    maxWaiting: bounds.waiting,
    maxWaitingPerOwner: bounds.waitingPerOwner,
    waitMs: bounds.waitMs,
  });
  const admitted = ({ add, release }: Permit): Admitted => ({
    outcome: 'admitted',
    ticket: { add, leave: release },
  });
  return (holder, bytes, signal) => {
    const claim = { ...holder, weight: bytes };
    const permit = bytesInFlight.tryAcquire(claim);
    if (permit) return admitted(permit);
    return bytesInFlight
      .acquire(claim, signal?.())
      .then((later) =>
        later
          ? admitted(later)
          : { outcome: 'refused', full: bytesInFlight.isShareSpent(claim) ? 'share' : 'total' },
      );
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

type AdmittedRequest = { readonly ticket: Ticket } | { readonly reply: Refusal };

/**
 * Reserves bytes until the response is sent or its connection closed. Waits briefly for bytes that others hold, and then
 * refuses: with 429 if the holder has used its share, with 503 if the process has no bytes left.
 */
export async function reserve(
  admit: Admit,
  { res, holder, bytes }: Pick<RequestToAdmit, 'res' | 'holder'> & { readonly bytes: number },
): Promise<AdmittedRequest> {
  const admitted = await admit(holder, bytes, () => signalOf(res));
  if (admitted.outcome === 'refused') return { reply: REFUSALS[admitted.full] };
  const { ticket } = admitted;
  // The listener may have refused and closed the request while it waited.
  if (res.socket?.destroyed || res.closed) ticket.leave();
  else res.once('close', ticket.leave);
  return { ticket };
}

/** Admits a request before its body is read, see {@link reserve}. */
export function admitRequest(
  admit: Admit,
  { http, res, holder, use, limit, responseBytes = 0 }: RequestToAdmit,
): Promise<AdmittedRequest> {
  const bytes = REQUEST_BYTES + bodyBytes(http, use, limit) + responseBytes;
  return reserve(admit, { res, holder, bytes });
}
