import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressPolicy } from '@postrider/domain';

/** Why a host name led to no connection; `code` survives the HTTP client's wrapping. */
export class AddressError extends Error {
  readonly code: 'POSTRIDER_ADDRESS_BLOCKED' | 'POSTRIDER_DNS_FAILED';

  constructor(code: AddressError['code'], message: string) {
    super(message);
    this.name = 'AddressError';
    this.code = code;
  }
}

export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Asks the system's resolver, which honours the hosts file and search domains; throws its error. */
function resolveWithSystem(hostname: string): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    dnsLookup(hostname, { all: true, order: 'verbatim' }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses);
    });
  });
}

/**
 * Resolves host names to addresses that may be connected to. All of a name's addresses must be allowed: one refused
 * address refuses the name, or it could be had by trying often enough. Look-ups of one name that come together share one, because
 * the system's resolver has four threads for the whole process.
 * @throws AddressError
 */
export function createVettedResolver(
  isAllowed: AddressPolicy,
  resolve: ResolveHost = resolveWithSystem,
): ResolveHost {
  const underWay = new Map<string, Promise<readonly LookupAddress[]>>();

  async function lookUp(hostname: string): Promise<readonly LookupAddress[]> {
    let addresses: readonly LookupAddress[];
    try {
      addresses = await resolve(hostname);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown fault';
      throw new AddressError('POSTRIDER_DNS_FAILED', `The host name could not be resolved (${code}).`);
    }
    if (addresses.length === 0) {
      throw new AddressError('POSTRIDER_DNS_FAILED', 'The host name has no address.');
    }
    if (!addresses.every(({ address }) => isAllowed(address))) {
      throw new AddressError(
        'POSTRIDER_ADDRESS_BLOCKED',
        'The host name leads to an address that is not allowed.',
      );
    }
    return addresses;
  }

  return (hostname) => {
    const family = isIP(hostname);
    if (family !== 0) {
      if (isAllowed(hostname)) return Promise.resolve([{ address: hostname, family }]);
      return Promise.reject(new AddressError('POSTRIDER_ADDRESS_BLOCKED', 'The address is not allowed.'));
    }
    const existing = underWay.get(hostname);
    if (existing) return existing;
    const started = lookUp(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, started);
    return started;
  };
}

/**
 * The resolver as the `lookup` of a socket: the address that was vetted is the one that is connected to, with no second
 * look-up in which the name could change. Sockets do not ask it about literal addresses: vet those before.
 */
export function toSocketLookup(resolve: ResolveHost): LookupFunction {
  return (hostname, options, callback) => {
    const wanted = options.family === 4 || options.family === 6 ? options.family : null;
    resolve(hostname).then(
      (all) => {
        const addresses = all.filter(({ family }) => wanted === null || family === wanted);
        const [first] = addresses;
        if (!first)
          callback(new AddressError('POSTRIDER_DNS_FAILED', 'No address of the wanted family.'), []);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}
