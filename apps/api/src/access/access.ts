import type { Actor, Bounds, OperatorSnapshot } from '@postrider/db';
import { ALL_SCOPES, type Scope, tokenScopes, withReads } from '@postrider/domain';
import { type Refusal, refuse } from '../http/reply.ts';

/** The sender of a request and what it may do, whether it has a token or a session. */
export interface Access {
  /** With the `read` of each area. Also the rights of tokens that no operation needs, such as `ignore_suppression`. */
  readonly scopes: ReadonlySet<string>;
  /** Null for a caller that is not bound. The token of an environment has no other bound: the pipeline has only that one. */
  readonly bounds: Bounds | null;
  /** Null for the token of an environment. */
  readonly actor: Actor | null;
  /** The consumer that the caller is bound to, which sees nothing of another; null for all other callers. */
  readonly consumerId: string | null;
  /** The UUID of the session in the console; null without one. */
  readonly sessionId: string | null;
  /** Whose share of memory and connections the request uses, such as the UUID of a token. */
  readonly callerId: string;
}

/**
 * Whose share of memory and turns a caller of a consumer uses. All consumers of a tenant together have one, apart from the
 * tenant's, so that they cannot keep its events out; each is a part of it, whatever tokens it has.
 */
export const shareOfConsumer = (tenantId: string, environmentId: string, consumerId: string) => ({
  owner: `consumers ${tenantId}`,
  part: `${environmentId} ${consumerId}`,
});

/** The access of a caller of the management API. */
export type OperatorAccess = Access & { readonly actor: Actor };

const EVERYTHING = withReads([...ALL_SCOPES, 'ignore_suppression']);

/** Access with ADMIN_TOKEN, or in a session that it opened. */
export function accessOfAdminToken(actor: Actor, sessionId: string | null): OperatorAccess {
  return {
    scopes: EVERYTHING,
    bounds: null,
    actor,
    consumerId: null,
    sessionId,
    callerId: sessionId ?? 'admin',
  };
}

/**
 * Access of an operator, or with the token of one or of a machine. Who may change the list of suppressed addresses may also
 * send to them.
 */
export function accessOfOperator(
  actor: Actor,
  { id, scopes, bounds }: Pick<OperatorSnapshot, 'id' | 'scopes' | 'bounds'>,
  sessionId: string | null,
): OperatorAccess {
  const all = scopes.has('suppressions:write') ? new Set([...scopes, 'ignore_suppression']) : scopes;
  return { scopes: all, bounds, actor, consumerId: null, sessionId, callerId: id };
}

/** Access with the token of an environment or of a consumer. `scopes` are those of its snapshot. */
export function accessOfToken(
  id: string,
  scopes: ReadonlySet<string>,
  consumerId: string | null = null,
): Access {
  return { scopes, bounds: null, actor: null, consumerId, sessionId: null, callerId: id };
}

/** Access in the session of an integrator: that of the token, without rights that pages do not need. */
export function accessOfIntegrator(tokenId: string, stored: readonly string[], sessionId: string): Access {
  const scopes = tokenScopes(stored).filter((scope) => scope.includes(':'));
  return { ...accessOfToken(tokenId, withReads(scopes)), sessionId };
}

/** The refusal of a caller without this scope (RFC 6750 section 3.1), or null. */
export function refuseWithoutScope({ scopes }: Pick<Access, 'scopes'>, needed: Scope): Refusal | null {
  return scopes.has(needed) ? null : (REFUSALS.get(needed) ?? refuse('forbidden'));
}

/** The refusal of a caller of one consumer, for an operation that is not for consumers; null for all others. */
export const refuseConsumer = (
  { consumerId }: Pick<Access, 'consumerId'>,
  isForConsumers: boolean,
): Refusal | null => (consumerId === null || isForConsumers ? null : NOT_FOR_CONSUMERS);

const NOT_FOR_CONSUMERS = refuse('forbidden', {
  message: 'Tokens of a consumer and sessions of its portal cannot call this.',
});

const REFUSALS: ReadonlyMap<Scope, Refusal> = new Map(
  ALL_SCOPES.map((scope) => [
    scope,
    refuse('forbidden', {
      message: `This needs the scope ${scope}.`,
      headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
    }),
  ]),
);
