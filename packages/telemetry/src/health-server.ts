import type { Listener } from '@postrider/listener';
import { createHealthAnswers, type HealthDeps } from './health.ts';
import { type PlainServerOptions, servePlain } from './plain-server.ts';

/**
 * Serves `/healthz` and `/readyz` for a process without an HTTP API of its own. Resolves when it listens, rejects
 * when it cannot.
 */
export function createHealthServer(options: HealthDeps & PlainServerOptions): Promise<Listener> {
  const { healthz, readyz } = createHealthAnswers(options);
  return servePlain({ '/healthz': healthz, '/readyz': readyz }, options);
}
