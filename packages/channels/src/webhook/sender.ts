import {
  type AttemptOutcome,
  type JsonObject,
  MAX_RETRY_DELAY_SECONDS,
  NO_LISTENER,
  parseRetryAfter,
  type RemoteResponse,
} from '@postrider/domain';
import { PRIVATE_KEY, tlsIdentityOf } from '../certificates.ts';
import { ADDRESS_BLOCKED } from '../connection-errors.ts';
import { hidingResponses } from '../hide-credentials.ts';
import { createHttpClient } from '../http/create-client.ts';
import type { Broken, Exchange, HttpRequest } from '../http/exchange.ts';
import { type AccessTokens, createAccessTokens } from '../http/oauth2.ts';
import type { JsonContent } from '../json-template.ts';
import {
  type Delivery,
  delivered,
  type ExchangeFacts,
  failure,
  isOutcome,
  type Sender,
  type SenderOptions,
} from '../sender.ts';
import type { WebhookConfig } from './config.ts';
import { sendToListener } from './listener.ts';
import {
  GIVEN_SECRET,
  headerCredential,
  isListenerUrl,
  ownHeaders,
  PREVIOUS_SIGNING_KEY,
  parseWebhookUrl,
  SIGNING_KEY,
  shownHeaders,
  TLS_KEY,
  webhookHeaders,
} from './request.ts';

/** Credentials that are never sent. */
const KEYS: readonly string[] = [SIGNING_KEY, PREVIOUS_SIGNING_KEY, TLS_KEY, GIVEN_SECRET];

/** The values of the secret headers, or the name of a missing credential. */
type SecretHeaderValues =
  | { readonly ok: true; readonly headers: Record<string, string> }
  | { readonly ok: false; readonly missing: string };

function secretHeaderValues(
  { secret_headers = {}, auth }: WebhookConfig,
  credentials: Delivery<unknown>['credentials'],
): SecretHeaderValues {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(secret_headers)) {
    const value = credentials[headerCredential(name)];
    if (value === undefined) return { ok: false, missing: name };
    headers[name] = value;
  }
  if (auth?.type === 'basic') {
    const { 'auth/password': password } = credentials;
    if (password === undefined) return { ok: false, missing: 'password' };
    headers.authorization = `Basic ${Buffer.from(`${auth.username}:${password}`).toString('base64')}`;
  }
  if (auth?.type === 'bearer') {
    const { 'auth/token': token } = credentials;
    if (token === undefined) return { ok: false, missing: 'token' };
    headers.authorization = `Bearer ${token}`;
  }
  return { ok: true, headers };
}

/** Classifies a status (docs/specification.md, "Webhooks"). `retryAfter` is the header of that name. */
function classifyHttpResponse(
  response: RemoteResponse,
  retryAfter: string | undefined,
  nowMs: number,
): AttemptOutcome {
  const { statusCode } = response;
  if (statusCode >= 200 && statusCode < 300) return delivered(response);
  if (statusCode >= 300 && statusCode < 400) {
    return failure('webhook_redirect_refused', `Redirects are not followed (HTTP ${statusCode}).`, {
      response,
    });
  }
  if (statusCode === 410) {
    return failure('webhook_endpoint_gone', 'The endpoint is gone (HTTP 410).', {
      retryable: false,
      endpointGone: true,
      response,
    });
  }
  const honoursRetryAfter = statusCode === 429 || statusCode === 503;
  const retryAfterMs = honoursRetryAfter ? parseRetryAfter(retryAfter, nowMs) : null;
  const seconds = Math.ceil((retryAfterMs ?? 0) / 1_000);
  const wait = seconds > MAX_RETRY_DELAY_SECONDS ? 'more than a week' : `${seconds} s`;
  const asks = seconds === 0 ? '' : `, with Retry-After of ${wait}`;
  return failure('webhook_http_error', `The endpoint responded with HTTP ${statusCode}${asks}.`, {
    retryAfterMs,
    response,
  });
}

const TIMEOUT_CODES = ['ETIMEDOUT', 'ABORT_ERR', 'ERR_ABORTED', 'UND_ERR_CONNECT_TIMEOUT'];
const isTimeout = (code: string): boolean => TIMEOUT_CODES.includes(code);

type BrokenExchange = Extract<Exchange, { readonly broken: Broken }>;

/**
 * Classifies a broken exchange. Once connected, the endpoint may have acted on the request, so the outcome is
 * unknown. Before that it has certainly failed. A final status other than 2xx that arrived before the break decides.
 */
function classifyBrokenExchange(
  { response, retryAfter, broken }: BrokenExchange,
  nowMs: number,
): AttemptOutcome {
  const { code, reason, connected, inTlsHandshake } = broken;
  const isSuccess = response !== null && response.statusCode >= 200 && response.statusCode < 300;
  // Success requires a complete response, so a 2xx whose body breaks off is not one.
  if (response && !isSuccess) return classifyHttpResponse(response, retryAfter, nowMs);
  const status = connected ? 'unknown' : 'failed';
  const why = reason === null ? '' : ` ${reason}`;
  switch (true) {
    case code === ADDRESS_BLOCKED:
      return failure('webhook_address_blocked', reason ?? 'The address is not allowed.', {
        retryable: false,
      });
    case code === 'POSTRIDER_DNS_FAILED':
      return failure('webhook_dns_failed', reason ?? 'The host name could not be resolved.');
    case code === NO_LISTENER:
      return failure('webhook_connection_failed', reason ?? 'Nobody listens.');
    case code === 'POSTRIDER_PROXY_FAILED':
      return failure('webhook_connection_failed', reason ?? 'The egress proxy opened no tunnel.');
    case isTimeout(code): {
      const handshake = inTlsHandshake ? 'completed TLS handshake' : 'connection';
      const awaited = connected ? 'complete response' : handshake;
      return failure('webhook_timeout', `There was no ${awaited} within the time limit.`, {
        status,
        response,
      });
    }
    case inTlsHandshake:
      return failure('webhook_tls_failed', `The TLS handshake failed (${code}).${why}`);
    case connected: {
      const what = code.startsWith('HPE_')
        ? 'The response cannot be read'
        : 'The connection broke before the end of the response';
      return failure('webhook_connection_failed', `${what} (${code}).${why}`, { status, response });
    }
    default:
      return failure('webhook_connection_failed', `No connection could be opened (${code}).`);
  }
}

