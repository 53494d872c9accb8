import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a server that can be cut, frozen and restored. */
export interface TcpProxy {
  readonly port: number;
  cut(): Promise<void>;
  /** Swallows all that its connections carry from now on, without closing them; new ones work. */
  freeze(): void;
  /** Swallows what new connections carry, too: the far end has fallen silent for good. */
  silence(): void;
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Forwards connections on loopback to `port`, from the start unless `open` is false. */
export async function startTcpProxy(port: number, { open = true } = {}): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  let ownPort = 0;
  let isSilent = false;

  async function restore(): Promise<void> {
    server = createServer((client) => {
      const upstream = connect(port, '127.0.0.1');
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          client.destroy();
          upstream.destroy();
          sockets.delete(socket);
        });
      }
      if (isSilent) client.resume();
      else client.pipe(upstream).pipe(client);
    });
    const listening = server;
    await new Promise<void>((resolve) => listening.listen(ownPort, '127.0.0.1', resolve));
    ownPort = (listening.address() as AddressInfo).port;
  }

  async function cut(): Promise<void> {
    const closing = server;
    server = null;
    for (const socket of sockets) socket.destroy();
    if (closing) await new Promise((resolve) => closing.close(resolve));
  }

  function freeze(): void {
    for (const socket of sockets) {
      socket.unpipe();
      socket.resume();
    }
  }

  await restore();
  if (!open) await cut();
  return {
    get port() {
      return ownPort;
    },
    cut,
    freeze,
    silence() {
      isSilent = true;
      freeze();
    },
    restore,
    close: cut,
  };
}

/** The URL of a server by way of the proxy. */
export function proxied(server: string, proxy: TcpProxy): string {
  const url = new URL(server);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return url.href;
}
