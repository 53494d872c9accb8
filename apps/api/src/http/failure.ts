import type { IncomingMessage, ServerResponse } from 'node:http';
import { isNativeError } from 'node:util/types';
import { databaseErrorCodes, describeOutage, isDatabaseUnreachable, isSpentByOwner } from '@postrider/db';
import type { ErrorCode } from '@postrider/domain';
import { type Refusal, refuse, send } from './reply.ts';
import { ClientGoneError, contextOf } from './request.ts';

/** Seconds after which a client may retry while Postgres is unreachable. A failover takes a few seconds. */
const UNAVAILABLE_RETRY_AFTER_S = 2;

/** These are no failures of the service; the log line of the request has their status. */
const OF_THE_CLIENT: ReadonlySet<ErrorCode> = new Set(['route_not_found', 'rate_limited']);

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
  const headers = { 'Retry-After': String(UNAVAILABLE_RETRY_AFTER_S) };
  if (isSpentByOwner(error)) {
    return refuse('rate_limited', {
      message: 'Too many of your reads wait for the database: wait as long as Retry-After says.',
      headers,
    });
  }
  if (isDatabaseUnreachable(error)) return refuse('service_unavailable', { headers });
  return refuse('internal_error');
}

/**
 * Responds to a thrown error: 503 if Postgres cannot be used, 429 if the tenant's own reads use its connections, 404 for
 * a path that cannot be decoded, otherwise 500 without internal details, which are reported instead.
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
    if (!OF_THE_CLIENT.has(refusal.refused)) {
      report({ error_code: refusal.refused, request_id: requestId, trace_id: traceId, ...describe(error) });
    }
    send(req, res, refusal);
  };
}
