import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** A server that listens on 127.0.0.1. */
export interface Listening {
  readonly port: number;
  /** `http://127.0.0.1:<port>`, without a path. */
  readonly url: string;
  /** Stops listening and resolves when every connection has ended. An HTTP server closes its connections. */
  close(): Promise<void>;
}

/** Makes a server listen on a free port of 127.0.0.1. */
export async function listenOnLoopback(server: Server | HttpServer): Promise<Listening> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
  };
}
