import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Actor, type RecordUse, SERVICE_ACTORS, type Snapshots } from '@postrider/db';
import {
  ACTOR_NAME_PATTERN,
  formatId,
  hashToken,
  invalidValue,
  OPERATOR_TOKENS,
  refuse,
  reject,
  sha256,
} from '@postrider/domain';
import type { OriginLookup } from '@postrider/listener';
import { accessOfAdminToken, accessOfOperator, type OperatorAccess } from '../access/access.ts';
import { type ConsoleSessions, createIsAdminDigest } from '../console/sessions.ts';
import { bearerToken, UNAUTHORIZED } from '../http/reply.ts';
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
    message: 'X-Reason cannot be stored in the audit log.',
    details: [invalidValue('/X-Reason', message)],
  });
const NOT_A_REASON = badReason(`must be 1 to ${MAX_REASON} printable characters in UTF-8`);
const NAMES_AN_ADDRESS = badReason(
  'must not contain an email address, because audit log entries cannot be erased',
);

/** A caller whose token or session was checked. */
type CheckedCaller = Pick<Actor, 'name' | 'kind' | 'credentialId'>;

/**
 * Completes the actor of a request.
 * @throws RefusedError if `X-Reason` is invalid
 */
export type ActorOf = (http: IncomingMessage, context: RequestContext, caller: CheckedCaller) => Actor;

/** Creates {@link ActorOf}. */
export function createActorOf(originOf: OriginLookup): ActorOf {
  return (http, { requestId, traceId }, caller) => {
    const header = headerOf(http, 'x-reason');
    const reason = header === undefined ? null : parseReason(header);
    if (header !== undefined && reason === null) reject(NOT_A_REASON);
    if (reason !== null && ADDRESS.test(reason)) reject(NAMES_AN_ADDRESS);
    return { ...caller, address: originOf(http).address || null, reason, requestId, traceId };
  };
}

/** The actor of a request without X-Actor. */
const UNNAMED = 'admin';
const ACTOR_NAME = new RegExp(ACTOR_NAME_PATTERN);

/** Whether a text can be an actor's name, which is logged and stored unchanged. */
export function isActorName(text: string): boolean {
  return ACTOR_NAME.test(text);
}

/** Ignores case and surrounding punctuation, so that readers of the log do not mistake an actor for the service. */
export const isServiceActor = (name: string) => {
  const bare = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return SERVICE_ACTORS.some((actor) => actor === bare);
};

const RESERVED_ACTOR = refuse('validation_failed', {
  message: 'X-Actor is reserved for the service itself.',
  details: [invalidValue('/X-Actor', `must be your own name, and not one of ${SERVICE_ACTORS.join(', ')}`)],
});

/**
 * Returns what the sender of the request may do.
 * @throws RefusedError if the bearer token is wrong, the name is reserved, or the reason is invalid
 */
export type Authenticate = (http: IncomingMessage, context: RequestContext) => Promise<OperatorAccess>;

/**
 * Whether a text is the admin token; never if that is switched off. Compares digests in constant time.
 */
export function createIsAdminToken(adminToken: string | null): (text: string) => boolean {
  const expected = adminToken === null ? null : sha256(adminToken);
  return (text) => expected !== null && timingSafeEqual(sha256(text), expected);
}

export interface AuthenticateDeps {
  /** Null if it is switched off. */
  readonly adminToken: string | null;
  readonly snapshots: Pick<Snapshots, 'operator' | 'operatorToken'>;
  /** Null if the console is off. */
  readonly sessions: Pick<ConsoleSessions, 'authenticate'> | null;
  readonly actorOf: ActorOf;
  readonly recordUse: RecordUse;
}

/**
 * Creates the check of a token for the management API (docs/specification.md, "Admin authentication"), or of the operator's
 * session if there is no Authorization header. `X-Actor` is the own name of a caller with the admin token, who may use any
 * name except those of the service. Other callers have the name of the operator or the token.
 */
export function createAuthenticate({
  adminToken,
  snapshots,
  sessions,
  actorOf,
  recordUse,
}: AuthenticateDeps): Authenticate {
  const isAdminToken = createIsAdminToken(adminToken);
  const isAdminDigest = createIsAdminDigest(adminToken);

  async function inSession(http: IncomingMessage): Promise<Caller> {
    const session = (await sessions?.authenticate(http, 'operator')) ?? reject(UNAUTHORIZED);
    const credentialId = formatId('ses', session.id);
    if (session.operatorId !== null) {
      const operator = (await snapshots.operator(session.operatorId)) ?? reject(UNAUTHORIZED);
      recordUse('operators', operator.id);
      const as = { name: operator.email, kind: 'operator', credentialId } as const;
      return { as, accessOf: (actor) => accessOfOperator(actor, operator, session.id) };
    }
    const admin = { name: session.actor, kind: 'admin_token', credentialId } as const;
    return { as: admin, accessOf: (actor) => accessOfAdminToken(actor, session.id) };
  }

  function withAdminToken(http: IncomingMessage): Caller {
    const name = headerOf(http, 'x-actor') ?? UNNAMED;
    if (isServiceActor(name)) reject(RESERVED_ACTOR);
    const as = { name: isActorName(name) ? name : UNNAMED, kind: 'admin_token', credentialId: null } as const;
    return { as, accessOf: (actor) => accessOfAdminToken(actor, null) };
  }

  async function withToken(text: string): Promise<Caller> {
    const token = OPERATOR_TOKENS.isWellFormed(text) ? await snapshots.operatorToken(hashToken(text)) : null;
    if (!token || (token.adminDigest && !isAdminDigest(token.adminDigest))) reject(UNAUTHORIZED);
    const { operator } = token;
    recordUse('operator_tokens', token.id);
    if (operator) recordUse('operators', operator.id);
    const credentialId = formatId('otk', token.id);
    const as = operator
      ? ({ name: operator.email, kind: 'operator', credentialId } as const)
      : ({ name: token.name, kind: 'operator_token', credentialId } as const);
    return {
      as,
      accessOf: (actor) => accessOfOperator(actor, { ...token, id: operator?.id ?? token.id }, null),
    };
  }

  async function callerOf(http: IncomingMessage): Promise<Caller> {
    const authorization = headerOf(http, 'authorization');
    if (authorization === undefined) return inSession(http);
    const text = bearerToken(authorization);
    if (text === undefined) reject(UNAUTHORIZED);
    return isAdminToken(text) ? withAdminToken(http) : withToken(text);
  }

  return async (http, context) => {
    const caller = await callerOf(http);
    return caller.accessOf(actorOf(http, context, caller.as));
  };
}

/** A caller that is known, before its request is checked. */
interface Caller {
  readonly as: Pick<Actor, 'name' | 'kind' | 'credentialId'>;
  readonly accessOf: (actor: Actor) => OperatorAccess;
}
