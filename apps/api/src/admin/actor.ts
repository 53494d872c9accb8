import type { IncomingMessage } from 'node:http';
import type { Actor } from '@postrider/db';
import type { OriginLookup } from '@postrider/listener';
import { type Refusal, refuse } from '../http/reply.ts';
import { headerOf, type RequestContext } from '../http/request.ts';

/** Characters of a reason. */
const MAX_REASON = 500;
/** Control characters, and characters that change the direction of a line or end it. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
/** An email address: audit entries are never changed, so an erasure could not remove it. */
const ADDRESS = /[^\s@]@[^\s@]/;

/** The reason in the bytes of a header, which are UTF-8; null if it cannot be one. */
function parseReason(header: string): string | null {
  const bytes = Buffer.from(header, 'latin1');
  const reason = bytes.toString('utf8').trim();
  const isUtf8 = Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes);
  const { length } = [...reason];
  return isUtf8 && length >= 1 && length <= MAX_REASON && !UNPRINTABLE.test(reason) ? reason : null;
}

const badReason = (message: string) =>
  refuse('validation_failed', {
    message: 'X-Reason is not a reason that the audit log can keep.',
    details: [{ path: '/X-Reason', code: 'invalid_value', message }],
  });
const NOT_A_REASON = badReason(`must be 1 to ${MAX_REASON} printable characters in UTF-8`);
const NAMES_AN_ADDRESS = badReason(
  'must not contain an email address, because entries of the audit log cannot be erased',
);

/** A caller whose token or session was checked. */
type Caller = Pick<Actor, 'name' | 'kind' | 'credentialId'>;

/** Completes the actor of a request with its address, its `X-Reason` and its ids; or a refusal: the reason is invalid. */
export type ActorOf = (http: IncomingMessage, context: RequestContext, caller: Caller) => Actor | Refusal;

/** Creates {@link ActorOf}. */
export function createActorOf(originOf: OriginLookup): ActorOf {
  return (http, { requestId, traceId }, caller) => {
    const header = headerOf(http, 'x-reason');
    const reason = header === undefined ? null : parseReason(header);
    if (header !== undefined && reason === null) return NOT_A_REASON;
    if (reason !== null && ADDRESS.test(reason)) return NAMES_AN_ADDRESS;
    return { ...caller, address: originOf(http).address || null, reason, requestId, traceId };
  };
}
