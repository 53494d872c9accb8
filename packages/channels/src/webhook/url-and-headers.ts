import { type ChannelIssue, escapePointerSegment } from '@postrider/domain';

/** What common servers and proxies take as a request line. */
export const MAX_WEBHOOK_URL_LENGTH = 2_048;
export const MAX_WEBHOOK_HEADERS = 20;
/** Names and values together: servers commonly stop at 8 or 16 KiB for all headers, ours included. */
const MAX_HEADERS_LENGTH = 4_096;

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
/** `webhook-` is what Standard Webhooks signs with, `postrider-` what marks a test and numbers ordered runs. */
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

/** What is wrong with a URL that is to be called; paths begin at the config. */
export function urlIssues(text: string): ChannelIssue[] {
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

/** What is wrong with headers by their names; paths begin at the config. */
export function headerIssues(headers: Record<string, string>): ChannelIssue[] {
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
