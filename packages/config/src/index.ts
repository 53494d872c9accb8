export { accepted, type Field, optional, type Parse, type Parsed, refused, required } from './field.ts';
export {
  type AllowedOrigins,
  corsAllowedOrigins,
  databaseUrl,
  egressAllowCidrs,
  host,
  integer,
  LOG_LEVELS,
  type LogLevel,
  logLevel,
  NODE_ENVS,
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
