import type { ChannelIssue } from '@postrider/domain';

/** RFC 1035 section 2.3.4, without the root's dot. */
export const MAX_HOST_LENGTH = 253;

/** Letters, digits, inner hyphens and underscores (container networks use them in names). */
const HOST_LABEL = /^[0-9A-Za-z_](?:[0-9A-Za-z_-]{0,61}[0-9A-Za-z_])?$/;
/** The characters of IPv6. Whether it is a valid address is checked at the attempt, as for every address. */
const IPV6_CHARACTERS = /^[0-9a-f:.]+$/i;

function isHost(text: string): boolean {
  if (text.includes(':')) return IPV6_CHARACTERS.test(text);
  return text.split('.').every((label) => HOST_LABEL.test(label));
}

/** Issues of a config's host, at `/host`. */
export function hostIssues(host: string): ChannelIssue[] {
  if (isHost(host)) return [];
  return [{ path: '/host', code: 'invalid_format', message: 'must be a host name or an IP address' }];
}

/** A host without the brackets that URLs put around IPv6. */
export const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '');
