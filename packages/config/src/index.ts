export type { Field } from './field.ts';
export {
  type AllowedOrigins,
  choice,
  corsAllowedOrigins,
  databaseDirectUrl,
  databaseUrl,
  egressAllowCidrs,
  host,
  integer,
  type LogLevel,
  logLevel,
  type NodeEnv,
  nodeEnv,
  port,
  redisUrl,
} from './fields.ts';
export {
  type ConfigOf,
  type EnvironmentVariables,
  readEnvironment,
  type Specification,
} from './read-environment.ts';
export { adminToken, encryptionKeys } from './secrets.ts';
export { tracing } from './tracing.ts';
