import {
  type AttemptErrorCode,
  type AttemptOutcome,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  LRUCache,
} from '@postrider/domain';
import { ADDRESS_BLOCKED } from '../connection-errors.ts';
import { parseUrl } from '../host.ts';
import { failure, limitTime } from '../sender.ts';
import type { Exchange, HttpClient } from './exchange.ts';

/** A client of a token endpoint, as stored: without secrets. */
export type OAuth2Client = {
  token_url: string;
  client_id: string;
  scope?: string;
  audience?: string;
  /** How the client authenticates (RFC 6749 section 2.3.1): in a header, which is the default, or in fields of the form. */
  client_authentication?: 'header' | 'body';
};

/** The channel that needs a token. Changing the channel increases its revision, which invalidates earlier tokens. */
export interface TokenOwner {
  readonly channel: { readonly id: string; readonly revision: number };
  /** The mail account of the channel, for email. */
  readonly account?: string;
  readonly client: OAuth2Client;
  readonly clientSecret: string;
  /** With one, tokens come from the refresh token grant; without, from the client credentials grant. */
  readonly refreshToken?: string | undefined;
}

type TokenResult =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly failure: AttemptOutcome };

/** The outcome of a send, and whether the receiver refused the access token. */
interface SentWithToken {
  readonly outcome: AttemptOutcome;
  readonly isTokenRefused: boolean;
}

/** Access tokens of channels. Concurrent deliveries of a channel, or of a mail account, share one request for a token. */
export interface AccessTokens {
  /**
   * Sends with an access token, and once more with a new one if the receiver refuses it: it may have been revoked early. Fails
   * without sending if there is no token.
   * @param limit the attempt's remaining time, and the signal that aborts it
   */
  sendWithToken(
    owner: TokenOwner,
    limit: { readonly leftMs: () => number; readonly signal: AbortSignal },
    send: (token: string) => Promise<SentWithToken>,
  ): Promise<AttemptOutcome>;
}

const MAX_TOKENS = 5_000;
/** RFC 6750 section 2.1. Servers commonly limit all headers together to 8 KiB. */
const TOKEN = /^[A-Za-z0-9\-._~+/]{1,7000}=*$/;
/** Lifetime of a token whose server does not state it (RFC 6749 section 5.1), in milliseconds. */
const UNKNOWN_LIFETIME_MS = 300_000;
const MAX_LIFETIME_MS = 86_400_000;
/** A token is replaced this long before it expires, so that it stays valid during the delivery that uses it. */
const MARGIN_MS = 60_000;
/** How long a refusal is cached, so that waiting runs do not each ask again. */
const REFUSAL_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;

interface Kept {
  readonly result: TokenResult;
  readonly untilMs: number;
}

/** Creates the result of a request without a token. */
type Fail = (message: string, details?: Parameters<typeof failure>[2]) => TokenResult;

/** RFC 6749 section 2.3.1: both values are form-encoded before Basic joins them. */
const formEncoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);

function requestOf({ client, clientSecret, refreshToken }: TokenOwner) {
  const { client_id, scope, audience, client_authentication = 'header' } = client;
  const form = new URLSearchParams({
    ...(refreshToken === undefined
      ? { grant_type: 'client_credentials' }
      : { grant_type: 'refresh_token', refresh_token: refreshToken }),
    ...(scope === undefined ? {} : { scope }),
    ...(audience === undefined ? {} : { audience }),
    ...(client_authentication === 'body' ? { client_id, client_secret: clientSecret } : {}),
  });
  const basic = Buffer.from(`${formEncoded(client_id)}:${formEncoded(clientSecret)}`).toString('base64');
  return {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      ...(client_authentication === 'header' ? { authorization: `Basic ${basic}` } : {}),
    },
    body: form.toString(),
  };
}

/** Error codes of RFC 6749 section 5.2 have this form. Other text from the server is not shown. */
const ERROR_CODE = /^[a-z_]{1,40}$/;

function parse(text: string | null): JsonValue {
  try {
    return JSON.parse(text ?? 'null') as JsonValue;
  } catch {
    return null;
  }
}

/** The error code in a refusal; empty if there is none, or if it repeats a secret. */
function errorCodeOf({ error }: JsonObject, { clientSecret, refreshToken = '' }: TokenOwner): string {
  if (typeof error !== 'string' || !ERROR_CODE.test(error)) return '';
  return clientSecret.includes(error) || refreshToken.includes(error) ? '' : `, ${error}`;
}