/** What all deliveries of a process share. */
interface Clients {
  readonly http: Pick<ReturnType<typeof createHttpClient>, 'send'>;
  readonly tokens: AccessTokens;
}

/** The credentials that a request contains. An endpoint cannot repeat keys for signing or TLS. */
const sentCredentials = (credentials: Delivery<unknown>['credentials']): string[] =>
  Object.entries(credentials)
    .filter(([name]) => !KEYS.includes(name))
    .map(([, value]) => value);

async function sendRequest(
  { http, tokens }: Clients,
  delivery: Delivery<JsonContent>,
  url: URL,
): Promise<AttemptOutcome> {
  const { timeoutMs, signal, nowMs, content, credentials, channel } = delivery;
  const config = channel.config as JsonObject & WebhookConfig;
  const endsAt = performance.now() + timeoutMs;
  const left = () => Math.max(1, endsAt - performance.now());
  const secret = secretHeaderValues(config, credentials);
  if (!secret.ok)
    return failure('webhook_auth_failed', `Nothing was sent: the credential ${secret.missing} is missing.`);
  const tls = config.tls && tlsIdentityOf(config.tls, { [PRIVATE_KEY]: credentials[TLS_KEY] });
  if (tls === null)
    return failure('webhook_auth_failed', 'Nothing was sent: the credential private key is missing.');

  const exchangeWith = async (token: string | null): Promise<Exchange> => {
    const given = token === null ? secret.headers : { ...secret.headers, authorization: `Bearer ${token}` };
    const secretHeaders = ownHeaders(given);
    const headers = webhookHeaders(delivery, config, secretHeaders);
    delivery.reportExchange?.({ requestHeaders: shownHeaders(headers, delivery, config, secretHeaders) });
    const hidden = [...sentCredentials(credentials), ...(token === null ? [] : [token])];
    const hide = hidden.length > 0 ? hidingResponses(hidden) : null;
    const { reportExchange } = delivery;
    const exchange = await http.send({
      url,
      headers,
      body: content.body,
      tls,
      timeoutMs: left(),
      signal,
      reportExchange:
        hide && reportExchange ? (facts: ExchangeFacts) => reportExchange(hide.facts(facts)) : reportExchange,
    });
    return hide ? hide.exchange(exchange) : exchange;
  };
  const classify = (exchange: Exchange): AttemptOutcome => {
    if (exchange.broken) return classifyBrokenExchange(exchange, nowMs());
    const outcome = classifyHttpResponse(exchange.response, exchange.retryAfter, nowMs());
    return exchange.asksForPause ? { ...outcome, asksForPause: true } : outcome;
  };

  const { auth } = config;
  if (auth?.type !== 'oauth2') return classify(await exchangeWith(null));
  const { 'auth/client_secret': clientSecret } = credentials;
  if (clientSecret === undefined)
    return failure('webhook_auth_failed', 'Nothing was sent: the client secret is missing.');
  const limits = { leftMs: left, signal };
  return tokens.sendWithToken({ channel, client: auth, clientSecret }, limits, async (token) => {
    const exchange = await exchangeWith(token);
    const isTokenRefused = exchange.broken === null && exchange.response.statusCode === 401;
    return { outcome: classify(exchange), isTokenRefused };
  });
}

/**
 * Creates the webhook sender: one POST, signed according to Standard Webhooks, without redirects, within one
 * deadline. It reads at most 16 KiB of the response and decompresses nothing. It connects only to addresses that the
 * policy allows. For a channel with OAuth 2.0, a 401 is followed by one more POST with a new token.
 */
export function createWebhookSender(options: SenderOptions): Sender<JsonContent> {
  const { httpsOnly = false, relayToListener } = options;
  const http = createHttpClient(options);
  const tokens = createAccessTokens(http, { code: 'webhook_auth_failed', httpsOnly });

  /** The URL of a channel, or why nothing is sent there. */
  function urlOf({ id, config }: Delivery<unknown>['channel']): URL | AttemptOutcome {
    const refuse = (message: string) => failure('webhook_address_blocked', message, { retryable: false });
    const text = String(config.url);
    if (isListenerUrl(text)) return new URL(`listen://${id}`);
    const url = parseWebhookUrl(text);
    if (!url) return refuse('The URL is not http or https without credentials.');
    if (httpsOnly && url.protocol !== 'https:') return refuse('This installation sends over https only.');
    return url;
  }

  return {
    async send(delivery) {
      const { channel } = delivery;
      const url = urlOf(channel);
      if (isOutcome(url)) return url;
      const listener = {
        send: (request: HttpRequest) => sendToListener(relayToListener, channel.id, request),
      };
      return sendRequest({ http: url.protocol === 'listen:' ? listener : http, tokens }, delivery, url);
    },
    close: http.close,
  };
}
