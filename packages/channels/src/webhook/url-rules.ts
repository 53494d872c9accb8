import { type ChannelIssue, escapePointerSegment } from '@postrider/domain';
import { isListenerUrl, isReservedHeader, parseWebhookUrl } from './request.ts';

/** The longest request line that common servers and proxies accept. */
export const MAX_WEBHOOK_URL_LENGTH = 2_048;
export const MAX_WEBHOOK_HEADERS = 20;
/** Limit of names and values together. Servers commonly limit all headers to 8 or 16 KiB, including ours. */
const MAX_HEADERS_LENGTH = 4_096;

/** A token (RFC 9110 section 5.6.2) that starts with a letter or digit, which excludes `__proto__`. */
export const HEADER_NAME = /^[0-9A-Za-z][!#$%&'*+.^_`|~0-9A-Za-z-]{0,63}$/;
/** RFC 9110 section 5.5, visible ASCII only: servers read other characters differently. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;

/**
 * User information before an `@` in the authority (RFC 3986 section 3.2.1), also if empty, which the parser would
 * drop.
 */
const USER_INFORMATION = /^https?:\/\/[^/?#]*@/i;

/** Replaces parts of a URL that may be secret. */
const HIDDEN = '(not kept)';
/** A path segment that is as long and as mixed as a token. */
const TOKEN_SEGMENT = /(?<=\/)(?=[^/?]*\d)(?=[^/?]*[A-Za-z])[^/?]{16,}/g;
const QUERY_VALUE = /(?<=[?&][^=&]*=)[^&]+/g;

/**
 * A channel's URL for records that outlive the channel: without query values, and without path segments that could be
 * tokens (16 characters or more, with letters and digits).
 */
export function concealWebhookUrl(url: string): string {
  const [, origin = '', rest = ''] = /^([^/]*\/\/[^/?]*)(.*)$/s.exec(url) ?? [];
  const [path = '', query] = rest.split(/\?(.*)/s, 2);
  const shown = `${origin}${path.replace(TOKEN_SEGMENT, HIDDEN)}`;
  if (query === undefined) return shown;
  // A parameter without a name is a value, too.
  const parts = `?${query}`.replace(QUERY_VALUE, HIDDEN).replace(/(?<=[?&])[^=&]+(?=&|$)/g, HIDDEN);
  return `${shown}${parts}`;
}

/** What a URL must be; null if it is valid. */
export function urlProblem(text: string): string | null {
  // The parser drops line breaks and spaces and repairs slashes. What is shown must be what is called.
  if (/[\s\\\p{Cc}]/u.test(text)) return 'must not contain spaces, backslashes or control characters';
  if (isListenerUrl(text)) return null;
  if (!URL.canParse(text) || !/^https?:\/\/[^/]/i.test(text))
    return 'must be an absolute http or https URL, or listen:// and a name';
  if (parseWebhookUrl(text) === null || USER_INFORMATION.test(text)) {
    return 'must not contain a user name or password';
  }
  return text.includes('#') ? 'must not contain a fragment' : null;
}

/** Issues of headers, by name. */
export function headerIssues(at: string, headers: Record<string, string>): ChannelIssue[] {
  const seen = new Set<string>();
  const issues = Object.entries(headers).flatMap(([name, value]): ChannelIssue[] => {
    const path = `${at}/${escapePointerSegment(name)}`;
    const isRepeated = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    if (!HEADER_NAME.test(name)) {
      return [{ path, code: 'invalid_format', message: 'is not the name of a header' }];
    }
    if (isReservedHeader(name)) return [{ path, code: 'invalid_value', message: 'is a reserved header' }];
    if (isRepeated) return [{ path, code: 'duplicate', message: 'repeats another name (case is ignored)' }];
    return HEADER_VALUE.test(value)
      ? []
      : [{ path, code: 'invalid_format', message: 'must be visible ASCII, without spaces at its ends' }];
  });
  const length = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (length <= MAX_HEADERS_LENGTH) return issues;
  const message = `must not be longer than ${MAX_HEADERS_LENGTH} characters together`;
  return [...issues, { path: at, code: 'too_long', message }];
}
