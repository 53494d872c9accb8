import type { Agent } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * How long a connection is reused, in milliseconds. Then requests go to a new address of the name, even if the old one still
 * responds.
 */
const MAX_CONNECTION_AGE_MS = 60_000;
/** An endpoint that ends a connection this soon after a response does so each time, as uWSGI does without saying so. */
const SOON_MS = 500;
/** How long connections to such an endpoint are not kept. */
const NOT_KEPT_MS = 60_000;
/** The most such endpoints. Beyond them all are tried again. */
const MAX_ENDPOINTS = 1_000;

interface KeptConnection {
  readonly since: number;
  lastUse: number;
  readonly endpoint: string;
}

/**
 * Makes an agent close connections that it has kept for {@link MAX_CONNECTION_AGE_MS}, when their request ends, and keep none to
 * an endpoint that ended one at once: a request that is sent on such a connection is lost with an unknown outcome.
 */
export function limitKeeping(agent: Agent): void {
  const connections = new WeakMap<Duplex, KeptConnection>();
  const notKeptUntil = new Map<string, number>();

  // Before the handler of the agent, which keeps the connection.
  agent.prependListener('free', (socket: Duplex, options: Parameters<Agent['getName']>[0]) => {
    if (connections.has(socket)) return;
    const now = performance.now();
    const connection = { since: now, lastUse: now, endpoint: agent.getName(options) };
    connections.set(socket, connection);
    // Only the endpoint ends a connection; this side destroys it.
    socket.once('end', () => {
      const endedAt = performance.now();
      if (endedAt - connection.lastUse >= SOON_MS) return;
      if (notKeptUntil.size >= MAX_ENDPOINTS) notKeptUntil.clear();
      notKeptUntil.set(connection.endpoint, endedAt + NOT_KEPT_MS);
    });
  });

  const keep = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => boolean;
  agent.keepSocketAlive = (socket) => {
    const now = performance.now();
    const connection = connections.get(socket);
    if (!connection || now - connection.since >= MAX_CONNECTION_AGE_MS) return false;
    if (now < (notKeptUntil.get(connection.endpoint) ?? 0)) return false;
    connection.lastUse = now;
    return keep(socket);
  };
}
