import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { AddressPolicy } from '@postrider/domain';
import { ADDRESS_BLOCKED, AddressError, refusedAddress } from './connection-errors.ts';
import { requiredText } from './schema.ts';
import { checked, type Setting, type SettingOption } from './settings.ts';

/** RFC 1035 section 2.3.4, without the root's dot. */
export const MAX_HOST_LENGTH = 253;

/** Letters, digits, inner hyphens and underscores (container networks use them in names). */
const HOST_LABEL = /^[0-9A-Za-z_](?:[0-9A-Za-z_-]{0,61}[0-9A-Za-z_])?$/;
/** The characters of IPv6. Whether it is a valid address is checked at the attempt, as for every address. */
const IPV6_CHARACTERS = /^[0-9a-f:.]+$/i;

/** Whether a text has the form of a host name or an IP address. */
export function isHost(text: string): boolean {
  if (text.includes(':')) return IPV6_CHARACTERS.test(text);
  return text.split('.').every((label) => HOST_LABEL.test(label));
}

/** The setting for the host that a channel connects to. */
export const hostSetting = (description: string, shown: string, option: SettingOption) =>
  ({
    isRequired: true,
    schema: requiredText(MAX_HOST_LENGTH, description),
    shown,
    issuesOf: checked((host) => (isHost(host) ? null : 'must be a host name or an IP address')),
    option,
  }) satisfies Setting;

/** A host without the brackets that URLs put around IPv6. */
export const withoutBrackets = (host: string): string =>
  host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;

/** The targets of tunnels as `address:port`; a socket itself only knows the proxy. */
export const tunnelTargets = new WeakMap<Socket, string>();

export const hostPort = (address: string, port: number | string) =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;

/** The remote end of a socket as `address:port`; for a tunnel its target. */
export function addressOf(socket: Socket): string {
  const target = tunnelTargets.get(socket);
  if (target !== undefined) return target;
  const { remoteAddress = '', remotePort = 0 } = socket;
  return hostPort(remoteAddress, remotePort);
}

/** Whether a connected address belongs to this machine, so that nothing crosses a network. */
export const isLoopbackAddress = (address: string): boolean => /^(127\.|::1$|::ffff:127\.)/.test(address);

/** Hosts of URLs that refer to this machine. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

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

export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Limits of one try; an unanswered query is repeated once. A name without a working name server fails well within an attempt. */
const DNS_LIMITS = { timeout: 2_000, maxTimeout: 2_000, tries: 1 } as const;
/** Codes of a query that no name server answered. */
const UNANSWERED = new Set(['ETIMEOUT', 'ECONNREFUSED']);

/**
 * Why the host of a URL is refused, if it is a literal address that the policy refuses; otherwise null. Sockets connect to
 * literal addresses without a look-up, so {@link createVettedResolver} does not see them. The URL parser has normalised odd
 * spellings of IPv4.
 */
export function literalRefusal({ hostname }: URL, isAllowed: AddressPolicy): string | null {
  const host = withoutBrackets(hostname);
  return isIP(host) !== 0 && !isAllowed(host) ? refusedAddress(host) : null;
}

/**
 * The endpoints of a config whose literal addresses the policy refuses, with the reason: their deliveries would fail. Names
 * are not resolved, because their addresses change.
 */
export function refusedEndpoints(
  endpoints: Readonly<Record<string, string>>,
  isAllowed: AddressPolicy,
): readonly { readonly path: string; readonly message: string }[] {
  return Object.entries(endpoints).flatMap(([path, endpoint]) => {
    // An IPv6 address such as `fd00::5` would be a URL with the scheme `fd00`.
    const text = isIP(endpoint) === 6 ? `http://[${endpoint}]` : endpoint;
    const url = parseUrl(text) ?? parseUrl(`http://${text}`);
    const message = url && literalRefusal(url, isAllowed);
    return message === null ? [] : [{ path, message }];
  });
}

/** Resolves with the system's resolver, which honours the hosts file. Rejects with its error. */
function resolveWithSystem(hostname: string): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    dnsLookup(hostname, { all: true, order: 'verbatim' }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses);
    });
  });
}

