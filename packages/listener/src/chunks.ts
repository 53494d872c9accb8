import type { IncomingMessage } from 'node:http';

/**
 * A body may come in this many pieces of any size; after them the mean must not fall below `MIN_MEAN_BYTES`. Each
 * piece is a Buffer of its own and a few callbacks, so that one-byte chunks cost 200 times their size.
 */
const FREE_PIECES = 128;
const MIN_MEAN_BYTES = 16;

/** Whether a request has a body; one without needs no guard. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * Calls `onAbsurd` once when a body comes in far more pieces than its size explains, and drops what follows.
 * It counts where the parser hands the pieces over, so the bound also holds for bodies that nobody reads yet.
 */
export function guardChunks(request: IncomingMessage, onAbsurd: () => void): void {
  let pieces = 0;
  let bytes = 0;
  let dropping = false;
  const push = request.push;
  // The parser calls `push` as a method; Express changes the prototype of a request, not its own properties.
  request.push = (chunk: Buffer | null): boolean => {
    if (chunk === null) return dropping ? false : push.call(request, null);
    if (dropping) return true;
    pieces += 1;
    bytes += chunk.length;
    if (pieces <= FREE_PIECES + bytes / MIN_MEAN_BYTES) return push.call(request, chunk);
    dropping = true;
    onAbsurd();
    return true;
  };
}
