import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '@postrider/rig';

/** Between two checks of `/readyz`, and the time limit of one. */
const CHECK_INTERVAL_MS = 500;
const CHECK_TIMEOUT_MS = 2_500;

/** A reverse proxy as most are: kept-alive connections, active checks, no second try. */
export interface ReverseProxy {
  readonly url: string;
  /** Requests that no upstream answered, for which the client got 502. */
  unanswered(): number;
  close(): Promise<void>;
}

async function isReady(upstream: string): Promise<boolean> {
  const response = await fetch(`${upstream}/readyz`, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) });
  await response.arrayBuffer();
  return response.ok;
}

/** Checks the upstreams at intervals and keeps the set of those that are ready. */
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

/** Takes turns among the upstreams that answer `/readyz` with 200; all count as ready at first. */
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
      // The connection header is about the connection to the upstream.
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
