import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressPolicy } from '@postrider/domain';
import { AddressError, refusedAddress } from './connection-errors.ts';
import { parseUrl, withoutBrackets } from './host.ts';

export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Limits of a DNS query: 2 s, two tries. A name without a working name server fails well within an attempt. */
const DNS_LIMITS = { timeout: 2_000, tries: 2 } as const;

/**
 * Why the host of a URL is refused, if it is a literal address that the policy refuses; otherwise null. Sockets connect to literal addresses
 * without a look-up, so {@link createVettedResolver} does not see them. The URL parser has normalised odd spellings
 * of IPv4.
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

/**
 * Queries the name servers for IPv4 and IPv6 without blocking a thread. The system resolver blocks one of the four
 * threads of the process per name, so a few names with silent servers would stop all deliveries. It is used only for
 * names without a dot (`localhost`, a service in a compose file), which need no external name server.
 */
function createNetworkResolver(): ResolveHost {
  const resolver = new Resolver(DNS_LIMITS);
  return async (hostname) => {
    if (!hostname.includes('.')) return resolveWithSystem(hostname);
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    const addresses = (answer: PromiseSettledResult<string[]>, family: number) =>
      answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
    return [...addresses(v4, 4), ...addresses(v6, 6)];
  };
}

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
    const refused = addresses.find(({ address }) => !isAllowed(address));
    if (refused) throw new AddressError('POSTRIDER_ADDRESS_BLOCKED', explain(refused.address));
    return addresses;
  }

  return (hostname) => {
    const family = isIP(hostname);
    if (family !== 0) {
      if (isAllowed(hostname)) return Promise.resolve([{ address: hostname, family }]);
      return Promise.reject(new AddressError('POSTRIDER_ADDRESS_BLOCKED', explain(hostname)));
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
