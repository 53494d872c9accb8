import { type JsonObject, signWebhook } from '@postrider/domain';
import type { Delivery } from './channel.ts';

const USER_AGENT = 'Postrider/1.0 (+https://www.standardwebhooks.com)';

/** What a channel's configured headers cannot set: what is signed, and what frames the request. */
const RESERVED_HEADERS = new Set([
  'host',
  'content-length',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);
const RESERVED_PREFIXES = ['webhook-', 'proxy-'];

export interface WebhookConfig {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The part of a webhook channel's config (contract section 8) that is about the request; null when it is not
 * one.
 */
export function readWebhookConfig(config: JsonObject): WebhookConfig | null {
  const { url, headers } = config;
  if (typeof url !== 'string') return null;
  const entries = Object.entries((headers ?? {}) as JsonObject).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { url, headers: Object.fromEntries(entries) };
}

/** The URL as the request will use it, or null when it may not be called: other schemes, credentials. */
export function parseWebhookUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  return isHttp && url.username === '' && url.password === '' ? url : null;
}

/**
 * The host of a URL without the brackets of IPv6; odd spellings of IPv4 were made plain by the URL parser.
 */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

const isReserved = (name: string): boolean =>
  RESERVED_HEADERS.has(name) || RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix));

/** The headers of one attempt: the channel's own below, what is signed on top (contract section 7). */
export function webhookHeaders(
  { runId, content, secrets, nowMs }: Delivery<'webhook'>,
  configured: WebhookConfig['headers'],
): Record<string, string> {
  const own = Object.entries(configured)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !isReserved(name));
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
  };
}
