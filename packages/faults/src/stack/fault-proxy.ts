import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * `stall`: nothing is carried until another mode is set. `reset`: every connection is reset. `half_open`: the
 * far end is gone and the near one is not told, for good. `slow`: every piece takes a while.
 */
export const NETWORK_FAULTS = ['stall', 'reset', 'half_open', 'slow'] as const;
export type NetworkFault = (typeof NETWORK_FAULTS)[number];

/** How long a slow network holds each piece back, in milliseconds. */
export const SLOW_MS = 200;

export interface FaultProxy {
  readonly port: number;
  /** Null: everything is carried. */
  set(fault: NetworkFault | null): void;
  close(): Promise<void>;
}

interface Connection {
  readonly near: Socket;
  readonly far: Socket;
  isHalfOpen: boolean;
}

/** Forwards connections on loopback to `port`, as badly as it is told to. */
export async function startFaultProxy(port: number): Promise<FaultProxy> {
  const connections = new Set<Connection>();
  let fault: NetworkFault | null = null;

  /** Carries what comes from one end to the other, in order. */
  function carry(from: Socket, to: Socket, ended: () => void): void {
    let tail = Promise.resolve();
    const then = (step: () => void) => {
      tail = tail.then(async () => {
        if (fault === 'slow') await wait(SLOW_MS);
        step();
      });
    };
    from.on('data', (chunk) => then(() => to.writable && to.write(chunk)));
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
    const connection: Connection = { near, far: connect(port, '127.0.0.1'), isHalfOpen: false };
    connections.add(connection);
    carry(near, connection.far, () => {
      connections.delete(connection);
      connection.far.destroy();
    });
    carry(connection.far, near, () => {
      if (!connection.isHalfOpen) near.destroy();
    });
    apply(connection);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      fault = next;
      for (const connection of connections) apply(connection);
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const { near, far } of connections) {
        near.destroy();
        far.destroy();
      }
      await closed;
    },
  };
}
