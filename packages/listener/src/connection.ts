import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerWith, type ListenerError, listenerErrorOf, type Refused, writeError } from './refusals.ts';

/** About 45 short requests or 700 one-byte chunks, which take less than 2 ms of the event loop. */
const SLICE_BYTES = 4 * 1024;

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

/** The listener for the requests of a server with these connections. */
export const serveInOrder =
  (connections: ReadonlyMap<Socket, Connection>, app: RequestListener): RequestListener =>
  (request, response) =>
    connections.get(request.socket)?.take(request, response, app);

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
  /** Whether each response closes the connection, because the server stops. */
  #closes = false;
  #newest: IncomingMessage | null = null;
  /** Body bytes of the newest request that have not arrived yet. */
  #bodyBytesLeft = 0;

  /** Call it in the server's `connection` event, after Node's own listener. */
  constructor(socket: Socket, onRefused: (reason: Refused) => void) {
    this.socket = socket;
    this.#onRefused = onRefused;
    this.#feedInSlices();
  }

  /**
   * Serves a request after those before it. Refuses it if its head is not acceptable, and closes the connection if too many
   * are waiting.
   */
  take(request: IncomingMessage, response: ServerResponse, serve: RequestListener): void {
    // The parser hands over what it has already read even after the connection was given up.
    if (this.#ended || this.socket.destroyed) return;
    if (this.#closes) response.setHeader('Connection', 'close');
    const exchange: Exchange = { request, response, serve };
    const error = headErrorOf(request);
    if (error !== null) exchange.serve = (_request, response) => this.#answer(response, error);
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

  /** Whether the active request has been open for longer than `ms`. */
  isOpenFor(ms: number, now: number): boolean {
    return this.#active !== null && now - this.#since > ms;
  }

  /** Makes the next response close the connection. */
  closeAfterResponse(): void {
    this.#closes = true;
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

  /**
   * Passes what the socket reads to the HTTP parser in slices, and nothing once input is ignored. Otherwise the parser handles a
   * whole read of 64 KiB at once, even after the connection was closed: 2,500 requests or 11,000 chunks block the event loop for
   * 20 ms per connection. The rest of a body of known length is one slice, because the parser handles it as one piece.
   * While a client does not read its responses, Node.js pauses the socket, and its parser throws if it is fed more.
   */
  #feedInSlices(): void {
    const { socket } = this;
    const [feed] = socket.listeners('data') as ((chunk: Buffer) => void)[];
    if (!feed) throw new Error('the HTTP server does not listen to its socket');
    socket.off('data', feed);
    // A listener for `data` also stops the parser from reading the socket directly.
    socket.on('data', (chunk: Buffer) => {
      let start = 0;
      // Not writable: a response has closed the connection, and nothing after it may be served (RFC 9112, section 9.6).
      while (start < chunk.length && socket.writable && !this.#ended && !this.#ignoresInput) {
        if (socket.isPaused()) {
          socket.unshift(chunk.subarray(start));
          return;
        }
        const end = start + Math.max(SLICE_BYTES, this.#bodyBytesLeft);
        feed.call(socket, start === 0 && end >= chunk.length ? chunk : chunk.subarray(start, end));
        start = end;
      }
    });
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

/** Clients send about 20. Node.js 20 silently drops headers beyond its own limit, so we have our own. */
const MAX_HEADERS = 200;

/** The refusal for a request's head; null if it is acceptable. */
function headErrorOf({ rawHeaders, headers, httpVersion }: IncomingMessage): ListenerError | null {
  if (rawHeaders.length > 2 * MAX_HEADERS) return 'headers_too_large';
  if (headers.host === undefined && httpVersion === '1.1') return 'malformed_request';
  // RFC 9112, section 3.2: with two hosts, two servers could understand the same request differently.
  if (countHosts(rawHeaders) > 1) return 'malformed_request';
  return null;
}

/** Names and values alternate. `headersDistinct` would build an object for every request. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** Whether a request has a body; one without needs no guard. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** The bytes of a request's body by its headers; 0 if it has none or comes in chunks. */
function knownLength({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : 0;
}

/**
 * A body may come in this many pieces of any size. After that, the mean size must not fall below `MIN_MEAN_BYTES`: each
 * piece is a Buffer and a few callbacks, so one-byte chunks cost 200 times their size.
 */
const FREE_PIECES = 128;
const MIN_MEAN_BYTES = 16;

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
