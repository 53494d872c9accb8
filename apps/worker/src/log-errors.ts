import { databaseErrorCodes } from '@postrider/db';
import type { BoundedLog } from '@postrider/telemetry';

/** Makes what logs the errors of one kind of fault: its key in the bounded log, and what to say of it. */
export type LogErrors = (key: string, message: string) => (error: unknown) => void;

/** Logs errors at a bounded rate, with the database's codes where they are its own. */
export function createLogErrors(log: BoundedLog): LogErrors {
  return (key, message) => (error) =>
    log.error(key, message, { error, database_codes: databaseErrorCodes(error) });
}
