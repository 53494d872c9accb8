import { connect, isIP, type Socket } from 'node:net';
import { type ResolveHost, toSocketLookup } from '../../../vetted-address.ts';

/**
 * Opens a TCP connection to one of the host's allowed addresses. Rejects with an AddressError or the socket's error.
 */
export type OpenSocket = (target: { host: string; port: number }, timeoutMs: number) => Promise<Socket>;

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** Whether the server is on this machine, so that credentials may be sent without TLS. */
export function isLoopback(socket: Socket): boolean {
  return LOOPBACK.test(socket.remoteAddress ?? '');
}

/** Creates the opener. Literal addresses are checked first, names in the look-up that the socket makes. */
export function createSocketOpener(resolve: ResolveHost): OpenSocket {
  const lookup = toSocketLookup(resolve);
  return async ({ host, port }, timeoutMs) => {
    if (isIP(host) !== 0) await resolve(host);
    return new Promise((fulfil, reject) => {
      const socket = connect({ host, port, lookup });
      const timer = setTimeout(() => {
        socket.destroy(Object.assign(new Error('connecting took too long'), { code: 'ETIMEDOUT' }));
      }, timeoutMs);
      socket.once('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      socket.once('connect', () => {
        clearTimeout(timer);
        socket.removeAllListeners('error');
        fulfil(socket);
      });
    });
  };
}
