import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http';
import { type AddressInfo, BlockList, isIP, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Connection, serveInOrder } from './connection.ts';
import { answerWith, type Refused } from './refusals.ts';

/** The limits of connections. Each has at most one request with the application. */
export interface ConnectionLimits {
  readonly connections: number;
  /** Open connections of one client: see `createAddressLimit`. */
  readonly connectionsPerAddress: number;
  /** Networks in CIDR notation whose connections are not counted by address. */
  readonly trustedProxies?: readonly string[];
}

export interface HttpListenerOptions {
  /** With 0 the system chooses one. */
  readonly port: number;
  /** All addresses of the machine by default. */
  readonly host?: string | undefined;
  readonly limits: ConnectionLimits;
  /** Called for each connection that is closed or not accepted because of a limit, and for each refusal. */
  readonly onRefused?: ((reason: Refused) => void) | undefined;
  /** How long a request may be open, in milliseconds; 90 s by default. */
  readonly exchangeMs?: number;
  /** The classes of requests and responses; Node.js' own by default. */
  readonly classes?: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
}

export interface HttpListener {
  readonly port: number;
  /**
   * Asks clients to close their connections, stops accepting new ones after `graceMs`, gives open requests another
   * `deadlineMs`, and then closes the rest. Resolves when everything is closed. Without times it closes at once.
   */
  stop(times?: { readonly graceMs: number; readonly deadlineMs: number }): Promise<void>;
}

/**
 * Milliseconds. A request's headers and complete body must arrive within their limits. An idle connection is kept for
 * longer than the 60 s of most load balancers, so that the balancer closes it first. A connection is given up if
 * nothing moves while a response is due, or if its request is still open after `exchange`: only a client that reads its
 * response byte by byte takes that long.
 */
const TIMEOUTS = {
  headers: 10_000,
  request: 30_000,
  keepAlive: 65_000,
  inactive: 60_000,
  exchange: 90_000,
} as const;

/** How often Node checks these limits. Its default of 30 s would triple the shortest one. */
const TIMEOUT_CHECK_MS = 5_000;

/** How often idle connections are closed while stopping. */
const IDLE_CHECK_MS = 50;

/** At the limit, idle connections are closed to make room for new clients, at most once in this time. */
const MAKE_ROOM_EVERY_MS = 1_000;

/**
 * Serves HTTP with limits for every client: a few requests per connection, served one after the other; connections in
 * total and per address; time for headers, body and response; pieces of a body. Refusals of the HTTP parser have an
 * error object as their body. Resolves when it listens; rejects if it cannot.
 */
export async function listen(app: RequestListener, options: HttpListenerOptions): Promise<HttpListener> {
  const { port, host, limits, onRefused = () => undefined, exchangeMs = TIMEOUTS.exchange } = options;
  const connections = new Map<Socket, Connection>();
  const addresses = createAddressLimit(limits.connectionsPerAddress, limits.trustedProxies ?? []);
  let stopping = false;

  // A connection refuses a missing Host header, because Node's refusal has no body.
  const server = createServer(
    { ...options.classes, connectionsCheckingInterval: TIMEOUT_CHECK_MS, requireHostHeader: false },
    serveInOrder(connections, app),
  );
  configure(server, limits.connections);
  const refuseExpectation: RequestListener = (_request, response) => {
    onRefused('expectation_failed');
    answerWith('expectation_failed', response);
  };
  server.on('checkExpectation', serveInOrder(connections, refuseExpectation));
  server.on('clientError', (error: Error, socket: Socket) => {
    const connection = connections.get(socket);
    if (connection) connection.fail(error);
    else socket.destroy();
  });
  let roomMadeAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    onRefused('too_many_connections');
    if (performance.now() - roomMadeAt < MAKE_ROOM_EVERY_MS) return;
    roomMadeAt = performance.now();
    server.closeIdleConnections();
  });
  server.on('connection', (socket) => {
    const leave = addresses.enter(socket.remoteAddress ?? '');
    if (leave === null) {
      onRefused('too_many_connections_of_address');
      socket.destroy();
      return;
    }
    const connection = new Connection(socket, onRefused);
    if (stopping) connection.closeAfterResponse();
    connections.set(socket, connection);
    socket.once('close', () => {
      connections.delete(socket);
      connection.dispose();
      leave();
    });
  });

  server.listen(port, host);
  await once(server, 'listening');
  const sweep = setInterval(
    () => {
      const now = performance.now();
      for (const connection of connections.values()) {
        if (connection.isOpenFor(exchangeMs, now)) connection.giveUp('exchange_too_slow');
      }
    },
    Math.min(TIMEOUT_CHECK_MS, exchangeMs),
  ).unref();

  async function stop({ graceMs, deadlineMs } = { graceMs: 0, deadlineMs: 0 }): Promise<void> {
    stopping = true;
    for (const connection of connections.values()) connection.closeAfterResponse();
    if (graceMs > 0) await wait(graceMs);
    const closed = once(server, 'close');
    server.close();
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    const closeAll = () => server.closeAllConnections();
    const deadline = setTimeout(closeAll, deadlineMs);
    if (deadlineMs === 0) closeAll();
    await closed;
    clearInterval(idle);
    clearInterval(sweep);
    clearTimeout(deadline);
  }

  return { port: (server.address() as AddressInfo).port, stop };
}

function configure(server: Server, most: number): void {
  server.headersTimeout = TIMEOUTS.headers;
  server.requestTimeout = TIMEOUTS.request;
  server.keepAliveTimeout = TIMEOUTS.keepAlive;
  server.timeout = TIMEOUTS.inactive;
  // Switches Node's own limit off: the bytes of all headers are limited, and a connection counts the headers.
  server.maxHeadersCount = 0;
  server.maxConnections = most;
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
function createAddressLimit(most: number, trusted: readonly string[]): AddressLimit {
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
