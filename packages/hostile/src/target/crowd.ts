import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { isFitting } from './post-event.ts';
import { attackerAddress } from './sockets.ts';

const DEADLINE_MS = 60_000;

interface Asked {
  readonly url: string;
  readonly path: string;
  readonly method?: 'GET' | 'POST';
  readonly token: string;
  /** Requests at once, each on its own connection. */
  readonly count: number;
  /** Hang up this many milliseconds after sending; the crowd reads its answers if left out. */
  readonly hangUpAfterMs?: number;
}

export interface Answers {
  /** How often each status was the answer. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly bytes: number;
  /** Answers that no client may get: an unfitting status, or a refusal that does not say when to try again. */
  readonly unfit: readonly string[];
}

/** Sends the same request many times at once, from several addresses of the attacker. */
export async function askAtOnce({
  url,
  path,
  method = 'GET',
  token,
  count,
  hangUpAfterMs,
}: Asked): Promise<Answers> {
  const agent = new Agent({ maxSockets: count });
  const statuses: Record<string, number> = {};
  const unfit = new Set<string>();
  let bytes = 0;
  const note = (status: string) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const ask = (index: number) =>
    new Promise<void>((resolve) => {
      const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() };
      const localAddress = attackerAddress(index);
      const sent = request(`${url}${path}`, { agent, method, headers, localAddress, timeout: DEADLINE_MS });
      const end = (status: string) => {
        note(status);
        resolve();
      };
      sent.once('timeout', () => sent.destroy());
      sent.once('error', () => end('none'));
      sent.once('response', (response) => {
        const { statusCode = 0 } = response;
        const isRefusal = statusCode === 429 || statusCode === 503;
        if (!isFitting(statusCode)) unfit.add(`${method} ${path} was answered ${statusCode}`);
        if (isRefusal && response.headers['retry-after'] === undefined) {
          unfit.add(`${method} ${path} was answered ${statusCode} without Retry-After`);
        }
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        response.once('error', () => undefined);
        response.once('close', () => end(String(statusCode)));
      });
      sent.end();
      if (hangUpAfterMs !== undefined) setTimeout(() => sent.destroy(), hangUpAfterMs);
    });
  await Promise.all(Array.from({ length: count }, (_, index) => ask(index)));
  agent.destroy();
  return { statuses, bytes, unfit: [...unfit] };
}
