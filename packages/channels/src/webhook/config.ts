import { type ChannelIssue, type ChannelRule, escapePointerSegment, timeoutSchema } from '@postrider/domain';
import type { SchemaObject } from 'ajv';

/** The config of a webhook channel: docs/specification.md, "Channels". */
export type WebhookConfig = { url: string; headers?: Record<string, string>; timeout_ms?: number };

/** Time limit of an attempt whose config names none, in milliseconds. */
export const WEBHOOK_TIMEOUT_MS = 15_000;

/** Marks what a test sends, also where a template says everything else, so that a receiver can tell it apart. */
export const TEST_WEBHOOK_HEADER = 'postrider-test';

/** What common servers and proxies take as a request line. */
const MAX_WEBHOOK_URL_LENGTH = 2_048;
const MAX_WEBHOOK_HEADERS = 20;
const MAX_HEADER_VALUE_LENGTH = 2_048;
/** Names and values together: servers commonly stop at 8 or 16 KiB for all headers, ours included. */
const MAX_HEADERS_LENGTH = 4_096;

export const WEBHOOK_CONFIG_SCHEMA = {
  type: 'object',
  required: ['url'],
  additionalProperties: false,
  description: 'Where events are posted to.',
  properties: {
    url: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_WEBHOOK_URL_LENGTH,
      description:
        'An http or https URL without user name, password and fragment. It is shown as it is to operators; the audit ' +
        'log keeps it without the values of its query and without what could be a token in its path. Whether its address may be called ' +
        'is judged at each attempt, when the name is resolved: private addresses are refused with ' +
        '`webhook_address_blocked`.',
    },
    headers: {
      type: 'object',
      maxProperties: MAX_WEBHOOK_HEADERS,
      additionalProperties: { type: 'string', minLength: 1, maxLength: MAX_HEADER_VALUE_LENGTH },
      default: {},
      description:
        'Sent with each request. They are shown as they are: what proves the sender is the signature. ' +
        'Names that frame the request, and those that begin with `webhook-`, `proxy-` or `postrider-`, ' +
        'are reserved.',
    },
    timeout_ms: timeoutSchema(WEBHOOK_TIMEOUT_MS),
  },
} as const satisfies SchemaObject;

/**
 * What a channel's own headers cannot set: what frames the request (RFC 9110 section 7.6.1, RFC 9112), and what
 * continues a trace.
 */
const RESERVED_HEADERS = new Set([
  'host',
  'content-length',
  'content-encoding',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'traceparent',
]);
/** `webhook-` is what Standard Webhooks signs with, `postrider-` what marks a test. */
const RESERVED_PREFIXES = ['webhook-', 'proxy-', 'postrider-'];

/**
 * A token (RFC 9110 section 5.6.2) that begins with a letter or digit, so that none is called `__proto__`.
 */
const HEADER_NAME = /^[0-9A-Za-z][!#$%&'*+.^_`|~0-9A-Za-z-]{0,63}$/;
/** RFC 9110 section 5.5, visible ASCII alone: what is beyond is read differently by different servers. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;

/** What is before an `@` in the authority (RFC 3986 section 3.2.1), also nothing, which the parser drops. */
const USER_INFORMATION = /^https?:\/\/[^/?#]*@/i;

/** Whether a header belongs to the service, whatever a channel's config says. */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return RESERVED_HEADERS.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

/** The URL as a request will use it, or null when it may not be called: other schemes, credentials. */
export function parseWebhookUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  return isHttp && url.username === '' && url.password === '' ? url : null;
}

/** What stands for a part of a URL that may be a secret. */
const HIDDEN = '(not kept)';
/** A segment of a path that is as long as a token and as mixed. */
const TOKEN_SEGMENT = /(?<=\/)(?=[^/?]*\d)(?=[^/?]*[A-Za-z])[^/?]{16,}/g;
const QUERY_VALUE = /(?<=[?&][^=&]*=)[^&]+/g;

/**
 * A channel's URL as records keep it that outlive the channel: without the values of its query, and without segments of
 * its path that could be tokens (16 characters or more, with letters and digits).
 */
export function concealWebhookUrl(url: string): string {
  const [, origin = '', rest = ''] = /^([^/]*\/\/[^/?]*)(.*)$/s.exec(url) ?? [];
  const [path = '', query] = rest.split(/\?(.*)/s, 2);
  const shown = `${origin}${path.replace(TOKEN_SEGMENT, HIDDEN)}`;
  if (query === undefined) return shown;
  // A part without a name is a value, too.
  const parts = `?${query}`.replace(QUERY_VALUE, HIDDEN).replace(/(?<=[?&])[^=&]+(?=&|$)/g, HIDDEN);
  return `${shown}${parts}`;
}

/**
 * What a config that fulfils {@link WEBHOOK_CONFIG_SCHEMA} must fulfil, too. Paths begin at the config.
 * Addresses are not checked: what a name leads to changes, so only the attempt can (`EGRESS_ALLOW_CIDRS`).
 */
export const WEBHOOK_CONFIG_RULES: readonly ChannelRule<WebhookConfig>[] = [
  { reads: ['/url'], issuesOf: ({ url }) => urlIssues(url) },
  { reads: ['/headers'], issuesOf: ({ headers = {} }) => headerIssues(headers) },
];

function urlIssues(text: string): ChannelIssue[] {
  const issue = (message: string): ChannelIssue[] => [{ path: '/url', code: 'invalid_format', message }];
  // The parser drops line breaks and spaces and repairs slashes: what is shown shall be what is called.
  if (/[\s\\\p{Cc}]/u.test(text)) {
    return issue('must not contain spaces, backslashes or control characters');
  }
  if (!URL.canParse(text) || !/^https?:\/\/[^/]/i.test(text))
    return issue('must be an absolute http or https URL');
  if (parseWebhookUrl(text) === null || USER_INFORMATION.test(text)) {
    return issue('must not contain a user name or password');
  }
  return text.includes('#') ? issue('must not contain a fragment') : [];
}

function headerIssues(headers: Record<string, string>): ChannelIssue[] {
  const seen = new Set<string>();
  const issues = Object.entries(headers).flatMap(([name, value]): ChannelIssue[] => {
    const path = `/headers/${escapePointerSegment(name)}`;
    const isRepeated = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    if (!HEADER_NAME.test(name)) {
      return [{ path, code: 'invalid_format', message: 'is not the name of a header' }];
    }
    if (isReservedHeader(name)) return [{ path, code: 'invalid_value', message: 'is a reserved header' }];
    if (isRepeated) return [{ path, code: 'duplicate', message: 'is there already in other letters' }];
    return HEADER_VALUE.test(value)
      ? []
      : [{ path, code: 'invalid_format', message: 'must be visible ASCII, without spaces at its ends' }];
  });
  const length = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (length <= MAX_HEADERS_LENGTH) return issues;
  const message = `must not be longer than ${MAX_HEADERS_LENGTH} characters together`;
  return [...issues, { path: '/headers', code: 'too_long', message }];
}
