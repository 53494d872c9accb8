import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of a real server, which can be cut, frozen and mended like a network. */
export interface TcpProxy {
  /** The target's URL with this proxy's address in it. */
  readonly url: string;
  /** Breaks every connection and refuses new ones. */
  readonly cut: () => void;
  /** Keeps connections open and passes nothing on. */
  readonly freeze: () => void;
  readonly mend: () => void;
  readonly close: () => Promise<void>;
}

export async function startProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let state: 'open' | 'cut' | 'frozen' = 'open';

  function join(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on('data', (chunk) => state === 'open' && to.write(chunk));
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  }
  const server = createServer((client) => {
    if (state === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    join(client, upstream);
    join(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);

  function cut(): void {
    state = 'cut';
    for (const socket of sockets) socket.destroy();
  }
  return {
    url: url.href,
    cut,
    freeze: () => {
      state = 'frozen';
    },
    mend: () => {
      state = 'open';
    },
    close: async () => {
      cut();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
