import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Refusals of requests that no application sees, by `error.code`: status and message. The API's table of errors
 * includes them.
 */
export const LISTENER_ERRORS = {
  malformed_request: { status: 400, message: 'The request is not well-formed HTTP.' },
  request_timeout: { status: 408, message: 'The request did not arrive in time.' },
  expectation_failed: { status: 417, message: 'Only the expectation 100-continue can be met.' },
  headers_too_large: { status: 431, message: 'The headers are too large or too many.' },
} as const;

export type ListenerError = keyof typeof LISTENER_ERRORS;

const REASONS: Readonly<Record<ListenerError, string>> = {
  malformed_request: 'Bad Request',
  request_timeout: 'Request Timeout',
  expectation_failed: 'Expectation Failed',
  headers_too_large: 'Request Header Fields Too Large',
};

/** How long a client that is still sending has to read the answer before its connection is reset. */
const LINGER_MS = 1_000;

function formed(code: ListenerError): { status: number; headers: [string, string][]; body: string } {
  const { status, message } = LISTENER_ERRORS[code];
  const body = JSON.stringify({ error: { code, message, request_id: 'unknown' } });
  const headers: [string, string][] = [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Cache-Control', 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Connection', 'close'],
  ];
  return { status, headers, body };
}

/**
 * Answers a request with an error object, and closes its connection. Headers that the application has set are sent too,
 * unless the error has its own.
 */
export function answerWith(code: ListenerError, response: ServerResponse): void {
  const { status, headers, body } = formed(code);
  // Replaces headers that are set.
  response.writeHead(status, headers.flat());
  response.end(body);
}

/** Answers with an error object on a connection whose input did not result in a request, and closes it. */
export function writeError(code: ListenerError, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = formed(code);
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[code]}\r\nDate: ${new Date().toUTCString()}\r\n${lines}\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** The refusal for an error of Node's parser or timers. */
export function listenerErrorOf({ code }: { readonly code?: string }): ListenerError {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'malformed_request';
}

/** Why a connection was closed or not accepted, for counting. */
export const REFUSED = [
  ...(Object.keys(LISTENER_ERRORS) as ListenerError[]),
  'too_many_connections',
  'too_many_connections_of_address',
  'too_many_pipelined',
  'exchange_too_slow',
  /** The application threw or rejected instead of answering. */
  'request_failed',
] as const;
export type Refused = (typeof REFUSED)[number];
