import { type JsonObject, parseTraceparent, signWebhook } from '@postrider/domain';
import type { Delivery } from '../sender.ts';
import { isReservedHeader, TEST_WEBHOOK_HEADER } from './config.ts';
import type { WebhookContent } from './index.ts';

const USER_AGENT = 'Postrider/1.0 (+https://www.standardwebhooks.com)';

export interface RequestConfig {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads what the database holds; null when it is not the config of a webhook channel. */
export function readWebhookConfig(config: JsonObject): RequestConfig | null {
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
export function hostOf(url: URL): string {
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
export function webhookHeaders(
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
