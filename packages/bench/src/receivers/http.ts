import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monotonicMs } from '../load/clock.ts';
import { referenceIn } from '../load/event-body.ts';
import type { Arrivals } from './arrivals.ts';

/** Longer than any sender keeps an idle connection. */
const KEEP_ALIVE_MS = 60_000;

function readReference(request: IncomingMessage, then: (reference: number | null) => void): void {
  let head = '';
  request.on('data', (chunk: Buffer) => {
    // The number stands near the beginning; the rest of a large body is not looked at.
    if (head === '') head = chunk.toString('latin1', 0, 1_024);
  });
  request.on('end', () => then(referenceIn(head)));
}

/** Takes every POST with an empty 200, and notes when it began. Returns the URL. */
export async function startHttpReceiver(arrivals: Arrivals): Promise<string> {
  const server = createServer((request, response) => {
    const atMs = monotonicMs();
    readReference(request, (reference) => {
      arrivals.note(reference, atMs);
      response.writeHead(200).end();
    });
    request.on('error', () => response.destroy());
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}
