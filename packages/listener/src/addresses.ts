import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** The groups of an IPv6 address that identify a client: it usually has a whole /64. */
const NETWORK_GROUPS = 4;

/** An IPv4 address that a socket for both families reports as `::ffff:192.0.2.1`, in its own form. */
const unmapped = (address: string) => (address.startsWith('::ffff:') ? address.slice(7) : address);

/** The key that a client's connections count under: its IPv4 address, or the /64 of its IPv6 address. */
export function clientOf(address: string): string {
  const plain = unmapped(address);
  if (isIP(plain) !== 6) return plain;
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].slice(0, NETWORK_GROUPS).join(':');
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return list;
}

/** Who sent a request, and whether the client's own connection is encrypted. */
export interface RequestOrigin {
  /** The client's address; if unknown, that of the last host that is known to have forwarded the request. */
  readonly address: string;
  readonly isSecure: boolean;
}

export type OriginLookup = (request: IncomingMessage) => RequestOrigin;

/**
 * Finds the client of a request. `X-Forwarded-For` and `X-Forwarded-Proto` count only from a `trusted` proxy: of the
 * addresses that proxies have added, the last that is not itself a trusted proxy is the client.
 */
export function createOriginLookup(trusted: readonly string[]): OriginLookup {
  const proxies = listOf(trusted);
  const isTrusted = (address: string) => {
    const family = isIP(address);
    return family !== 0 && trusted.length > 0 && proxies.check(address, family === 4 ? 'ipv4' : 'ipv6');
  };
  return ({ socket, headers }) => {
    const peer = unmapped(socket.remoteAddress ?? '');
    if (!isTrusted(peer)) return { address: peer, isSecure: false };
    const hops = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((hop) => unmapped(hop.trim()));
    const client = hops.findLast((hop) => !isTrusted(hop));
    const proto = String(headers['x-forwarded-proto'] ?? '')
      .split(',')
      .at(-1)
      ?.trim()
      .toLowerCase();
    return { address: client && isIP(client) !== 0 ? client : peer, isSecure: proto === 'https' };
  };
}

interface AddressLimit {
  /** Counts a connection of an address. Returns a function that stops counting it, or null if there are too many. */
  enter(address: string): (() => void) | null;
}

const uncounted = () => undefined;

/**
 * Limits the connections of each client: an IPv4 address or an IPv6 /64. Connections of `trusted` networks, in CIDR
 * notation, are not counted: a proxy there serves many clients and is expected to limit each.
 */
export function createAddressLimit(most: number, trusted: readonly string[]): AddressLimit {
  const proxies = listOf(trusted);
  const open = new Map<string, number>();
  const isTrusted = (client: string) =>
    trusted.length > 0 && proxies.check(client, isIP(client) === 4 ? 'ipv4' : 'ipv6');
  return {
    enter(address) {
      const client = clientOf(address);
      if (isTrusted(isIP(client) === 0 ? address : client)) return uncounted;
      const count = open.get(client) ?? 0;
      if (count >= most) return null;
      open.set(client, count + 1);
      return () => {
        const left = (open.get(client) ?? 1) - 1;
        if (left === 0) open.delete(client);
        else open.set(client, left);
      };
    },
  };
}
