import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '@postrider/rig';

/** The interval between two checks of `/readyz`, and the time limit of a check. */
const CHECK_INTERVAL_MS = 500;
const CHECK_TIMEOUT_MS = 2_500;

/** A typical reverse proxy: keeps connections alive, checks its upstreams actively, does not retry. */
export interface ReverseProxy {
  readonly url: string;
  /** How many requests no upstream answered; their clients got 502. */
  unanswered(): number;
  close(): Promise<void>;
}

async function isReady(upstream: string): Promise<boolean> {
  const response = await fetch(`${upstream}/readyz`, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) });
  await response.arrayBuffer();
  return response.ok;
}

/** Checks the upstreams at intervals and updates the set of those that are ready. Returns a function that stops it. */
function watch(upstreams: readonly string[], ready: Set<string>): () => void {
  const check = (upstream: string) =>
    isReady(upstream).then(
      (isUp) => (isUp ? ready.add(upstream) : ready.delete(upstream)),
      () => ready.delete(upstream),
    );
  const timers = upstreams.map((upstream) => setInterval(() => void check(upstream), CHECK_INTERVAL_MS));
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}

/** Distributes requests in turn over the upstreams that answer `/readyz` with 200. At first all count as ready. */
export async function startReverseProxy(upstreams: readonly string[]): Promise<ReverseProxy> {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set(upstreams);
  const stopWatching = watch(upstreams, ready);
  let turn = 0;
  let unanswered = 0;

  function refuse(response: ServerResponse): void {
    unanswered += 1;
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  }

  function pass(incoming: IncomingMessage, response: ServerResponse): void {
    turn += 1;
    const upstream = [...ready][turn % ready.size];
    if (upstream === undefined) {
      refuse(response);
      return;
    }
    const { method, headers } = incoming;
    const outgoing = request(`${upstream}${incoming.url}`, { method, headers, agent });
    outgoing.once('error', () => refuse(response));
    outgoing.once('response', (answer) => {
      // The connection header only concerns the connection to the upstream.
      const { connection, ...passedOn } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, passedOn);
      answer.once('error', () => refuse(response));
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  }

  const listening = await listenOnLoopback(createServer(pass));
  return {
    url: listening.url,
    unanswered: () => unanswered,
    async close() {
      stopWatching();
      await listening.close();
      agent.destroy();
    },
  };
}
