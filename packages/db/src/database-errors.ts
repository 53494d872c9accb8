/**
 * SQLSTATE classes 08 (connection), 28 (sign-in), 53 (resources), 57P (shutdown) and 58 (the server's system), 3D000 (no such
 * database), 25006 (a replica, after a failover), 42P01 and 42703 (no such table or column: the database lacks migrations),
 * 25P03 and 57014 (a time limit), 55P03 (a row stayed locked), 0A000 (for this service always a statement prepared
 * before a migration), 26000 and 42P05 (a statement prepared in another session, by a pooler), Node's socket
 * errors, also for want of descriptors, and the kinds that Prisma's driver adapter gives them: PostgreSQL cannot execute any statement now.
 */
const UNREACHABLE =
  /^(08|28|3D000|53|58|0A000|25006|25P03|26000|42703|42P01|42P05|55P03|57014|57P)|^(ECONNREFUSED|ECONNRESET|EAI_AGAIN|EHOSTUNREACH|EMFILE|ENFILE|ENETUNREACH|ENOTFOUND|EPIPE|ETIMEDOUT|POSTRIDER_OVERLOADED|P1000|P1001|P1002|P1003|P1008|P1010|P1017|P2024|P2028)$|^(AuthenticationFailed|DatabaseAccessDenied|DatabaseDoesNotExist|DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/;
/** What Node.js and Prisma's driver adapter call a certificate that was refused, by either side, and a handshake that failed. */
const TLS_FAILED =
  /^((CERT|CRL|ERR_SSL|ERR_TLS|UNABLE_TO)_[0-9A-Z_]+|DEPTH_ZERO_SELF_SIGNED_CERT|EPROTO|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|P1011|SELF_SIGNED_CERT_IN_CHAIN|TlsConnectionError)$/;
/** The driver's errors for a server without TLS have no code. An error of a statement has an SQLSTATE, and quotes what its sender chose. */
const TLS_FAILED_TEXT = /does not support SSL connections|establishing an SSL connection/;
const UNREACHABLE_TEXT =
  /connection terminated|timeout expired|timeout exceeded when trying to connect|server closed the connection|can't reach database|query read timeout|stopped responding|not queryable/i;

/** SQLSTATE of a wait for a lock that outlasted `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Severities with which PostgreSQL refuses or ends a session, whatever the code says: a full disk does so with XX000. */
const ENDS_SESSION = /^(FATAL|PANIC)$/;

/** The strings in fields of an error and its causes, outermost first. */
function fieldsOfCauses(error: unknown, fields: readonly string[]): string[] {
  const found: string[] = [];
  let current: unknown = error;
  for (let depth = 0; current && typeof current === 'object' && depth < 8; depth += 1) {
    const values = current as Record<string, unknown>;
    for (const field of fields) {
      const value = values[field];
      if (typeof value === 'string') found.push(value);
    }
    current = values.cause ?? (values.meta as Record<string, unknown> | undefined)?.driverAdapterError;
  }
  return found;
}

/** The codes and kinds carried by an error and its causes, outermost first. */
export const databaseErrorCodes = (error: unknown): string[] =>
  fieldsOfCauses(error, ['code', 'originalCode', 'kind']);

/** Whether a statement ended because another transaction kept a row locked. PostgreSQL does not say which row. */
export const isLockNotAvailable = (error: unknown): boolean =>
  databaseErrorCodes(error).includes(LOCK_NOT_AVAILABLE);

/** An SQLSTATE. Codes of Prisma start differently, except for P0. */
export const SQLSTATE = /^(?!P[1-9])[0-9A-Z]{5}$/;

function isTlsFailure(error: unknown): boolean {
  const codes = databaseErrorCodes(error);
  if (codes.some((code) => TLS_FAILED.test(code))) return true;
  if (codes.some((code) => SQLSTATE.test(code))) return false;
  return fieldsOfCauses(error, ['message']).some((message) => TLS_FAILED_TEXT.test(message));
}

/** Whether a statement names a table that does not exist. */
export const isTableMissing = (error: unknown): boolean => databaseErrorCodes(error).includes('42P01');

/** Whether PostgreSQL cannot be reached now, as opposed to rejecting a statement. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (databaseErrorCodes(error).some((code) => UNREACHABLE.test(code))) return true;
  if (isTlsFailure(error)) return true;
  if (fieldsOfCauses(error, ['severity']).some((severity) => ENDS_SESSION.test(severity))) return true;
  const message = (error as { message?: unknown } | null)?.message;
  return typeof message === 'string' && UNREACHABLE_TEXT.test(message);
}

/** Outages that an operator has to end, by SQLSTATE, Prisma's code, or the kind of its adapter. */
const NAMED_OUTAGES: readonly (readonly [RegExp, string])[] = [
  [/^25006$/, 'read-only'],
  [/^53100$/, 'disk full'],
  [/^(53300|TooManyConnections)$/, 'too many connections'],
  [/^(28[0-9A-Z]{3}|P1000|P1010|AuthenticationFailed|DatabaseAccessDenied)$/, 'login refused'],
  [/^(3D000|P1003|DatabaseDoesNotExist)$/, 'no such database'],
  [/^(42703|42P01)$/, 'migrations missing'],
];
/** A statement waited too long for a lock or a connection, or was prepared elsewhere: others may succeed. */
const OF_ONE_STATEMENT = /^(0A000|25P03|26000|42P05|55P03|57014|POSTRIDER_OVERLOADED|P2024|P2028)$/;
const NO_FREE_CONNECTION = /timeout exceeded when trying to connect/i;

/**
 * Why PostgreSQL executes no statement, or no write, in a few words for operators. Null if the error says nothing about other
 * statements.
 */
export function describeOutage(error: unknown): string | null {
  const codes = databaseErrorCodes(error);
  const named = NAMED_OUTAGES.find(([pattern]) => codes.some((code) => pattern.test(code)));
  if (named) return named[1];
  if (isTlsFailure(error)) return 'TLS failed';
  const message = String((error as { message?: unknown } | null)?.message);
  const isOfOne = codes.some((code) => OF_ONE_STATEMENT.test(code)) || NO_FREE_CONNECTION.test(message);
  return isDatabaseUnreachable(error) && !isOfOne ? 'unreachable' : null;
}

/** The fields of a log line about an error, see {@link describeOutage} and {@link databaseErrorCodes}. */
export const describeDatabaseError = (error: unknown) => ({
  postgres: describeOutage(error),
  database_codes: databaseErrorCodes(error),
});

/** SQLSTATE class 40 (deadlocks and serialization failures), and Prisma's codes for them. */
const CONFLICT = /^(40[0-9A-Z]{3}|P2034|TransactionWriteConflict)$/;

/**
 * Whether PostgreSQL rolled the transaction back because of a concurrent one. Nothing was written, and it can be tried
 * again. This is not an outage, see {@link isDatabaseUnreachable}.
 */
export function isTransactionConflict(error: unknown): boolean {
  return databaseErrorCodes(error).some((code) => CONFLICT.test(code));
}
