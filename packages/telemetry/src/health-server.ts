import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHealthAnswers, type HealthDeps, type PlainAnswer } from './health.ts';

export type HealthServer = {
  /** The port that it listens on: the system's choice when 0 was asked for. */
  port: number;
  /** Ends it; open connections are closed. */
  close(): Promise<void>;
};

export type HealthServerOptions = HealthDeps & { port: number; host?: string | undefined };

type Answer = PlainAnswer & { headers?: Record<string, string> };

/**
 * Serves `/healthz`, `/readyz` and `/metrics` for a process without an HTTP API of its own. Resolves when it
 * listens, rejects when it cannot. Anything else answers 404 or 405 with the error object (contract sections
 * 1 and 2).
 */
export async function createHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const answers = createHealthAnswers(options);
  const routes = new Map<string, () => PlainAnswer | Promise<PlainAnswer>>([
    ['/healthz', answers.healthz],
    ['/readyz', answers.readyz],
    ['/metrics', answers.metrics],
  ]);

  const server = createServer(async (request, response) => {
    const { status, contentType, body, headers } = await answer(request);
    response.writeHead(status, {
      'content-type': contentType,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  });

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const [path = ''] = (request.url ?? '').split('?');
    const route = routes.get(path);
    if (route === undefined) return errorAnswer(404, 'route_not_found', 'There is nothing at this path.');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const refusal = errorAnswer(405, 'method_not_allowed', 'This path can only be read.');
      return { ...refusal, headers: { allow: 'GET, HEAD' } };
    }
    return route();
  };

  await listen(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    close: () => close(server),
  };
}

function errorAnswer(status: number, code: string, message: string): Answer {
  const body = JSON.stringify({ error: { code, message, request_id: 'unknown' } });
  return { status, contentType: 'application/json; charset=utf-8', body };
}

function listen(server: Server, { port, host }: HealthServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeAllConnections();
  });
}
