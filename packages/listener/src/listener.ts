import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createAddressLimit } from './addresses.ts';
import { Connection, type Refused } from './connection.ts';
import { answerWith, type ListenerError } from './errors.ts';

/**
 * Milliseconds. A request's headers and whole body must have come in by their times, however slowly they are
 * sent. An idle connection is kept for longer than the 60 s that load balancers usually keep theirs, so
 * that they close it. A connection on which nothing moves although a response is due is given up, and so is one
 * whose request is still open after `exchange`: nothing takes that long but a client that reads its response
 * byte by byte.
 */
const TIMEOUTS = {
  headers: 10_000,
  request: 30_000,
  keepAlive: 65_000,
  inactive: 60_000,
  exchange: 90_000,
} as const;

/** Node's default of 30 s between two checks of the connections would triple the shortest limit. */
const TIMEOUT_CHECK_MS = 5_000;

/** How often connections that have become idle are looked for while stopping. */
const IDLE_CHECK_MS = 50;

/** At the limit idle connections make room, so that they cannot lock out new clients; not at every new one. */
const MAKE_ROOM_EVERY_MS = 1_000;

/** Clients send some 20. Node.js 20 drops those beyond its own limit silently, so the limit is ours. */
const MAX_HEADERS = 200;

/** About 45 short requests or 700 one-byte chunks, which take less than 2 ms of the event loop. */
const SLICE_BYTES = 4 * 1024;

/**
 * Passes what the socket reads to the HTTP parser in slices, and nothing once the connection reads no more. Otherwise the
 * parser handles a whole read of 64 KiB at once, even after the connection was closed: 2,500 requests or 11,000 chunks,
 * which block the event loop for 20 ms per connection. The rest of a body whose length is known is one slice, because it
 * is one piece for the parser. Call it in the server's `connection` event, when Node's own listener is in place.
 */
function feedInSlices(socket: Socket, connection: Connection): void {
  const [feed] = socket.listeners('data') as ((chunk: Buffer) => void)[];
  if (!feed) throw new Error('the HTTP server does not listen to its socket');
  socket.off('data', feed);
  // Also ends the shortcut by which the parser reads the socket past its events.
  socket.on('data', (chunk: Buffer) => {
    let start = 0;
    while (start < chunk.length && !socket.destroyed && !connection.readsNoMore()) {
      const end = start + Math.max(SLICE_BYTES, connection.bodyBytesLeft());
      feed.call(socket, start === 0 && end >= chunk.length ? chunk : chunk.subarray(start, end));
      start = end;
    }
  });
}

/** Connections, of which each has one request with the application at a time. */
export interface ConnectionLimits {
  readonly connections: number;
  /** Of one client: see `createAddressLimit`. */
  readonly connectionsPerAddress: number;
  /** Networks in CIDR notation whose connections are not counted by address. */
  readonly trustedProxies?: readonly string[];
}

export interface ListenerOptions {
  /** 0: the system chooses. */
  readonly port: number;
  /** All addresses of the machine when left out. */
  readonly host?: string | undefined;
  readonly limits: ConnectionLimits;
  /** Called for each connection that is closed or not accepted because of a limit, and for each refusal. */
  readonly onRefused?: ((reason: Refused) => void) | undefined;
  /** Longest that one request may be open, in milliseconds; 90 s unless given. */
  readonly exchangeMs?: number;
}

export interface Listener {
  readonly port: number;
  /**
   * Asks clients to go elsewhere, stops accepting after `graceMs`, lets open requests end within `deadlineMs`
   * more, and closes what is left then. Resolves when all is closed. Without times it closes at once.
   */
  stop(times?: { readonly graceMs: number; readonly deadlineMs: number }): Promise<void>;
}

const refuseWith =
  (code: ListenerError): RequestListener =>
  (_request, response) =>
    answerWith(code, response);

/** The refusal that a request's head calls for. Headers are name and value in turn. */
function errorOf({ rawHeaders, headers, httpVersion }: IncomingMessage): ListenerError | null {
  if (rawHeaders.length > 2 * MAX_HEADERS) return 'headers_too_large';
  if (headers.host === undefined && httpVersion === '1.1') return 'malformed_request';
  // RFC 9112, section 3.2: two hosts are how one request is made to mean two things to two servers.
  if (countHosts(rawHeaders) > 1) return 'malformed_request';
  return null;
}

/** Names and values alternate. `headersDistinct` would build an object for every request. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

function configure(server: Server, most: number): void {
  server.headersTimeout = TIMEOUTS.headers;
  server.requestTimeout = TIMEOUTS.request;
  server.keepAliveTimeout = TIMEOUTS.keepAlive;
  server.timeout = TIMEOUTS.inactive;
  // No limit of Node's own: the bytes of all headers are bounded, and `errorOf` counts them.
  server.maxHeadersCount = 0;
  server.maxConnections = most;
}

/**
 * Serves HTTP with bounds that hold for every client: a few requests per connection, served one after the other;
 * connections in total and by address; time for headers, body and response; pieces of a body. Refusals of the HTTP
 * parser have the error object as their body. Resolves when it listens; rejects when it cannot.
 */
export async function listen(app: RequestListener, options: ListenerOptions): Promise<Listener> {
  const { port, host, limits, onRefused = () => undefined, exchangeMs = TIMEOUTS.exchange } = options;
  const connections = new Map<Socket, Connection>();
  const addresses = createAddressLimit(limits.connectionsPerAddress, limits.trustedProxies ?? []);
  let stopping = false;

  const refuse = (code: ListenerError): RequestListener => {
    onRefused(code);
    return refuseWith(code);
  };
  function take(request: IncomingMessage, response: ServerResponse, serve: RequestListener): void {
    if (stopping) response.setHeader('Connection', 'close');
    const error = errorOf(request);
    connections.get(request.socket)?.take(request, response, error === null ? serve : refuse(error));
  }
  // The missing Host header is refused here, because Node's refusal has no body.
  const server = createServer(
    { connectionsCheckingInterval: TIMEOUT_CHECK_MS, requireHostHeader: false },
    (request, response) => take(request, response, app),
  );
  configure(server, limits.connections);
  server.on('checkExpectation', (request, response) => take(request, response, refuse('expectation_failed')));
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
    connections.set(socket, connection);
    feedInSlices(socket, connection);
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
