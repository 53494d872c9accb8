import { type BoundedLog, createBoundedLog } from './bounded-log.ts';
import type { LogFields, Logger } from './logger.ts';

/** Creates an error handler that logs with a rate limit per key. Each line has the fields. */
export type LogErrors = (key: string, message: string, fields?: LogFields) => (error: unknown) => void;

/** Logs any errors with a rate limit. */
export const createLogErrors =
  (log: BoundedLog): LogErrors =>
  (key, message, fields) =>
  (error) =>
    log.error(key, message, { ...fields, error });

/** Returns fields about an error, such as its codes. `postgres` is why PostgreSQL cannot be used, or null if it can. */
type DescribeDatabaseError = (error: unknown) => LogFields & { readonly postgres: string | null };

/**
 * Logs errors of work with the database, with a rate limit. While PostgreSQL cannot be used, everything fails, so there is one line a
 * minute for each reason. Do not use it for other errors: an ECONNREFUSED of Redis would count as PostgreSQL's.
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
