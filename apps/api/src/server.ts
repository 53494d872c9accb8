import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Milliseconds. A request's headers and whole body must have come in by their times, whoever sends them how
 * slowly. An idle connection is kept for longer than the 60 s that load balancers usually keep theirs, so
 * that it is they who close it. A connection on which nothing moves although a response is due is given up:
 * nothing that the API does takes that long.
 */
const TIMEOUTS = { headers: 10_000, request: 30_000, keepAlive: 65_000, inactive: 60_000 } as const;

/**
 * Node looks for connections past their time only this often; its default of 30 s would triple the shortest
 * limit.
 */
const TIMEOUT_CHECK_MS = 5_000;

/** What is in flight when the process is told to stop gets this long to end. */
export const STOP_DEADLINE_MS = 10_000;

/**
 * Whoever routes requests here learns of the stop a moment after this process: what is on its way meanwhile
 * is still taken, and its answer closes the connection. Without this, a rolling restart breaks off the
 * requests of that moment.
 */
const ROUTING_GRACE_MS = 2_000;

/** How often connections that have become idle are looked for while stopping. */
const IDLE_CHECK_MS = 50;

export interface ApiServer {
  readonly port: number;
  /**
   * Asks clients to go elsewhere, stops accepting after a moment, lets what is in flight end within the
   * deadline, and then hangs up. Resolves when all is closed.
   */
  readonly stop: () => Promise<void>;
}

export interface ListenAddress {
  /** 0: the system chooses. */
  readonly port: number;
  /** All addresses of the machine when left out. */
  readonly host?: string | undefined;
}

/** Listens and resolves when it does; rejects when it cannot. */
export async function startServer(app: RequestListener, { port, host }: ListenAddress): Promise<ApiServer> {
  const responses = new Set<ServerResponse>();
  let stopping = false;
  const server = createServer({ connectionsCheckingInterval: TIMEOUT_CHECK_MS }, (request, response) => {
    responses.add(response);
    response.once('close', () => responses.delete(response));
    if (stopping) response.setHeader('Connection', 'close');
    app(request, response);
  });
  server.headersTimeout = TIMEOUTS.headers;
  server.requestTimeout = TIMEOUTS.request;
  server.keepAliveTimeout = TIMEOUTS.keepAlive;
  server.timeout = TIMEOUTS.inactive;
  server.listen(port, host);
  await once(server, 'listening');

  async function stop(): Promise<void> {
    stopping = true;
    for (const response of responses) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
    await wait(ROUTING_GRACE_MS);
    const closed = once(server, 'close');
    server.close();
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    const deadline = setTimeout(() => server.closeAllConnections(), STOP_DEADLINE_MS);
    await closed;
    clearInterval(sweep);
    clearTimeout(deadline);
  }

  return { port: (server.address() as AddressInfo).port, stop };
}
