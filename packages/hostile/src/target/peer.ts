import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A local server with arbitrary behaviour per connection. */
export interface Peer {
  readonly port: number;
  /** Connections that it has had. */
  connections(): number;
  close(): Promise<void>;
}

/** Starts a server; `behave` gets each connection, whose errors are of no interest. */
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

/** Writes the same again and again, as fast as the other side reads it, until the connection is gone. */
export function writeForever(socket: Socket, bytes: Buffer): void {
  const more = () => {
    while (socket.writable && socket.write(bytes));
  };
  socket.on('drain', more);
  more();
}

/** Writes a byte now and then, until the connection is gone. */
export function drip(socket: Socket, bytes: Buffer): void {
  let at = 0;
  const timer = setInterval(() => {
    socket.write(bytes.subarray(at % bytes.length, (at % bytes.length) + 1));
    at += 1;
  }, 50);
  socket.once('close', () => clearInterval(timer));
}
