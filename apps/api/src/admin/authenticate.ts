import { createHash, timingSafeEqual } from 'node:crypto';
import type { Actor } from '@postrider/db';
import type { Request } from 'express';
import { bearerToken } from '../http/bearer.ts';
import type { RequestContext } from '../http/request-context.ts';

/** Whoever calls without a name of their own. */
const UNNAMED = 'admin';
const ACTOR_NAME = /^[\x21-\x7e]{1,128}$/;

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** Whether a text can be somebody's name: as X-Request-ID, it is logged and stored as it is. */
export function isActorName(text: string): boolean {
  return ACTOR_NAME.test(text);
}

/** Says who calls the management API; null when the bearer token is not the admin token. */
export type Authenticate = (http: Request, context: RequestContext) => Actor | null;

/**
 * Creates the check of the admin token (contract section 8). Digests are compared, and in constant time, so that an
 * answer's time tells nothing about the token or its length. `X-Actor` is who the caller says they are, for the audit
 * log; everybody with the token may say anything.
 */
export function createAuthenticate(adminToken: string): Authenticate {
  const expected = sha256(adminToken);
  return (http, { requestId, traceId }) => {
    const given = bearerToken(http.get('authorization'));
    if (given === undefined || !timingSafeEqual(sha256(given), expected)) return null;
    const name = http.get('x-actor') ?? UNNAMED;
    return { name: isActorName(name) ? name : UNNAMED, requestId, traceId };
  };
}
