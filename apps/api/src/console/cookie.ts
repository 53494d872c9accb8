import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** 256 bits in base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;
/** Under TLS a browser accepts the prefixed name only from this host, so that no sibling domain can plant a session. */
const NAMES = { secure: '__Host-postrider_session', plain: 'postrider_session' } as const;

export const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** Creates the secret of a session or a link. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a text has the form of a secret. Others are refused without a query. */
function isSecret(text: string): boolean {
  return SECRET.test(text);
}

/** The token that a page must send back in `X-CSRF-Token`. Only a holder of the cookie can compute it. */
export function csrfTokenOf(secret: string): string {
  return sha256(`csrf ${secret}`).toString('base64url');
}

/** Whether a text is the session's CSRF token, in constant time. */
export function isCsrfToken(secret: string, given: string | undefined): boolean {
  return given !== undefined && timingSafeEqual(sha256(given), sha256(csrfTokenOf(secret)));
}

/**
 * The values of the cookies of a request with this name. A browser can have several, for example of a parent domain, and
 * nothing says which one was set by this host.
 */
export function cookieValues({ headers }: IncomingMessage, name: string): readonly string[] {
  const cookies = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const values = cookies
    .filter((text) => text.startsWith(`${name}=`))
    .map((text) => text.slice(name.length + 1));
  return [...new Set(values)];
}

/** The well-formed secrets of sessions in the cookies of a request. */
export function secretsIn(http: IncomingMessage, isSecure: boolean): readonly string[] {
  return cookieValues(http, isSecure ? NAMES.secure : NAMES.plain).filter(isSecret);
}

const attributesOf = (isSecure: boolean) => `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;

/** `Set-Cookie` of a new session. It has no expiry, because the session has its own. */
export function sessionCookie(secret: string, isSecure: boolean): string {
  return `${isSecure ? NAMES.secure : NAMES.plain}=${secret}; ${attributesOf(isSecure)}`;
}

/** `Set-Cookie` that removes the cookie. */
export function expiredCookie(isSecure: boolean): string {
  return `${isSecure ? NAMES.secure : NAMES.plain}=; Max-Age=0; ${attributesOf(isSecure)}`;
}

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
