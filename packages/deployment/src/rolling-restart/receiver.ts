import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** So that attempts are open when their worker is told to stop. */
const ANSWER_DELAY_MS = 100;

export interface CountingReceiver {
  readonly url: string;
  /** How often each delivery run was sent, by its id. */
  readonly sends: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Takes every webhook, a little slowly, and counts it by its `webhook-id`. */
export async function startCountingReceiver(): Promise<CountingReceiver> {
  const sends = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const id = String(request.headers['webhook-id']);
    sends.set(id, (sends.get(id) ?? 0) + 1);
    request.resume();
    await wait(ANSWER_DELAY_MS);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    sends,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
