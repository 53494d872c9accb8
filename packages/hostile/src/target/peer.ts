import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A local server with arbitrary behaviour per connection. */
export interface Peer {
  readonly port: number;
  /** The number of connections so far. */
  connections(): number;
  close(): Promise<void>;
}

/** Starts a server. `behave` gets each connection; errors of connections are ignored. */
export async function startPeer(behave: (socket: Socket) => void): Promise<Peer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    behave(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Writes the same bytes repeatedly, as fast as the other side reads, until the connection is closed. */
export function writeForever(socket: Socket, bytes: Buffer): void {
  const more = () => {
    while (socket.writable && socket.write(bytes));
  };
  socket.on('drain', more);
  more();
}

/** Writes a byte at intervals until the connection is closed. */
export function drip(socket: Socket, bytes: Buffer): void {
  let at = 0;
  const timer = setInterval(() => {
    socket.write(bytes.subarray(at % bytes.length, (at % bytes.length) + 1));
    at += 1;
  }, 50);
  socket.once('close', () => clearInterval(timer));
}
