import type { TextSetting } from './provider.ts';

/** Hosts that are this machine: requests to them cross no network. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function parse(value: string): URL | null {
  try {
    return new URL(value);
  } catch {
    return null;
  }
}

function problemOf(value: string): string | null {
  const url = parse(value);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (!url || !isSafe) return 'must be an https URL, or http on this machine';
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return isPlain && !value.includes('?') && !value.includes('#')
    ? null
    : 'must have no credentials, query or fragment';
}

/** Replaces the provider's public address, for example for a test server. */
export const ENDPOINT: TextSetting = {
  description:
    'The base URL of the service where it is not the public one, such as a private endpoint or a proxy. A stored ' +
    'credential must be given again when it changes.',
  problemOf,
};

/**
 * The URL of an operation.
 * @param publicBase the provider's public address, without a final slash
 * @param path starts with a slash; its segments are percent-encoded
 */
export function providerUrl(endpoint: unknown, publicBase: string, path: string): URL {
  const base = typeof endpoint === 'string' ? endpoint.replace(/\/+$/, '') : publicBase;
  return new URL(`${base}${path}`);
}
