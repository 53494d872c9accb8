import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FairSemaphore, FairSemaphoreOptions, Holder, Permit, Turns } from '@postrider/fairness';
import type { BodyUse } from './body.ts';
import { type Refusal, refuse } from './reply.ts';
import { type RequestContext, signalOf } from './request.ts';

/**
 * How long requests may keep the event loop, in milliseconds, before it handles what else has arrived. Some twenty
 * refusals, or the first steps of as many events.
 */
export const REQUEST_SLICE = { sliceMs: 4 };

const UNKNOWN_CALLER = 'unknown';
const OPERATORS = 'operators';

/**
 * Waits for the turn of a request's operator or tenant, or of all whose caller is not known, so that hundreds of requests
 * or replies of one tenant that come at once do not delay another tenant's. The limit of connections bounds who waits.
 */
export function takeTurn(turns: Turns, context: RequestContext): boolean | Promise<boolean> {
  const { actor, tenant_id: tenant = UNKNOWN_CALLER } = context.facts;
  return turns.take(actor === undefined ? { owner: tenant } : { owner: OPERATORS, part: actor }, context);
}

/**
 * Limits the bytes that requests hold for their bodies and responses. A request that does not fit waits before its body
 * is read.
 */
export type BytesInFlight = Pick<FairSemaphore, 'tryAcquire' | 'acquire' | 'isShareSpent'>;

/**
 * A body needs up to about ten times its size while it is parsed and stored, so 16 MiB of bodies need less than 160
 * MiB. A tenant gets a quarter: 16 of the largest bodies at once, or 1,000 small requests. Others wait unread. A token
 * gets three quarters of that, which leaves room for the tenant's other tokens.
 */
export const BYTES_IN_FLIGHT: FairSemaphoreOptions = {
  total: 16 * 1024 * 1024,
  perOwner: 4 * 1024 * 1024,
  perPart: 3 * 1024 * 1024,
  waitMs: 5_000,
  maxWaitingPerOwner: 256,
  maxWaiting: 1_024,
};

/** The bytes of a request besides its body: headers, context, and a small response. */
const REQUEST_BYTES = 4 * 1024;

/** In seconds. The request has already waited, so the client should pause before the next try. */
const RETRY_AFTER = { 'Retry-After': '1' };

const SHARE_SPENT = refuse('rate_limited', {
  message: 'Too many bytes of your requests and responses are in flight: wait as long as Retry-After says.',
  headers: RETRY_AFTER,
});
const ALL_IN_FLIGHT = refuse('service_unavailable', {
  message: 'Too many requests are in flight: send the same request again.',
  headers: RETRY_AFTER,
});

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

type AdmittedRequest = { readonly permit: Permit } | { readonly reply: Refusal };

/**
 * Reserves bytes until the response is sent or its connection closed. Waits briefly for bytes that others hold, and then
 * refuses: with 429 if the holder has used its share, with 503 if the process has no bytes left.
 */
export async function reserve(
  bytesInFlight: BytesInFlight,
  { res, holder, bytes }: Pick<RequestToAdmit, 'res' | 'holder'> & { readonly bytes: number },
): Promise<AdmittedRequest> {
  const ask = { ...holder, weight: bytes };
  const permit = bytesInFlight.tryAcquire(ask) ?? (await bytesInFlight.acquire(ask, signalOf(res)));
  if (!permit) return { reply: bytesInFlight.isShareSpent(ask) ? SHARE_SPENT : ALL_IN_FLIGHT };
  // The listener may have refused and closed the request while it waited.
  if (res.socket?.destroyed || res.closed) permit.release();
  else res.once('close', permit.release);
  return { permit };
}

/** Admits a request before its body is read, see {@link reserve}. */
export function admitRequest(
  bytesInFlight: BytesInFlight,
  { http, res, holder, use, limit, responseBytes = 0 }: RequestToAdmit,
): Promise<AdmittedRequest> {
  const bytes = REQUEST_BYTES + bodyBytes(http, use, limit) + responseBytes;
  return reserve(bytesInFlight, { res, holder, bytes });
}
