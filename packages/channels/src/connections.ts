import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { LRUCache } from '@postrider/domain';
import { limitHandshakes, TLS_OPTIONS, type TlsIdentity } from './certificates.ts';
import { type ResolveHost, toSocketLookup } from './host.ts';
import type { Delivery } from './sender.ts';

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

interface Limit {
  readonly ms: number;
  /** The error of a connection that is not established in time. */
  readonly error: Error;
}

interface Access {
  /** Null for a connection without TLS. */
  readonly tls: TlsIdentity | null;
  readonly resolve: ResolveHost;
}

function openSocket({ host, port }: ServerAddress, tls: TlsIdentity | null, resolve: ResolveHost): Socket {
  const options = { host, port, lookup: toSocketLookup(resolve) };
  if (!tls) return connectTcp(options);
  const name = isIP(host) === 0 ? { servername: host } : {};
  return limitHandshakes(connectTls({ ...options, ...TLS_OPTIONS, ...name, ...tls }));
}

/**
 * Connects to a server at an allowed address, with TLS if the connection has an identity. The socket keeps an `error`
 * listener, so that an error at any moment ends the connection and not the process. Rejects with the error of the address
 * or the socket.
 * @param signal destroys the socket with its reason, also after it was returned
 */
export async function connectSocket(
  address: ServerAddress,
  { tls, resolve }: Access,
  signal: AbortSignal,
): Promise<Socket> {
  // Sockets connect to literal addresses without a look-up, so they are checked here.
  if (isIP(address.host) !== 0) await resolve(address.host);
  signal.throwIfAborted();
  const socket = openSocket(address, tls, resolve).setNoDelay(true);
  signal.addEventListener('abort', () => socket.destroy(signal.reason), { once: true });
  return new Promise((connected, failed) => {
    socket.once(tls ? 'secureConnect' : 'connect', () => connected(socket));
    socket.on('error', failed);
    socket.once('close', () => failed(new Error('the server closed the connection')));
  });
}

/**
 * Connects like {@link connectSocket} and runs the handshake of a protocol, if there is one. The limit covers both. If the
 * handshake fails, the socket is destroyed. Rejects with the error of the address, the socket or the handshake.
 * @param handshake called before the first byte is read; it must reject when the socket emits `error` or `end`
 */
export async function connectInTime<Connection>(
  address: ServerAddress,
  { limit, ...access }: Access & { readonly limit: Limit },
  handshake: (socket: Socket) => Promise<Connection>,
): Promise<Connection> {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(limit.error), limit.ms);
  try {
    return await handshake(await connectSocket(address, access, end.signal));
  } catch (error) {
    end.abort(error);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** What a connection is kept for: a channel, or a mail account of one. Changing the channel increases the revision. */
type Owner = Pick<Delivery<unknown>['channel'], 'id' | 'revision'>;

/** A connection, or several, that a channel keeps open between deliveries. */
interface Kept {
  /** Whether new deliveries may use it. Always, if left out. */
  isUsable?(): boolean;
  /** Closes it as soon as no delivery uses it. */
  close(): void;
}

/**
 * Keeps one connection, or set of connections, per owner. It is replaced after a change of the channel and when it is
 * broken.
 * @param max the least recently used one is closed beyond this number
 */
export function createConnectionCache<Connection extends Kept>(max: number) {
  const open = new LRUCache<string, { revision: number; connection: Connection }>({
    max,
    dispose: ({ connection }) => connection.close(),
  });
  return {
    get({ id, revision }: Owner, connect: () => Connection): Connection {
      const existing = open.get(id);
      if (existing?.revision === revision && (existing.connection.isUsable?.() ?? true))
        return existing.connection;
      const connection = connect();
      open.set(id, { revision, connection });
      return connection;
    },
    close: () => open.clear(),
  };
}
