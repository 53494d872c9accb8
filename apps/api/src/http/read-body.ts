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

/**
 * Reads a request's raw body of at most `limit` bytes. A longer one is known by its Content-Length, or by the
 * first byte too many; nothing of it is kept, and reading the rest is left to the caller.
 * @throws ClientGoneError when the client hangs up before the end.
 */
export async function readBody(req: IncomingMessage, limit: number): Promise<ReadBody> {
  if (Number(req.headers['content-length'] ?? 0) > limit) return { outcome: 'too_large' };
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;

    function settle(act: () => void): void {
      req.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      act();
    }
    function onData(chunk: Buffer): void {
      size += chunk.length;
      if (size > limit) settle(() => resolve({ outcome: 'too_large' }));
      else chunks.push(chunk);
    }
    function onEnd(): void {
      settle(() => resolve({ outcome: 'read', bytes: Buffer.concat(chunks, size) }));
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
