import type { IncomingMessage } from 'node:http';

export type ReadBody =
  | { readonly outcome: 'read'; readonly bytes: Uint8Array }
  | { readonly outcome: 'too_large' };

/** The client went away while it was sending its body: nobody is there to be answered. */
export class ClientGoneError extends Error {
  constructor() {
    super('the client closed the connection while it was sending the body');
  }
}

/** The first room for a body that comes in several pieces; it doubles as needed. */
const FIRST_ROOM_BYTES = 16 * 1024;

/** Collects pieces in one Buffer: a small Buffer that is kept for each piece would cost many times its bytes. */
class Collected {
  #room: Buffer = Buffer.alloc(0);
  #size = 0;

  add(piece: Buffer, limit: number): void {
    const size = this.#size + piece.length;
    if (this.#size === 0) this.#room = piece;
    else {
      if (size > this.#room.length) this.#grow(size, limit);
      piece.copy(this.#room, this.#size);
    }
    this.#size = size;
  }

  bytes(): Uint8Array {
    return this.#room.subarray(0, this.#size);
  }

  #grow(size: number, limit: number): void {
    const larger = Buffer.allocUnsafeSlow(
      Math.max(size, Math.min(limit, Math.max(2 * this.#room.length, FIRST_ROOM_BYTES))),
    );
    this.#room.copy(larger, 0, 0, this.#size);
    this.#room = larger;
  }
}

/**
 * Reads a request's raw body of at most `limit` bytes. A longer one is known by its Content-Length, or by the
 * first byte too many; nothing of it is kept, and reading the rest is left to the caller.
 * @throws ClientGoneError when the client hangs up before the end.
 */
export async function readBody(req: IncomingMessage, limit: number): Promise<ReadBody> {
  if (Number(req.headers['content-length'] ?? 0) > limit) return { outcome: 'too_large' };
  return new Promise((resolve, reject) => {
    const collected = new Collected();
    let size = 0;

    function settle(act: () => void): void {
      req.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      act();
    }
    function onData(chunk: Buffer): void {
      size += chunk.length;
      if (size > limit) settle(() => resolve({ outcome: 'too_large' }));
      else collected.add(chunk, limit);
    }
    function onEnd(): void {
      settle(() => resolve({ outcome: 'read', bytes: collected.bytes() }));
    }
    function onGone(): void {
      settle(() => {
        // A destroyed request may still emit an error, which would be nobody's.
        req.on('error', () => undefined);
        reject(new ClientGoneError());
      });
    }
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}
