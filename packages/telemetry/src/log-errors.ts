import { type BoundedLog, createBoundedLog } from './bounded-log.ts';
import type { LogFields, Logger } from './logger.ts';

/** Creates an error handler that logs with a rate limit per key. The fields are those of each line. */
export type LogErrors = (key: string, message: string, fields?: LogFields) => (error: unknown) => void;

/** Logs any errors with a rate limit. */
export const createLogErrors =
  (log: BoundedLog): LogErrors =>
  (key, message, fields) =>
  (error) =>
    log.error(key, message, { ...fields, error });

/** What a line says of an error of the database, such as its codes. `postgres` is why PostgreSQL cannot be used, or null. */
type DescribeDatabaseError = (error: unknown) => LogFields & { readonly postgres: string | null };

/**
 * Logs errors of work with the database, with a rate limit. While PostgreSQL cannot be used, everything fails: there is one line a
 * minute for each reason. Not for other errors: an ECONNREFUSED of Redis would count as PostgreSQL's.
 */
export function createLogDatabaseErrors(
  log: BoundedLog,
  logger: Pick<Logger, 'warn' | 'error'>,
  describe: DescribeDatabaseError,
): LogErrors {
  const outages = createBoundedLog(logger, { perKeyPerMinute: 1 });
  return (key, message, more) => (error) => {
    const { postgres, ...described } = describe(error);
    const fields = { ...more, error, ...described };
    if (postgres === null) log.error(key, message, fields);
    else outages.error(postgres, 'PostgreSQL cannot be used', { postgres, failed: message, ...fields });
  };
}
