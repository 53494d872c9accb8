import {
  adminToken,
  type ConfigOf,
  choice,
  corsAllowedOrigins,
  databaseDirectUrl,
  databaseUrl,
  type EnvironmentVariables,
  egressAllowCidrs,
  encryptionKeys,
  host,
  logLevel,
  maxConnections,
  maxConnectionsPerAddress,
  metricsPort,
  nodeEnv,
  oidcProviders,
  oidcProvidersFile,
  port,
  publicUrl,
  queueShards,
  readEnvironment,
  redisUrl,
  traceUrlTemplate,
  tracing,
  trustedProxies,
  webhookHttpsOnly,
} from '@postrider/config';

/** The environment variables of the API (docs/configuration.md). */
const SPECIFICATION = {
  nodeEnv,
  logLevel,
  host,
  port: port('PORT', 3000),
  metricsPort: metricsPort(9464),
  maxConnections,
  maxConnectionsPerAddress,
  trustedProxies,
  databaseUrl,
  databaseDirectUrl,
  queueShards,
  redisUrl,
  corsAllowedOrigins,
  adminToken,
  encryptionKeys,
  console: choice('CONSOLE', { fallback: 'on', values: ['on', 'off'] }),
  oidcProviders,
  oidcProvidersFile,
  traceUrlTemplate,
  publicUrl,
  webhookHttpsOnly,
  egressAllowCidrs,
  ...tracing,
};

export type Config = ConfigOf<typeof SPECIFICATION>;

/** The only reader of the API's environment. Reports all issues at once, without secrets. */
export function readConfig(
  environment: EnvironmentVariables,
): { ok: true; config: Config } | { ok: false; issues: string[] } {
  const read = readEnvironment(SPECIFICATION, environment);
  if (!read.ok || read.config.oidcProviders.length === 0 || read.config.oidcProvidersFile.length === 0)
    return read;
  return { ok: false, issues: ['OIDC_PROVIDERS_FILE must not be set beside OIDC_PROVIDERS'] };
}
