import { serviceUrlProblem } from '../../../service-url.ts';
import type { TextSetting } from './provider.ts';

/** Replaces the provider's public address, for example for a test server. */
export const ENDPOINT: TextSetting = {
  description:
    'The base URL of the service where it is not the public one, such as a private endpoint or a proxy. A stored ' +
    'credential must be given again when it changes.',
  problemOf: serviceUrlProblem,
};

/**
 * The URL of an operation.
 * @param publicBase the provider's own address, without a slash at its end
 * @param path begins with a slash; its parts are encoded
 */
export function providerUrl(endpoint: unknown, publicBase: string, path: string): URL {
  const base = typeof endpoint === 'string' ? endpoint.replace(/\/+$/, '') : publicBase;
  return new URL(`${base}${path}`);
}
