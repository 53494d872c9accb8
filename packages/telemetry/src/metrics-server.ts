import type { HttpListener } from '@postrider/listener';
import { createHealthAnswers, type HealthDeps } from './health.ts';
import type { Metrics } from './metrics.ts';
import { type PlainAnswer, type PlainServerOptions, servePlain } from './plain-server.ts';
import { reuse } from './reuse.ts';

export type MetricsServerOptions = Omit<PlainServerOptions, 'port'> & {
  metrics: Pick<Metrics, 'read'>;
  /** Null: there is none. */
  port: number | null;
  /** For probes. Without it, `/healthz` and `/readyz` are not served here. */
  health?: Pick<HealthDeps, 'ready' | 'isStopping'>;
  monotonicMs?: () => number;
};

/** Reading takes some milliseconds of processor time, so its rate is limited. */
const MAX_AGE_MS = 1_000;

async function answer(metrics: Pick<Metrics, 'read'>): Promise<PlainAnswer> {
  try {
    const { contentType, text } = await metrics.read();
    return { status: 200, contentType, body: text };
  } catch {
    return { status: 500, contentType: 'text/plain; charset=utf-8', body: 'metrics cannot be read\n' };
  }
}

/**
 * Serves `/metrics` in Prometheus' text format on a separate port, which need not be public. `/healthz` and `/readyz`
 * are there, too, so that clients that exhaust the API's connections cannot make probes fail. The metrics are read at
 * most once a second; requests meanwhile get the same response. Resolves when it listens, with null if the port is
 * null; rejects if it cannot listen.
 */
export async function createMetricsServer({
  metrics,
  port,
  health,
  monotonicMs,
  ...options
}: MetricsServerOptions): Promise<HttpListener | null> {
  if (port === null) return null;
  const current = reuse(() => answer(metrics), MAX_AGE_MS, monotonicMs);
  const { healthz, readyz } = health ? createHealthAnswers(health) : {};
  return servePlain(
    { '/metrics': current, ...(healthz && { '/healthz': healthz }), ...(readyz && { '/readyz': readyz }) },
    { ...options, port },
  );
}
