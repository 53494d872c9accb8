import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Actor, SERVICE_ACTORS } from '@postrider/db';
import type { ConsoleSessions } from '../console/sessions.ts';
import { bearerToken, type Refusal, refuse, UNAUTHORIZED } from '../http/reply.ts';
import { headerOf, type RequestContext } from '../http/request.ts';

/** The actor of a request without X-Actor. */
const UNNAMED = 'admin';
const ACTOR_NAME = /^[\x21-\x7e]{1,128}$/;

const sha256 = (text: string) => createHash('sha256').update(text).digest();

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
  message: 'X-Actor is a name that the service uses itself.',
  details: [
    {
      path: '/X-Actor',
      code: 'invalid_value',
      message: `must be your own name, and not one of ${SERVICE_ACTORS.join(', ')}`,
    },
  ],
});

/**
 * Returns the actor of the request, and the UUID of its session if it has no token, or a refusal: the bearer token is
 * wrong, or the name is reserved.
 */
export type Authenticate = (
  http: IncomingMessage,
  context: RequestContext,
) => Promise<
  | { readonly outcome: 'known'; readonly actor: Actor; readonly sessionId: string | null }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
>;

/**
 * Compares texts with the admin token by digest and in constant time, so that response times reveal nothing about it.
 */
export function createIsAdminToken(adminToken: string): (text: string) => boolean {
  const expected = sha256(adminToken);
  return (text) => timingSafeEqual(sha256(text), expected);
}

/**
 * Creates the check of the admin token (docs/specification.md, "Admin authentication"), or of the operator's session if
 * there is no Authorization header. `X-Actor` is the caller's own name for the audit log. Callers with the token may
 * use any name except those of the service. In a session the actor is the session's.
 */
export function createAuthenticate(
  adminToken: string,
  sessions: Pick<ConsoleSessions, 'authenticate'> | null,
): Authenticate {
  const isAdminToken = createIsAdminToken(adminToken);
  return async (http, { requestId, traceId }) => {
    const authorization = headerOf(http, 'authorization');
    if (authorization === undefined && sessions) {
      const session = await sessions.authenticate(http, 'operator');
      return 'refused' in session
        ? { outcome: 'refused', refusal: session }
        : {
            outcome: 'known',
            actor: { name: session.actor, requestId, traceId },
            sessionId: session.id,
          };
    }
    const given = bearerToken(authorization);
    if (given === undefined || !isAdminToken(given)) return { outcome: 'refused', refusal: UNAUTHORIZED };
    const name = headerOf(http, 'x-actor') ?? UNNAMED;
    if (isServiceActor(name)) return { outcome: 'refused', refusal: RESERVED_ACTOR };
    return {
      outcome: 'known',
      actor: { name: isActorName(name) ? name : UNNAMED, requestId, traceId },
      sessionId: null,
    };
  };
}
