import { IncomingMessage, ServerResponse } from 'node:http';
import { type ConnectionLimits, type HttpListenerOptions, listen } from '@postrider/listener';
import type { Express } from 'express';

/** Milliseconds for open requests to end when the process stops. */
const STOP_DEADLINE_MS = 10_000;

/**
 * Load balancers notice the stop a moment later. Requests that arrive until then are still served, and their responses
 * close the connection. Without this, a rolling restart would fail them.
 */
const ROUTING_GRACE_MS = 2_000;

export interface ApiServer {
  readonly port: number;
  /**
   * Asks clients to reconnect, stops accepting after the grace period, lets open requests end within the deadline, and
   * then closes the connections. Resolves when everything is closed.
   */
  readonly stop: () => Promise<void>;
}

type ServerOptions = Pick<HttpListenerOptions, 'port' | 'host' | 'onRefused' | 'exchangeMs'> & {
  readonly limits?: Partial<ConnectionLimits>;
};

/**
 * Chosen so that connections and bytes in flight fit the memory and descriptors of a process: see docs/runbook.md,
 * "Limits of connections and bytes".
 */
const LIMITS: ConnectionLimits = { connections: 2_048, connectionsPerAddress: 512 };

/**
 * Classes whose instances have the app's prototypes from the start. Express would change the prototype of each request and
 * response, and V8 is slow with objects whose prototype has changed. Call it once for an app.
 */
function classesOf(app: Express): NonNullable<HttpListenerOptions['classes']> {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  app.request = AppRequest.prototype as Express['request'];
  app.response = AppResponse.prototype as Express['response'];
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse as typeof ServerResponse };
}

/** Starts listening; rejects if that fails. */
export async function startServer(app: Express, options: ServerOptions): Promise<ApiServer> {
  const limits = { ...LIMITS, ...options.limits };
  const { port, stop } = await listen(app, { ...options, limits, classes: classesOf(app) });
  return { port, stop: () => stop({ graceMs: ROUTING_GRACE_MS, deadlineMs: STOP_DEADLINE_MS }) };
}
