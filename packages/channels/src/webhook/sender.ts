import { isIP } from 'node:net';
import { type JsonObject, parseRetryAfter, parseTraceparent, signWebhook } from '@postrider/domain';
import { createHttpSender } from '../http/create-sender.ts';
import { maskHeaders } from '../http/kept-headers.ts';
import type { Answer, BrokenExchange } from '../http/sender.ts';
import { type Delivery, failure, type Sender, type SenderOptions, type SendResult } from '../sender.ts';
import { isReservedHeader, parseWebhookUrl, TEST_WEBHOOK_HEADER } from './config.ts';
import type { WebhookContent } from './index.ts';

const USER_AGENT = 'Postrider/1.0 (+https://www.standardwebhooks.com)';

interface RequestConfig {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads what the database holds; null when it is not the config of a webhook channel. */
function readWebhookConfig(config: JsonObject): RequestConfig | null {
  const { url, headers } = config;
  if (typeof url !== 'string') return null;
  const entries = Object.entries((headers ?? {}) as JsonObject).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { url, headers: Object.fromEntries(entries) };
}

/**
 * The host of a URL without the brackets of IPv6; odd spellings of IPv4 were made plain by the URL parser.
 */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/**
 * The `traceparent` header. It is left out for traces that are not recorded: it would make the receiver, a third
 * party, not record the request either.
 */
function traceHeader(traceparent: string | null): Record<string, string> {
  return traceparent !== null && parseTraceparent(traceparent)?.sampled ? { traceparent } : {};
}

/**
 * The headers of one attempt: the channel's own below, what is signed or marks a test on top.
 */
function webhookHeaders(
  { runId, content, secrets, test, traceparent, nowMs }: Delivery<WebhookContent>,
  configured: RequestConfig['headers'],
): Record<string, string> {
  const own = Object.entries(configured)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !isReservedHeader(name));
  const signature = signWebhook({
    secrets,
    id: runId,
    timestamp: Math.floor(nowMs() / 1_000),
    body: content.body,
  });
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    accept: '*/*',
    ...Object.fromEntries(own),
    ...signature,
    ...(test ? { [TEST_WEBHOOK_HEADER]: 'true' } : {}),
    ...traceHeader(traceparent),
  };
}

/** What a status means: docs/specification.md, "Webhooks". `retryAfter` is the header of that name. */
function classifyHttpResponse({ statusCode, bodyExcerpt, retryAfter }: Answer, nowMs: number): SendResult {
  const response = { statusCode, bodyExcerpt };
  if (statusCode >= 200 && statusCode < 300) return { outcome: 'delivered', response };
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
  const mayAskForDelay = statusCode === 429 || statusCode === 503;
  return failure('webhook_http_error', `The endpoint answered HTTP ${statusCode}.`, {
    retryAfterMs: mayAskForDelay ? parseRetryAfter(retryAfter, nowMs) : null,
    response,
  });
}

const TIMEOUT_CODES = ['ETIMEDOUT', 'ABORT_ERR', 'ERR_ABORTED', 'UND_ERR_CONNECT_TIMEOUT'];
const isTimeout = (code: string): boolean => TIMEOUT_CODES.includes(code);

/**
 * What a broken exchange means. Once the connection stood the endpoint may have acted on the request, so the
 * outcome is unknown; before that it has certainly failed. A final status other than 2xx that came before the
 * break is the answer.
 */
function classifyBrokenExchange(
  { code, connected, inTlsHandshake, answer }: BrokenExchange,
  nowMs: number,
): SendResult {
  const isSuccess = answer !== null && answer.statusCode >= 200 && answer.statusCode < 300;
  // A whole request within the time limit is what counts as success, so a 2xx whose body drips on is none.
  if (answer && !(isSuccess && isTimeout(code))) return classifyHttpResponse(answer, nowMs);
  const seen = answer && { statusCode: answer.statusCode, bodyExcerpt: answer.bodyExcerpt };
  const outcome = connected ? 'unknown' : 'failed';
  switch (true) {
    case code === 'POSTRIDER_ADDRESS_BLOCKED':
      return failure('webhook_address_blocked', 'The host name leads to an address that is not allowed.', {
        retryable: false,
      });
    case code === 'POSTRIDER_DNS_FAILED':
      return failure('webhook_dns_failed', 'The host name could not be resolved.');
    case isTimeout(code):
      return failure('webhook_timeout', 'The request was not answered in full within the time limit.', {
        outcome,
        response: seen,
      });
    case inTlsHandshake:
      return failure('webhook_tls_failed', `The TLS handshake failed (${code}).`);
    case connected:
      return failure('webhook_connection_failed', `The connection broke before the answer came (${code}).`, {
        outcome,
      });
    default:
      return failure('webhook_connection_failed', `No connection could be made (${code}).`);
  }
}

/**
 * Creates the sender of webhooks: one POST, signed as Standard Webhooks, no redirects, one deadline over the whole
 * exchange, at most 16 KiB of the response read and nothing decompressed. It connects only to addresses that the policy
 * allows.
 */
export function createWebhookSender(options: SenderOptions): Sender<WebhookContent> {
  const { isAddressAllowed } = options;
  const http = createHttpSender(options);

  return {
    async send(delivery) {
      const config = readWebhookConfig(delivery.channel.config);
      const url = config && parseWebhookUrl(config.url);
      if (!url) {
        return failure('webhook_address_blocked', 'The URL is not http or https without credentials.', {
          retryable: false,
        });
      }
      // Sockets connect to literal addresses without a look-up: they are checked here.
      const host = hostOf(url);
      if (isIP(host) !== 0 && !isAddressAllowed(host)) {
        return failure('webhook_address_blocked', 'The address is not allowed.', { retryable: false });
      }
      const { timeoutMs, signal, nowMs, content, note } = delivery;
      const headers = webhookHeaders(delivery, config.headers);
      note?.({ requestHeaders: maskHeaders(headers) });
      const exchange = await http.post({ url, headers, body: content.body, timeoutMs, signal, note });
      return exchange.outcome === 'answered'
        ? classifyHttpResponse(exchange.answer, nowMs())
        : classifyBrokenExchange(exchange.broken, nowMs());
    },
    close: http.close,
  };
}
