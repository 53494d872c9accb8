export {
  type AllowedOrigins,
  auditEnvironment,
  awsKeyless,
  choice,
  corsAllowedOrigins,
  databaseDirectUrl,
  databaseUrl,
  egressAllowCidrs,
  egressProxy,
  host,
  integer,
  type LogLevel,
  logLevel,
  maxConnections,
  maxConnectionsPerAddress,
  metricsPort,
  type NodeEnv,
  nodeEnv,
  type ProxySetting,
  port,
  publicUrl,
  queueShards,
  redisUrl,
  trustedProxies,
  webhookHttpsOnly,
} from './fields.ts';
export { type OidcGroup, type OidcProvider, oidcProviders, oidcProvidersFile } from './oidc.ts';
export type { Field } from './read-environment.ts';
export {
  type ConfigOf,
  type EnvironmentVariables,
  readEnvironment,
  type Specification,
} from './read-environment.ts';
export { adminToken, encryptionKeys } from './secrets.ts';
export { traceUrlTemplate, tracing } from './tracing.ts';
