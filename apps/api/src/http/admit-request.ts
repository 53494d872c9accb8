import type { Request } from 'express';
import type { Admit, Ticket } from './admission.ts';
import type { BodyUse } from './receive-bytes.ts';
import { type Refusal, refuse } from './reply.ts';

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
  if (http.socket.destroyed) ticket.leave();
  else http.res?.once('close', ticket.leave);
  return { ticket };
}