const isUnanswered = (answer: PromiseSettledResult<string[]>) =>
  answer.status === 'rejected' && UNANSWERED.has(answer.reason.code);

const addressesOf = (answer: PromiseSettledResult<string[]>, family: number): LookupAddress[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];

/**
 * Queries the name servers for IPv4 and IPv6 without blocking a thread. The system resolver blocks one of the four
 * threads of the process per name, so a few names with silent servers would stop all deliveries. It is used only for
 * names without a dot (`localhost`, a service in a compose file), which need no external name server.
 *
 * A query without an answer is repeated by a resolver of its own. A resolver keeps the name servers that the system had when it was
 * created, and waits for about five times as long as its answers usually took, which is too short for a name that the server must look up.
 * @param openResolver creates a resolver with the system's name servers
 */
export function createNetworkResolver(openResolver = () => new Resolver(DNS_LIMITS)): ResolveHost {
  let current = openResolver();
  const query = (resolver: Resolver, hostname: string) =>
    Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);

  return async (hostname) => {
    if (!hostname.includes('.')) return resolveWithSystem(hostname);
    const used = current;
    let [v4, v6] = await query(used, hostname);
    // Some name servers never answer for IPv6.
    if (v4.status === 'rejected' && (isUnanswered(v4) || isUnanswered(v6))) {
      const unused = openResolver();
      if (current === used) current = unused;
      [v4, v6] = await query(unused, hostname);
    }
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
  };
}

/**
 * The most addresses of a name. Each is checked, and tried if those before it refuse the connection. The owner of the name chooses
 * how many there are: an answer of 64 KiB has thousands. Usual names have up to ten.
 */
export const MAX_ADDRESSES = 64;

/**
 * Resolves host names to allowed addresses. If one address of a name is refused, the name is refused: otherwise a
 * client could reach it by trying often enough. Concurrent look-ups of one name share a query.
 * @param explain the message for a refused address
 * @throws AddressError
 */
export function createVettedResolver(
  isAllowed: AddressPolicy,
  resolve: ResolveHost = createNetworkResolver(),
  explain: (address: string) => string = refusedAddress,
): ResolveHost {
  const underWay = new Map<string, Promise<readonly LookupAddress[]>>();

  async function lookUp(hostname: string): Promise<readonly LookupAddress[]> {
    let addresses: readonly LookupAddress[];
    try {
      addresses = await resolve(hostname);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
      throw new AddressError('POSTRIDER_DNS_FAILED', `The host name could not be resolved (${code}).`);
    }
    if (addresses.length === 0) {
      throw new AddressError('POSTRIDER_DNS_FAILED', 'The host name has no address.');
    }
    if (addresses.length > MAX_ADDRESSES) {
      const message = `The host name has ${addresses.length} addresses, but at most ${MAX_ADDRESSES} can be used.`;
      throw new AddressError('POSTRIDER_DNS_FAILED', message);
    }
    const refused = addresses.find(({ address }) => !isAllowed(address));
    if (refused) throw new AddressError(ADDRESS_BLOCKED, explain(refused.address));
    return addresses;
  }

  return (hostname) => {
    const family = isIP(hostname);
    if (family !== 0) {
      if (isAllowed(hostname)) return Promise.resolve([{ address: hostname, family }]);
      return Promise.reject(new AddressError(ADDRESS_BLOCKED, explain(hostname)));
    }
    const existing = underWay.get(hostname);
    if (existing) return existing;
    const started = lookUp(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, started);
    return started;
  };
}

/**
 * The resolver as the `lookup` of a socket. The socket connects to the checked address, without a second look-up in
 * which the name could change. Sockets do not call it for literal addresses: check those before.
 */
export function toSocketLookup(resolve: ResolveHost): LookupFunction {
  return (hostname, options, callback) => {
    const wanted = options.family === 4 || options.family === 6 ? options.family : null;
    resolve(hostname).then(
      (all) => {
        const addresses = all.filter(({ family }) => wanted === null || family === wanted);
        const [first] = addresses;
        if (!first)
          callback(new AddressError('POSTRIDER_DNS_FAILED', 'No address of the requested family.'), []);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}
