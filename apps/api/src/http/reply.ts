import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorCode, type Refusal, refuse, retryLater, UNKNOWN_REQUEST_ID } from '@postrider/domain';
import { ERRORS } from './errors.ts';
import { jsonTextOf, type TextRecord } from './json-text.ts';
import { contextOf } from './request.ts';

/** A header with several values is sent once for each. */
type Headers = Readonly<Record<string, string | readonly string[]>>;

/** A successful response with its bytes. */
export interface Success {
  readonly status: number;
  readonly body: Uint8Array;
  readonly headers?: Headers;
  /**
   * For a response that continues after `body`, such as a stream of events. The function gets the response and ends
   * it.
   */
  readonly follow?: (res: ServerResponse) => void;
}

export type Reply = Success | Refusal;

/** The bytes of a JSON document, in UTF-8. */
export function jsonBytes(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

/** A 200 with a JSON document. */
export function ok(value: unknown): Success {
  return { status: 200, body: jsonBytes(value) };
}

/** A 200 with a JSON document that contains texts of JSON. */
export function okText(value: TextRecord): Success {
  return { status: 200, body: Buffer.from(jsonTextOf(value), 'utf8') };
}

/** A 201 with the created resource. */
export function created(value: unknown): Success {
  return { status: 201, body: jsonBytes(value) };
}

export function noContent(): Success {
  return { status: 204, body: new Uint8Array() };
}

/** Formats a refusal as the error object (docs/specification.md, "Error object"). */
export function formRefusal(refusal: Refusal, requestId: string | null): Success {
  const { status, message } = ERRORS[refusal.refused];
  const error = {
    code: refusal.refused,
    message: refusal.message ?? message,
    request_id: requestId ?? UNKNOWN_REQUEST_ID,
    ...(refusal.details ? { details: refusal.details } : {}),
  };
  return { status, body: jsonBytes({ error }), headers: refusal.headers ?? {} };
}

/** Media type of problem details (RFC 9457). */
export const PROBLEM_JSON = 'application/problem+json';
const ACCEPTS_PROBLEM =
  /(?:^|,)\s*application\/problem\+json\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i;

/** The `type` of a problem: a URN, not an address. */
const problemType = (code: ErrorCode) => `urn:postrider:error:${code}`;

/** Formats a refusal as problem details (docs/specification.md, "Error object"). */
function formProblem(refusal: Refusal, requestId: string | null): Success {
  const { status, message } = ERRORS[refusal.refused];
  const problem = {
    type: problemType(refusal.refused),
    title: message,
    status,
    detail: refusal.message ?? message,
    code: refusal.refused,
    request_id: requestId ?? UNKNOWN_REQUEST_ID,
    ...(refusal.details ? { details: refusal.details } : {}),
  };
  return { status, body: jsonBytes(problem), headers: refusal.headers ?? {} };
}

/** Up to this size the rest of a refused body is discarded, so that the client can read the response. */
const DRAIN_LIMIT_BYTES = 4 * 1024 * 1024;

/** Bodies up to this size are sent in one piece with the headers. Copying a larger one would cost more. */
const MAX_JOINED_BYTES = 16 * 1024;

const latin1Of = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1');

/** RFC 9110 section 8.6: this response has no Content-Length. */
const NO_CONTENT = 204;

/** Discards the rest of a refused body, or closes the connection if the client sends too much. */
function drain(req: IncomingMessage): void {
  if (req.readableEnded || req.destroyed) return;
  let drained = 0;
  req.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > DRAIN_LIMIT_BYTES) req.destroy();
  });
}

/**
 * Sends a reply unchanged. A refusal gets its status from the error table and the request id, and is sent as problem
 * details if `Accept` names them.
 */
export function send(req: IncomingMessage, res: ServerResponse, reply: Reply): void {
  const context = contextOf(res);
  if ('refused' in reply) context.facts.error_code = reply.refused;
  const isProblem = 'refused' in reply && ACCEPTS_PROBLEM.test(req.headers.accept ?? '');
  const form = isProblem ? formProblem : formRefusal;
  const { status, body, headers, follow } = 'refused' in reply ? form(reply, context.requestId) : reply;
  const lines = Object.entries(headers ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [name, value] : value.flatMap((each) => [name, each]),
  );
  if (status !== NO_CONTENT && !follow) {
    const type = isProblem ? PROBLEM_JSON : 'application/json; charset=utf-8';
    lines.push('Content-Type', type, 'Content-Length', String(body.byteLength));
  }
  // Not one of the lines, which would replace the `Vary: Origin` of CORS.
  if (isProblem) res.appendHeader('Vary', 'Accept');
  // Overrides headers that were set before.
  res.writeHead(status, lines);
  if (follow) {
    if (req.method === 'HEAD') res.end();
    else {
      res.write(body);
      follow(res);
    }
    return;
  }
  drain(req);
  // One text, which Node sends with the headers in one piece. Latin-1 has a character for each byte.
  if (body.byteLength <= MAX_JOINED_BYTES) res.end(latin1Of(body), 'latin1');
  else res.end(body);
}

/** RFC 6750 section 2.1. The scheme is case-insensitive (RFC 9110 section 11.1). */
const BEARER = /^bearer +(\S+)$/i;

/** The bearer token of an Authorization header, or undefined. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1];
}

/** The 401 of every protected route. It is the same for every cause, so that it reveals nothing about tokens. */
export const UNAUTHORIZED = refuse('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } });

/** The 503 to a client that would follow something in a process that stops: another process accepts it. */
export const STOPPING = retryLater('service_unavailable', 1, 'The process is stopping: connect again.');
