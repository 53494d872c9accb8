import type { Socket } from 'node:net';

/** Some 45 short requests or 700 chunks of one byte: less than 2 ms of the event loop. */
const SLICE_BYTES = 4 * 1024;

/**
 * Gives the HTTP parser what the socket reads in slices, and nothing more once `isOver`. The parser takes a whole read of
 * 64 KiB otherwise, even after the connection was closed: 2,500 requests or 11,000 chunks, which hold the event loop for 20 ms
 * a connection. To be called in the server's `connection` event, for which Node's HTTP server has its listener in place.
 */
export function feedInSlices(socket: Socket, isOver: () => boolean): void {
  const [feed] = socket.listeners('data') as ((chunk: Buffer) => void)[];
  if (!feed) throw new Error('the HTTP server does not listen to its socket');
  socket.off('data', feed);
  // Also ends the shortcut by which the parser reads the socket past its events.
  socket.on('data', (chunk: Buffer) => {
    for (let start = 0; start < chunk.length && !socket.destroyed && !isOver(); start += SLICE_BYTES) {
      feed.call(socket, chunk.length <= SLICE_BYTES ? chunk : chunk.subarray(start, start + SLICE_BYTES));
    }
  });
}
