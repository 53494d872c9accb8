import { databaseErrorCodes, describeOutage } from '@postrider/db';
import { type BoundedLog, createBoundedLog, type Logger } from '@postrider/telemetry';

/** Creates an error handler that logs with a rate limit per key. The fields are those of each line. */
export type LogErrors = (
  key: string,
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => (error: unknown) => void;

/**
 * Logs errors of anything but PostgreSQL, with a rate limit. Their codes can be those of an unreachable PostgreSQL, such as
 * ECONNREFUSED.
 */
export const createLogOtherErrors =
  (log: BoundedLog): LogErrors =>
  (key, message, fields) =>
  (error) =>
    log.error(key, message, { ...fields, error });

/** Logged while email of environments with suppressions cannot be sent. */
export const KEY_LOST = 'the key of suppressed addresses cannot be decrypted';

/**
 * Logs errors with a rate limit, including the codes of database errors. While PostgreSQL cannot be used, everything fails: there
 * is one line a minute for each reason.
 */
export function createLogErrors(log: BoundedLog, logger: Pick<Logger, 'warn' | 'error'>): LogErrors {
  const outages = createBoundedLog(logger, { perKeyPerMinute: 1 });
  return (key, message, more) => (error) => {
    const fields = { ...more, error, database_codes: databaseErrorCodes(error) };
    const postgres = describeOutage(error);
    if (postgres === null) log.error(key, message, fields);
    else outages.error(postgres, 'PostgreSQL cannot be used', { postgres, failed: message, ...fields });
  };
}
