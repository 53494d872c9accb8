import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { sha256 } from '@postrider/domain';

/** 256 bits in base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** Creates the secret of a session or a link. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The token that a page must send back in `X-CSRF-Token`. Only a holder of the cookie can compute it. */
export function csrfTokenOf(secret: string): string {
  return sha256(`csrf ${secret}`).toString('base64url');
}

/** Whether a text is the session's CSRF token, in constant time. */
export function isCsrfToken(secret: string, given: string | undefined): boolean {
  return given !== undefined && timingSafeEqual(sha256(given), sha256(csrfTokenOf(secret)));
}

/** A cookie. Under TLS a browser accepts the prefixed name only from this host, so that no sibling domain can plant one. */
export function createCookie(name: string, sameSite: 'Strict' | 'Lax') {
  const nameOf = (isSecure: boolean) => `${isSecure ? '__Host-' : ''}${name}`;
  const format = (value: string, isSecure: boolean, age = '') =>
    `${nameOf(isSecure)}=${value}; ${age}Path=/; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`;

  return {
    /**
     * Its values in a request. A browser can have several, for example of a parent domain, and nothing says which one was set by
     * this host.
     */
    valuesIn({ headers }: IncomingMessage, isSecure: boolean): readonly string[] {
      const prefix = `${nameOf(isSecure)}=`;
      const cookies = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
      const own = cookies.filter((text) => text.startsWith(prefix));
      return [...new Set(own.map((text) => text.slice(prefix.length)))];
    },
    /** The `Set-Cookie` header. The cookie lasts for `seconds`, or until the browser is closed. */
    set: (value: string, isSecure: boolean, seconds?: number) =>
      format(value, isSecure, seconds === undefined ? '' : `Max-Age=${seconds}; `),
    /** `Set-Cookie` that removes it. */
    remove: (isSecure: boolean) => format('', isSecure, 'Max-Age=0; '),
  };
}

/** The cookie of a session. It has no expiry, because the session has its own. */
export const SESSION_COOKIE = createCookie('postrider_session', 'Strict');

/** The well-formed secrets of sessions in the cookies of a request. Others are refused without a query. */
export const secretsIn = (http: IncomingMessage, isSecure: boolean): readonly string[] =>
  SESSION_COOKIE.valuesIn(http, isSecure).filter((text) => SECRET.test(text));

/**
 * Whether a request comes from a page of this origin, or from no page. Browsers send `Sec-Fetch-Site`, or, without TLS,
 * the page's `Origin` with a body.
 */
export function isSameOrigin({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === headers.host;
}

/** Printable characters of a user agent that are kept. */
const MAX_USER_AGENT = 256;

/** The program that a request says it is, for lists of sessions; null if it says nothing printable. */
export function userAgentOf({ headers }: IncomingMessage): string | null {
  const text = (headers['user-agent'] ?? '')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .slice(0, MAX_USER_AGENT)
    .trim();
  return text === '' ? null : text;
}
