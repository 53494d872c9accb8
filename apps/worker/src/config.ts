import {
  auditEnvironment,
  awsKeyless,
  type ConfigOf,
  choice,
  databaseUrl,
  type EnvironmentVariables,
  egressAllowCidrs,
  egressProxy,
  encryptionKeys,
  host,
  integer,
  logLevel,
  metricsPort,
  nodeEnv,
  port,
  publicUrl,
  queueShards,
  readEnvironment,
  redisUrl,
  tracing,
  webhookHttpsOnly,
} from '@postrider/config';

const SPECIFICATION = {
  databaseUrl,
  queueShards,
  redisUrl,
  host,
  /** Port of `/healthz` and `/readyz`. */
  port: port('WORKER_PORT', 3001),
  /** Different from the API's default, so that both can run on one machine. */
  metricsPort: metricsPort(9465),
  encryptionKeys,
  egressAllowCidrs,
  egressProxy,
  webhookHttpsOnly,
  awsKeyless,
  auditEnvironment,
  /** Concurrent deliveries of one process. */
  concurrency: integer('WORKER_CONCURRENCY', { fallback: 100, min: 2, max: 1_000 }),
  /** The HTTP client that sends webhooks. 0.1.0 also had undici; installations that chose it get Node's client. */
  webhookClient: choice('WEBHOOK_HTTP_CLIENT', { fallback: 'node', values: ['node', 'got', 'undici'] }),
  publicUrl,
  logLevel,
  nodeEnv,
  ...tracing,
};

export type Config = ConfigOf<typeof SPECIFICATION>;

/**
 * The only reader of the worker's environment (docs/configuration.md). Reports all issues at once,
 * without secrets.
 */
export function readConfig(
  environment: EnvironmentVariables,
): { ok: true; config: Config } | { ok: false; issues: string[] } {
  return readEnvironment(SPECIFICATION, environment);
}
