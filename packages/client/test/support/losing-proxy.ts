import type { IncomingHttpHeaders } from 'node:http';
import { type Listening, startHttpReceiver } from '@postrider/rig';

/**
 * What is to go wrong with a request: the service carries it out and its answer is lost, or the request does not
 * reach it.
 */
export type Fault = 'lose-answer' | 'unavailable';

/** A proxy in front of the API that breaks what passes, on demand. */
export interface LosingProxy extends Listening {
  /** What goes wrong with the next requests, in order; those after them pass. */
  readonly plan: Fault[];
}

/** Headers of one connection are not passed on. */
function passedOn({ host, connection, ...headers }: IncomingHttpHeaders): Record<string, string> {
  return headers as Record<string, string>;
}

export async function startLosingProxy(target: string): Promise<LosingProxy> {
  const plan: Fault[] = [];
  // A handler that fails, because the client has given up or the service is gone, cuts the connection.
  const receiver = await startHttpReceiver(async ({ path, method, headers, body }, response) => {
    const fault = plan.shift();
    if (fault === 'unavailable') {
      response.writeHead(503, { 'retry-after': '0' }).end('<h1>Service Unavailable</h1>');
      return;
    }
    const answer = await fetch(new URL(path, target), {
      method,
      headers: passedOn(headers),
      ...(body.length > 0 && { body }),
    });
    const text = await answer.text();
    if (fault === 'lose-answer') response.destroy();
    else response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text);
  });
  return { ...receiver, plan };
}
