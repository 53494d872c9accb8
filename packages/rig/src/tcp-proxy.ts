import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { listenOnLoopback } from './loopback.ts';

/**
 * `stall`: holds everything back and forwards it afterwards. `swallow`: keeps connections open and drops their data.
 * `reset`: resets every connection. `half_open`: closes the far side without telling the near side. `slow`: delays each
 * piece by {@link SLOW_MS}.
 */
export type NetworkFault = 'stall' | 'swallow' | 'reset' | 'half_open' | 'slow';

/** How long a slow network holds each piece back, in milliseconds. */
export const SLOW_MS = 200;

/** A TCP proxy that injects network faults. */
export interface TcpProxy {
  readonly port: number;
  /** The server's URL with the proxy's address. */
  readonly url: string;
  /** Injects a fault into all open and new connections; null removes it. */
  set(fault: NetworkFault | null): void;
  /** Drops all data of the open connections from now on; later connections work. */
  silence(): void;
  close(): Promise<void>;
}

interface Connection {
  readonly near: Socket;
  readonly far: Socket;
  isHalfOpen: boolean;
  isSilent: boolean;
}

interface TcpProxyOptions {
  /** The initial fault. */
  readonly fault?: NetworkFault | null;
  /** Called with the data that clients send. */
  readonly onSent?: (chunk: Buffer) => void;
  /** Changes the data that the server sends to clients. */
  readonly alter?: (chunk: Buffer) => Buffer;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'redis:': 6_379, 'http:': 80 };
const POSTGRES_PORT = 5_432;

const portOf = ({ port, protocol }: URL) => Number(port) || (DEFAULT_PORTS[protocol] ?? POSTGRES_PORT);

/** Forwards connections on 127.0.0.1 to the server with the URL `target`. */
export async function startTcpProxy(
  target: string,
  { fault: first = null, onSent = () => undefined, alter = (chunk) => chunk }: TcpProxyOptions = {},
): Promise<TcpProxy> {
  const url = new URL(target);
  const { hostname } = url;
  const port = portOf(url);
  const connections = new Set<Connection>();
  let fault = first;

  /** Forwards data from one end to the other, in order. */
  function carry(connection: Connection, from: Socket, to: Socket, ended: () => void): void {
    let tail = Promise.resolve();
    const then = (step: () => void) => {
      tail = tail.then(async () => {
        if (fault === 'slow') await wait(SLOW_MS);
        step();
      });
    };
    from.on('data', (chunk) => {
      if (fault === 'swallow' || connection.isSilent) return;
      then(() => to.writable && to.write(to === connection.near ? alter(chunk) : chunk));
    });
    from.on('error', () => undefined);
    from.on('close', () => then(ended));
  }

  function apply(connection: Connection): void {
    const { near, far } = connection;
    if (fault === 'stall') {
      near.pause();
      far.pause();
    } else if (fault === 'reset') {
      near.resetAndDestroy();
      far.resetAndDestroy();
    } else if (fault === 'half_open') {
      connection.isHalfOpen = true;
      far.destroy();
      near.resume();
    } else {
      near.resume();
      far.resume();
    }
  }

  const server = createServer((near) => {
    const far = connect(port, hostname);
    const connection: Connection = { near, far, isHalfOpen: false, isSilent: false };
    connections.add(connection);
    near.on('data', onSent);
    carry(connection, near, far, () => {
      connections.delete(connection);
      far.destroy();
    });
    carry(connection, far, near, () => {
      if (!connection.isHalfOpen) near.destroy();
    });
    apply(connection);
  });
  const listening = await listenOnLoopback(server);
  url.hostname = '127.0.0.1';
  url.port = String(listening.port);

  return {
    port: listening.port,
    url: url.href,
    set(next) {
      fault = next;
      for (const connection of connections) apply(connection);
    },
    silence() {
      for (const connection of connections) connection.isSilent = true;
    },
    async close() {
      const closed = listening.close();
      for (const { near, far } of connections) {
        near.destroy();
        far.destroy();
      }
      await closed;
    },
  };
}
