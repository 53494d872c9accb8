import {
  adminToken,
  corsAllowedOrigins,
  databaseDirectUrl,
  databaseUrl,
  encryptionKeys,
  host,
  logLevel,
  nodeEnv,
  port,
  readEnvironment,
  redisUrl,
  tracing,
} from '@postrider/config';

/** What the API reads of its environment: contract section 9. */
const SPECIFICATION = {
  nodeEnv,
  logLevel,
  host,
  port: port('PORT', 3000),
  databaseUrl,
  databaseDirectUrl,
  redisUrl,
  corsAllowedOrigins,
  adminToken,
  encryptionKeys,
  ...tracing,
};

/**
 * Reads the API's configuration: the only reader of the environment in this app. Every fault is named at
 * once.
 */
export function readConfig(environment: NodeJS.ProcessEnv) {
  return readEnvironment(SPECIFICATION, environment);
}
