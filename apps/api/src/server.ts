import type { RequestListener } from 'node:http';
import { type ConnectionLimits, type ListenerOptions, listen } from '@postrider/listener';

/** Milliseconds that open requests have to end when the process is told to stop. */
const STOP_DEADLINE_MS = 10_000;

/**
 * Load balancers notice the stop a moment later: requests that arrive until then are still served, and their
 * responses close the connection. Without this, a rolling restart fails those requests.
 */
const ROUTING_GRACE_MS = 2_000;

export interface ApiServer {
  readonly port: number;
  /**
   * Asks clients to go elsewhere, stops accepting after a moment, lets open requests end within the deadline, and
   * then closes the connections. Resolves when all is closed.
   */
  readonly stop: () => Promise<void>;
}

type ServerOptions = Pick<ListenerOptions, 'port' | 'host' | 'onRefused' | 'exchangeMs'> & {
  readonly limits?: Partial<ConnectionLimits>;
};

/**
 * Together with the bytes of bodies in flight these fit the memory and the descriptors of a process: see
 * docs/runbook.md, "Limits of connections and bytes".
 */
const LIMITS: ConnectionLimits = { connections: 2_048, connectionsPerAddress: 512 };

/** Starts to listen; rejects if that fails. */
export async function startServer(app: RequestListener, options: ServerOptions): Promise<ApiServer> {
  const { port, stop } = await listen(app, { ...options, limits: { ...LIMITS, ...options.limits } });
  return { port, stop: () => stop({ graceMs: ROUTING_GRACE_MS, deadlineMs: STOP_DEADLINE_MS }) };
}
