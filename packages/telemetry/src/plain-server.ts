import type { IncomingMessage } from 'node:http';
import { type HttpListener, listen, type Refused } from '@postrider/listener';
import type { Logger } from './logger.ts';

/** A response that any HTTP server can send. */
export type PlainAnswer = { status: number; contentType: string; body: string };

type PlainRoutes = Readonly<Record<string, () => PlainAnswer | Promise<PlainAnswer>>>;

export type PlainServerOptions = {
  /** 0: the system chooses. */
  port: number;
  host?: string | undefined;
  /** Called for each connection or request that a limit of the listener refuses. */
  onRefused?: ((reason: Refused) => void) | undefined;
};

/** For probes and scrapes; each of them needs one. */
const LIMITS = { connections: 128, connectionsPerAddress: 64 };
/** Longer than the 2 s of the readiness check plus the transfer of about 100 KB. */
const EXCHANGE_MS = 15_000;

type Answer = PlainAnswer & { headers?: Record<string, string> };

/**
 * Serves a few GET paths without a token. Everything else gets 404 or 405 with the error object. Resolves when it
 * listens; rejects if it cannot.
 */
export function servePlain(routes: PlainRoutes, options: PlainServerOptions): Promise<HttpListener> {
  const byPath = new Map(Object.entries(routes));

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const [path = ''] = (request.url ?? '').split('?');
    const route = byPath.get(path);
    if (route === undefined) return errorAnswer(404, 'route_not_found', 'There is nothing at this path.');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const refusal = errorAnswer(405, 'method_not_allowed', 'This path can only be read.');
      return { ...refusal, headers: { allow: 'GET, HEAD' } };
    }
    return route();
  };

  return listen(
    async (request, response) => {
      const { status, contentType, body, headers } = await answer(request);
      // The listener refused the request meanwhile: its body was malformed.
      if (response.headersSent) return;
      response.writeHead(status, {
        'content-type': contentType,
        'content-length': Buffer.byteLength(body),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        ...headers,
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    },
    { ...options, limits: LIMITS, exchangeMs: EXCHANGE_MS },
  );
}

/** A response with JSON. */
export const jsonAnswer = (status: number, value: unknown): PlainAnswer => ({
  ...{ status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(value) },
});

const errorAnswer = (status: number, code: string, message: string): Answer =>
  jsonAnswer(status, { error: { code, message, request_id: 'unknown' } });

/**
 * Logs one line and ends the process if a port cannot be used, for example because another process listens on it. For the `catch` of
 * a server that starts with its process.
 * @throws the error if it is another one
 */
export const exitIfCannotListen =
  (logger: Logger) =>
  (error: NodeJS.ErrnoException & { readonly port?: number }): never => {
    const { syscall, code, port } = error;
    if (syscall !== 'listen') throw error;
    const why = code === 'EADDRINUSE' ? 'another process listens on it' : `${code}`;
    logger.error(
      `cannot start: port ${port} cannot be used (${why}); configure another one, or end what uses it`,
    );
    process.exit(1);
  };
