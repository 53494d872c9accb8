import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * What is to go wrong with a request: the service carries it out and its answer is lost, or it never hears of
 * it.
 */
export type Fault = 'lose-answer' | 'unavailable';

/** A proxy in front of the API that breaks what passes, on demand. */
export interface LosingProxy {
  readonly url: string;
  /** What goes wrong with the next requests, in order; those after them pass. */
  readonly plan: Fault[];
  close(): Promise<void>;
}

/** Headers of one connection are not passed on. */
function passedOn({ host, connection, ...headers }: IncomingHttpHeaders): Record<string, string> {
  return headers as Record<string, string>;
}

export async function startLosingProxy(target: string): Promise<LosingProxy> {
  const plan: Fault[] = [];
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = plan.shift();
    const body = await buffer(request);
    if (fault === 'unavailable') {
      response.writeHead(503, { 'retry-after': '0' }).end('<h1>Service Unavailable</h1>');
      return;
    }
    const { method, url, headers } = request;
    const answer = await fetch(new URL(url ?? '/', target), {
      method,
      headers: passedOn(headers),
      ...(body.length > 0 && { body }),
    });
    const text = await answer.text();
    if (fault === 'lose-answer') response.destroy();
    else response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text);
  }

  const server = createServer((request, response) => {
    // The client has given up, or the service is gone.
    pass(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    plan,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
