import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook endpoint that answers as it is told. */
export interface Receiver {
  readonly url: string;
  /** Statuses of the next answers, in order; those after them are 204. */
  readonly answers: number[];
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const answers: number[] = [];
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(answers.shift() ?? 204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`,
    answers,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
