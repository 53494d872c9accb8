import { explainConnection } from '@postrider/channels';
import {
  PostriderApiError,
  PostriderConnectionError,
  type PostriderError,
  PostriderTimeoutError,
} from '@postrider/client';
import { CommanderError } from 'commander';
import { EXIT, type ExitCode, SendingEnded, Unsuccessful, UsageError } from './exit-codes.ts';
import { plain } from './output/text.ts';
import type { Session } from './session.ts';

/** The message of a failed command. */
interface Failure {
  readonly exitCode: ExitCode;
  /** For people; null if nothing remains to be said. */
  readonly message: string | null;
  /** For --json. */
  readonly error: { readonly code: string; readonly message: string; readonly [fact: string]: unknown };
}

/** Advice by error code, in addition to the service's own message. */
const ADVICE: Readonly<Record<string, string>> = {
  unauthorized:
    'The token is wrong, has ended or was revoked. Check ADMIN_TOKEN (management) and POSTRIDER_TOKEN (one environment). Without them the token of the profile is used, which postrider login replaces.',
  route_not_found:
    'Check POSTRIDER_URL. The management API only exists if the API was started with an ADMIN_TOKEN.',
  quota_exceeded: 'Raise the plan (postrider plans update) or wait for the next period.',
  payment_required: 'Settle the tenant’s billing (postrider tenants update).',
  validation_failed: 'Fix these issues and run it again.',
  configuration_changed: 'Somebody has changed the configuration meanwhile: run postrider config diff again.',
  unexpected_response: 'Something other than the service responded: check POSTRIDER_URL.',
};

function detailLine({ path, message, line, column }: PostriderApiError['details'][number]): string {
  const position = typeof line === 'number' ? ` (line ${line}, column ${column ?? 1})` : '';
  return `  ${path === '' ? '' : `${plain(path)} `}${plain(message)}${position}`;
}

function adviceOn({ status, code }: PostriderApiError): string | null {
  if (Object.hasOwn(ADVICE, code)) return ADVICE[code] ?? null;
  if (status === 404) return 'Check the id; the list commands show existing ones.';
  if (status === 429 || status === 503) return 'Try again later.';
  return status >= 500 ? 'Try again. If it persists, search for the trace id in the log of the API.' : null;
}

function exitCodeOf({ status }: PostriderApiError): ExitCode {
  if (status === 401 || status === 403) return EXIT.notAllowed;
  if (status === 404) return EXIT.notFound;
  return status === 429 || status === 503 ? EXIT.unavailable : EXIT.failed;
}

function refusal(error: PostriderApiError): Failure {
  const { status, code, details, requestId, traceId } = error;
  const lines = [
    `${code} (${status}): ${plain(error.message)}`,
    ...details.map(detailLine),
    adviceOn(error),
    `Request ${requestId}${traceId === null ? '' : `, trace ${traceId}`}.`,
  ];
  return {
    exitCode: exitCodeOf(error),
    message: lines.filter(Boolean).join('\n'),
    error: { code, message: error.message, status, details, request_id: requestId, trace_id: traceId },
  };
}

/** The cause of a failed connection, such as ECONNREFUSED, which fetch wraps once or twice. */
export function reasonBelow(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  const { cause, code } = error as { cause?: unknown; code?: unknown };
  return reasonBelow(cause) ?? (typeof code === 'string' ? code : null);
}

function outOfReach(error: PostriderError, url: string): Failure {
  const reason = reasonBelow(error);
  const explained = explainConnection(error);
  const message = `${error.message}${reason ? ` (${reason})` : ''}${explained ? ` ${explained}` : ''}`;
  const hint = `Is the service running at ${url}? POSTRIDER_URL or --api-url sets its address.`;
  const key = error.idempotencyKey;
  const again = key === null ? null : `Run it again with --idempotency-key ${key}: nothing is done twice.`;
  return {
    exitCode: EXIT.unavailable,
    message: [message, hint, again].filter(Boolean).join('\n'),
    error: { code: 'unreachable', message, url, ...(key === null ? {} : { idempotency_key: key }) },
  };
}

function wrongUsage(message: string, said = false): Failure {
  return { exitCode: EXIT.usage, message: said ? null : message, error: { code: 'usage', message } };
}

/** Adds how to continue with a file of events. */
function withKey(failure: Failure, { idempotencyKey: key, hasSent }: SendingEnded): Failure {
  const again = hasSent
    ? `Run it again with --idempotency-key ${key}: what was accepted is not sent twice.`
    : 'Nothing was sent.';
  return {
    ...failure,
    message: [failure.message, again].filter(Boolean).join('\n'),
    error: { ...failure.error, idempotency_key: key },
  };
}

/** The message after Ctrl-C: how to continue, or null. */
export function interruption(error: unknown): Failure | null {
  if (!(error instanceof SendingEnded)) return null;
  const message = 'Interrupted.';
  return withKey({ exitCode: EXIT.interrupted, message, error: { code: 'interrupted', message } }, error);
}

/** The message and exit code of an error; null for a bug. */
export function explain(error: unknown, urlOf: () => string): Failure | null {
  if (error instanceof PostriderApiError) return refusal(error);
  if (error instanceof PostriderConnectionError || error instanceof PostriderTimeoutError) {
    return outOfReach(error, urlOf());
  }
  if (error instanceof Unsuccessful) {
    const { message, facts } = error;
    return { exitCode: EXIT.failed, message, error: { code: 'unsuccessful', message, ...facts } };
  }
  if (error instanceof UsageError) return wrongUsage(error.message);
  if (error instanceof SendingEnded) {
    const failure = explain(error.cause, urlOf);
    return failure && withKey(failure, error);
  }
  if (error instanceof CommanderError) return wrongUsage(error.message, true);
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return wrongUsage(`There is no such file: ${path}`);
  if (code === 'EACCES' || code === 'EISDIR') return wrongUsage(`The file cannot be read: ${path}`);
  return null;
}

/**
 * Returns why the service cannot be used for now. Throws any other error, and every error after Ctrl-C. Any 5xx counts, because it may
 * come from a proxy in front of a service that restarts.
 */
export function unavailability({ io, url }: Session, error: unknown): string {
  const failure = io.signal.aborted ? null : explain(error, () => url);
  const isPassing = error instanceof PostriderApiError && error.status >= 500;
  if (!failure || (failure.exitCode !== EXIT.unavailable && !isPassing)) throw error;
  return failure.error.message;
}