function read(exchange: Exchange, owner: TokenOwner, nowMs: number, fail: Fail): Kept {
  const refused = (message: string): Kept => ({ result: fail(message), untilMs: nowMs + REFUSAL_MS });
  if (exchange.broken) {
    const { code, reason } = exchange.broken;
    if (code === ADDRESS_BLOCKED) {
      const result = fail(`the token endpoint cannot be used. ${reason}`, { retryable: false });
      return { result, untilMs: nowMs + REFUSAL_MS };
    }
    return refused(`the token endpoint could not be reached (${code}).${reason ? ` ${reason}` : ''}`);
  }
  const { statusCode, bodyExcerpt } = exchange.response;
  const answer = parse(bodyExcerpt);
  const body = isJsonObject(answer) ? answer : {};
  if (statusCode !== 200) {
    return refused(`the token endpoint refused (HTTP ${statusCode}${errorCodeOf(body, owner)}).`);
  }
  const { access_token: token, token_type: type, expires_in: seconds } = body;
  if (
    typeof token !== 'string' ||
    !TOKEN.test(token) ||
    typeof type !== 'string' ||
    !/^bearer$/i.test(type)
  ) {
    return refused('the response of the token endpoint has no bearer token.');
  }
  // Converting a list or an object can throw.
  const given = typeof seconds === 'number' || typeof seconds === 'string' ? Number(seconds) : Number.NaN;
  const lifetimeMs = Number.isFinite(given) && given > 0 ? given * 1_000 : UNKNOWN_LIFETIME_MS;
  // A token that lasts less than the margin is used for half of its lifetime.
  const usedMs = Math.max(lifetimeMs - MARGIN_MS, lifetimeMs / 2);
  return { result: { ok: true, token }, untilMs: nowMs + Math.min(usedMs, MAX_LIFETIME_MS) };
}

/** Waits for a shared promise, but no longer than one delivery may take. */
async function within(
  work: Promise<TokenResult>,
  late: TokenResult,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<TokenResult> {
  const limit = limitTime({ timeoutMs, signal });
  try {
    const first = await Promise.race([work, limit.ended]);
    return first === 'ended' ? late : first;
  } finally {
    limit.stop();
  }
}

/**
 * Fetches tokens with the client credentials grant (RFC 6749 section 4.4) or a refresh token (section 6), and keeps them
 * until shortly before they expire. It follows no redirect and reads at most 16 KiB.
 * @param code of the failures
 * @param nowMs a monotonic clock, in milliseconds
 */
export function createAccessTokens(
  http: HttpClient,
  {
    code,
    httpsOnly = false,
  }: {
    readonly code: AttemptErrorCode;
    readonly httpsOnly?: boolean;
  },
  nowMs: () => number = () => performance.now(),
): AccessTokens {
  const kept = new LRUCache<string, Kept>({ max: MAX_TOKENS });
  const underWay = new Map<string, Promise<TokenResult>>();
  const keyOf = ({ channel, account = '' }: TokenOwner) => `${channel.id} ${channel.revision} ${account}`;
  const fail: Fail = (message, details) => ({
    ok: false,
    failure: failure(code, `Nothing was sent: ${message}`, details),
  });
  const late = fail('the token endpoint did not respond within the time limit.');

  async function ask(owner: TokenOwner, key: string): Promise<TokenResult> {
    const url = parseUrl(owner.client.token_url);
    if (!url || !/^https?:$/.test(url.protocol)) {
      return fail('the token URL is not http or https.', { retryable: false });
    }
    if (httpsOnly && url.protocol !== 'https:') {
      return fail('this installation fetches tokens over https only.', { retryable: false });
    }
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const exchange = await http.send({ url, ...requestOf(owner), timeoutMs: REQUEST_TIMEOUT_MS, signal });
    const fresh = read(exchange, owner, nowMs(), fail);
    kept.set(key, fresh);
    return fresh.result;
  }

  /** @param timeoutMs remaining time of the attempt */
  function tokenFor(owner: TokenOwner, timeoutMs: number, signal: AbortSignal): Promise<TokenResult> {
    const key = keyOf(owner);
    const known = kept.get(key);
    if (known && nowMs() < known.untilMs) return Promise.resolve(known.result);
    let asking = underWay.get(key);
    if (!asking) {
      asking = ask(owner, key).finally(() => underWay.delete(key));
      underWay.set(key, asking);
    }
    return within(asking, late, timeoutMs, signal);
  }

  return {
    async sendWithToken(owner, { leftMs, signal }, send) {
      const first = await tokenFor(owner, leftMs(), signal);
      if (!first.ok) return first.failure;
      const { outcome, isTokenRefused } = await send(first.token);
      if (!isTokenRefused) return outcome;
      const key = keyOf(owner);
      const known = kept.get(key)?.result;
      // Another delivery may have stored a newer token: it stays.
      if (known?.ok && known.token === first.token) kept.delete(key);
      const second = await tokenFor(owner, leftMs(), signal);
      return second.ok ? (await send(second.token)).outcome : second.failure;
    },
  };
}
