import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type ResolveHost, toSocketLookup } from '../vetted-address.ts';
import type { TlsIdentity } from './tls.ts';

export interface BrokerAddress {
  readonly host: string;
  readonly port: number;
}

interface Limit {
  readonly ms: number;
  /** The error of a connection that is not established in time. */
  readonly error: Error;
}

function openSocket({ host, port }: BrokerAddress, tls: TlsIdentity | null, resolve: ResolveHost): Socket {
  const options = { host, port, lookup: toSocketLookup(resolve) };
  if (!tls) return connectTcp(options);
  const name = isIP(host) === 0 ? { servername: host } : {};
  return connectTls({ ...options, minVersion: 'TLSv1.2', ...name, ...tls });
}

/**
 * Connects to a broker at an allowed address, and runs the handshake of its protocol. The limit covers both. The socket
 * keeps an `error` listener, so that an error at any moment ends the connection and not the process. If the handshake
 * fails, the socket is destroyed. Rejects with the error of the address, the socket or the handshake.
 * @param tls null for a connection without TLS
 * @param handshake called before the first byte is read; it must reject when the socket emits `error` or `end`
 */
export async function connectToBroker<Connection>(
  address: BrokerAddress,
  {
    tls,
    resolve,
    limit,
  }: { readonly tls: TlsIdentity | null; readonly resolve: ResolveHost; readonly limit: Limit },
  handshake: (socket: Socket) => Promise<Connection>,
): Promise<Connection> {
  // Sockets connect to literal addresses without a look-up, so they are checked here.
  if (isIP(address.host) !== 0) await resolve(address.host);
  const socket = openSocket(address, tls, resolve).setNoDelay(true);
  const timer = setTimeout(() => socket.destroy(limit.error), limit.ms);
  try {
    await new Promise<void>((stands, fails) => {
      socket.once(tls ? 'secureConnect' : 'connect', () => stands());
      socket.on('error', fails);
      socket.once('close', () => fails(new Error('the broker closed the connection')));
    });
    return await handshake(socket);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
