import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { contentOfWebhook } from './content.ts';
import type { SendLedger, Treat } from './ledger.ts';

const STATUS = { accepted: 200, refused: 500 } as const;

export interface HttpReceiver {
  /** Without a path: any path is received. */
  readonly url: string;
  close(): Promise<void>;
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/**
 * Receives webhooks. Only a request that came whole is noted: of a part of one the receiver knows no event.
 */
export async function startHttpReceiver(ledger: SendLedger, treat: Treat): Promise<HttpReceiver> {
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = contentOfWebhook(await read(request));
    const runId = String(request.headers['webhook-id']);
    const { delayMs, answer } = treat({ runId, path: request.url ?? '/' });
    ledger.note({ runId, kind: 'webhook', answer, content });
    if (answer === 'none') return;
    if (delayMs > 0) await wait(delayMs);
    response.writeHead(STATUS[answer]).end();
  }

  const server = createServer((request, response) => {
    // A request that breaks off was not received.
    receive(request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
