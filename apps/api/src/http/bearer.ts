import { refuse } from './reply.ts';

/** RFC 6750 section 2.1; the scheme's case does not matter (RFC 9110 section 11.1). */
const BEARER = /^bearer +(\S+)$/i;

/** The bearer token of an Authorization header; undefined when it has none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1];
}

/** The 401 of every protected route: one answer for every cause, so that it tells nothing about tokens. */
export const UNAUTHORIZED = refuse('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } });
