import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
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

/** Does the same on a connection whose input did not result in a request. */
function writeError(code: ListenerError, socket: Socket): void {
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
function listenerErrorOf({ code }: { readonly code?: string }): ListenerError {
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

/**
 * A body may come in this many pieces of any size. After that, the mean size must not fall below `MIN_MEAN_BYTES`: each
 * piece is a Buffer and a few callbacks, so one-byte chunks cost 200 times their size.
 */
const FREE_PIECES = 128;
const MIN_MEAN_BYTES = 16;

/** Whether a request has a body; one without needs no guard. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** The bytes of a request's body by its headers; 0 if it has none or comes in chunks. */
function knownLength({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : 0;
}

/**
 * Calls `onPiece` with the length of each piece, and `onMalformed` once if a body comes in far too many pieces for its
 * size; it then drops the rest. It counts where the parser hands pieces over, so the bound also holds for bodies that
 * the application does not read yet.
 */
function guardChunks(
  request: IncomingMessage,
  { onPiece, onMalformed }: { onPiece: (bytes: number) => void; onMalformed: () => void },
): void {
  let pieces = 0;
  let bytes = 0;
  let dropping = false;
  const push = request.push;
  // The parser calls `push` as a method; Express changes the prototype of a request, not its own properties.
  request.push = (chunk: Buffer | null): boolean => {
    if (chunk === null) return dropping ? false : push.call(request, null);
    onPiece(chunk.length);
    if (dropping) return true;
    pieces += 1;
    bytes += chunk.length;
    if (pieces <= FREE_PIECES + bytes / MIN_MEAN_BYTES) return push.call(request, chunk);
    dropping = true;
    onMalformed();
    return true;
  };
}

/**
 * Requests that may wait on a connection while one is served. Clients that pipeline send a few; Node's parser hands
 * over all requests in one read of 64 KiB, up to about 2,500.
 */
const MAX_WAITING = 8;

/** The parser's error if the client closes its side in the middle of a request: no client waits for a response. */
const CLIENT_ENDED = 'HPE_INVALID_EOF_STATE';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  serve: RequestListener;
}

/**
 * A connection and its requests. It has these states:
 *
 * ## Idle
 *
 * No request is open. The next one is served at once.
 *
 * ## Serving
 *
 * The application has one request. Up to 8 others wait, and the next is served when the response is written.
 *
 * ## Refusing
 *
 * The parser could not read the input (`#final`), or a body was malformed (`#ignoresInput`). Earlier requests are still
 * served, then the refusal is written.
 *
 * ## Ended
 *
 * Nothing more is served. Waiting requests are dropped: the application has not seen them.
 */
export class Connection {
  readonly socket: Socket;
  readonly #onRefused: (reason: Refused) => void;
  readonly #waiting: Exchange[] = [];
  #active: Exchange | null = null;
  /** When the active request began, in milliseconds of the monotonic clock. */
  #since = 0;
  /** The answer to input that the parser could not read; it follows the answers to earlier requests. */
  #final: ListenerError | null = null;
  #ended = false;
  /** Whether further input is ignored, because no request after a malformed body can be served. */
  #ignoresInput = false;
  #newest: IncomingMessage | null = null;
  /** Body bytes of the newest request that have not arrived yet. */
  #bodyBytesLeft = 0;

  constructor(socket: Socket, onRefused: (reason: Refused) => void) {
    this.socket = socket;
    this.#onRefused = onRefused;
  }

  /** Serves a request after those before it; refuses it if too many are waiting. */
  take(request: IncomingMessage, response: ServerResponse, serve: RequestListener): void {
    // The parser hands over what it has already read even after the connection was given up.
    if (this.#ended || this.socket.destroyed) return;
    const exchange = { request, response, serve };
    this.#newest = request;
    this.#bodyBytesLeft = knownLength(request);
    if (hasBody(request)) {
      guardChunks(request, {
        onPiece: (bytes) => {
          this.#bodyBytesLeft -= bytes;
        },
        onMalformed: () => {
          this.#ignoresInput = true;
          this.#refuse(exchange, 'malformed_request');
        },
      });
    }
    if (this.#active === null) this.#begin(exchange);
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push(exchange);
    else this.giveUp('too_many_pipelined');
  }

  /** Answers an error of Node's parser or timers. If the client has ended the connection, just closes it. */
  fail(error: Error & { readonly code?: string }): void {
    if (this.#ended || this.#final !== null) return;
    if (error.code === 'ECONNRESET' || this.socket.destroyed) {
      this.socket.destroy();
      return;
    }
    const refused = listenerErrorOf(error);
    const last = this.#waiting.at(-1) ?? this.#active;
    if (last !== null && !last.request.complete) {
      if (error.code === CLIENT_ENDED) this.socket.destroy();
      else this.#refuse(last, refused);
    } else if (last !== null) this.#final = refused;
    else this.#end(refused);
  }

  /** Closes the connection at once. */
  giveUp(reason: Refused): void {
    this.#ended = true;
    this.#waiting.length = 0;
    this.#onRefused(reason);
    this.socket.destroy();
  }

  /** Whether further input is ignored: the connection has ended, or a body was malformed. */
  ignoresInput(): boolean {
    return this.#ended || this.#ignoresInput;
  }

  /** The number of body bytes that come next on the connection; 0 or less if it is unknown. */
  bodyBytesLeft(): number {
    return this.#bodyBytesLeft;
  }

  /** Whether the active request has been open for longer than `ms`. */
  isOpenFor(ms: number, now: number): boolean {
    return this.#active !== null && now - this.#since > ms;
  }

  /** Makes the next response close the connection. */
  closeAfterResponse(): void {
    for (const { response } of [...(this.#active ? [this.#active] : []), ...this.#waiting]) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
  }

  /** Call this on the socket's `close`. */
  dispose(): void {
    this.#ended = true;
    this.#waiting.length = 0;
    this.#active = null;
    this.#newest = null;
  }

  #begin(exchange: Exchange): void {
    this.#active = exchange;
    this.#since = performance.now();
    exchange.response.once('close', this.#next);
    // The application may be async, and an unhandled rejection would end the process. One can come from a response
    // that was replaced by a refusal meanwhile, for example because the body turned out to be malformed.
    try {
      const served: unknown = exchange.serve(exchange.request, exchange.response);
      if (served instanceof Promise) served.catch(() => this.giveUp('request_failed'));
    } catch {
      this.giveUp('request_failed');
    }
  }

  readonly #next = (): void => {
    // Node.js drops what is left of an unread body without calling `push`: its bytes can no longer be counted.
    if (this.#active?.request === this.#newest) this.#bodyBytesLeft = 0;
    this.#active = null;
    if (this.#ended || this.socket.destroyed || this.socket.writableEnded) return;
    const exchange = this.#waiting.shift();
    if (exchange) this.#begin(exchange);
    else if (this.#final !== null) this.#end(this.#final);
  };

  /** Answers a request with a refusal when its turn comes. Later requests are not served. */
  #refuse(exchange: Exchange, code: ListenerError): void {
    if (exchange !== this.#active) {
      exchange.serve = (_request, response) => this.#answer(response, code);
      return;
    }
    if (exchange.response.headersSent) this.giveUp(code);
    else this.#answer(exchange.response, code);
  }

  #answer(response: ServerResponse, code: ListenerError): void {
    this.#onRefused(code);
    answerWith(code, response);
  }

  #end(code: ListenerError): void {
    this.#ended = true;
    this.#onRefused(code);
    writeError(code, this.socket);
  }
}
