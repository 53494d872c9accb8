import { databaseErrorCodes, describeOutage } from '@postrider/db';
import { type BoundedLog, createBoundedLog, type Logger } from '@postrider/telemetry';

/** Creates an error handler that logs with a rate limit per key. The fields are those of each line. */
export type LogErrors = (
  key: string,
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => (error: unknown) => void;

/** Logs any errors with a rate limit. */
export const createLogErrors =
  (log: BoundedLog): LogErrors =>
  (key, message, fields) =>
  (error) =>
    log.error(key, message, { ...fields, error });

/** Logged while email of environments with suppressions cannot be sent. */
export const KEY_LOST = 'the key of suppressed addresses cannot be decrypted';

/**
 * Logs errors of work with the database, with a rate limit and their database codes. While PostgreSQL cannot be used, everything
 * fails: there is one line a minute for each reason. Not for other errors: an ECONNREFUSED of Redis would count as PostgreSQL's.
 */
export function createLogDatabaseErrors(log: BoundedLog, logger: Pick<Logger, 'warn' | 'error'>): LogErrors {
  const outages = createBoundedLog(logger, { perKeyPerMinute: 1 });
  return (key, message, more) => (error) => {
    const fields = { ...more, error, database_codes: databaseErrorCodes(error) };
    const postgres = describeOutage(error);
    if (postgres === null) log.error(key, message, fields);
    else outages.error(postgres, 'PostgreSQL cannot be used', { postgres, failed: message, ...fields });
  };
}
