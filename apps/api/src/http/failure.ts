import type { IncomingMessage, ServerResponse } from 'node:http';
import { isNativeError } from 'node:util/types';
import { databaseErrorCodes, describeOutage, isDatabaseUnreachable } from '@postrider/db';
import { type Refusal, refuse, send } from './reply.ts';
import { ClientGoneError, contextOf } from './request.ts';

/** Seconds after which a client may retry while Postgres is unreachable. A failover takes a few seconds. */
const UNAVAILABLE_RETRY_AFTER_S = 2;

/** Called with each internal error, for the log. */
export type ReportFailure = (failure: Readonly<Record<string, unknown>>) => void;

/** The loggable part of an error. Messages of the database layer quote parameters, so they are left out. */
function describe(error: unknown): Readonly<Record<string, unknown>> {
  if (!isNativeError(error)) return { error: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  const fromDatabase = error.name.startsWith('Prisma') || databaseErrorCodes(error).length > 0;
  const postgres = describeOutage(error);
  return {
    error: error.name,
    ...(postgres === null ? {} : { postgres }),
    ...(fromDatabase ? { database_codes: databaseErrorCodes(error) } : { reason: error.message }),
    stack: frames.slice(0, 12).map((line) => line.trim()),
  };
}

function toRefusal(error: unknown): Refusal {
  // The router could not decode the path, so there is no such resource.
  if (isNativeError(error) && error.name === 'URIError') return refuse('route_not_found');
  if (isDatabaseUnreachable(error)) {
    return refuse('service_unavailable', { headers: { 'Retry-After': String(UNAVAILABLE_RETRY_AFTER_S) } });
  }
  return refuse('internal_error');
}

/**
 * Responds to a thrown error: 503 if Postgres cannot be used, 404 for a path that cannot be decoded, otherwise 500
 * without internal details, which are reported instead.
 */
export function answerFailure(
  report: ReportFailure,
): (error: unknown, req: IncomingMessage, res: ServerResponse) => void {
  return (error, req, res) => {
    if (error instanceof ClientGoneError || res.headersSent) {
      res.destroy();
      return;
    }
    const { requestId, traceId } = contextOf(res);
    const refusal = toRefusal(error);
    if (refusal.refused !== 'route_not_found') {
      report({ error_code: refusal.refused, request_id: requestId, trace_id: traceId, ...describe(error) });
    }
    send(req, res, refusal);
  };
}
