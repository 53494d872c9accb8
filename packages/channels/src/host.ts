import type { ChannelIssue } from '@postrider/domain';
import type { JsonSchema } from './schema.ts';

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

/** A host in a request. {@link hostIssues} checks its form. */
export const hostText = (description: string): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: MAX_HOST_LENGTH,
  description,
});

/** Issues of a config's host, at `/host`. */
export function hostIssues(host: string): ChannelIssue[] {
  if (isHost(host)) return [];
  return [{ path: '/host', code: 'invalid_format', message: 'must be a host name or an IP address' }];
}

/** A host without the brackets that URLs put around IPv6. */
export const withoutBrackets = (host: string): string =>
  host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;

/** Whether a connected address belongs to this machine, so that nothing crosses a network. */
export const isLoopbackAddress = (address: string): boolean => /^(127\.|::1$|::ffff:127\.)/.test(address);

/** Hosts of URLs that refer to this machine. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** An AWS region such as `eu-central-1` or `us-gov-west-1`: it becomes part of a host name. */
export const AWS_REGION = /^[a-z]{2,4}(?:-[a-z]{2,12}){1,3}-\d{1,2}$/;

/** Parses a URL; null if it is invalid. */
export const parseUrl = (value: string): URL | null => (URL.canParse(value) ? new URL(value) : null);

/** The problem with the URL of a service to which credentials are sent; null if there is none. */
export function serviceUrlProblem(value: string): string | null {
  const url = parseUrl(value);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (!url || !isSafe) return 'must be an https URL, or http on this machine';
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return isPlain && !value.includes('?') && !value.includes('#')
    ? null
    : 'must have no credentials, query or fragment';
}
