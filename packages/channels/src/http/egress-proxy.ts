import { type Agent as HttpAgent, request as httpRequest } from 'node:http';
import { type Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { limitHandshakes } from '../certificates.ts';
import { explainConnection } from '../connection-errors.ts';
import { addressOf, hostPort, type ResolveHost, tunnelTargets, withoutBrackets } from '../host.ts';

/** An HTTP proxy for outgoing connections, so that receivers see known addresses. */
export interface EgressProxy {
  /** http or https, without credentials. The operator chose the proxy, so its address is not checked by the policy. */
  readonly url: URL;
  /** For `Basic` (RFC 7617); null if the proxy needs none. */
  readonly credentials: { readonly username: string; readonly password: string } | null;
}

/** The proxy did not open a tunnel: nothing was sent to the endpoint. `code` survives wrapping by the HTTP client. */
class ProxyError extends Error {
  readonly code = 'POSTRIDER_PROXY_FAILED';

  constructor(message: string) {
    super(message);
    this.name = 'ProxyError';
  }
}

/** Time limit of opening a tunnel, in milliseconds, from the connection to the proxy to its response. */
const TUNNEL_TIMEOUT_MS = 10_000;

/**
 * Opens a tunnel (CONNECT, RFC 9110 section 9.3.6). The name is resolved and checked here and the proxy gets the
 * address, so that it cannot resolve the name differently and bypass the address policy.
 */
async function openTunnel(
  proxy: EgressProxy,
  resolve: ResolveHost,
  { host, port }: { host: string; port: number | string },
): Promise<Socket> {
  const [first] = await resolve(withoutBrackets(host));
  if (!first) throw new ProxyError('The host name has no address.');
  const target = hostPort(first.address, port);
  const { url, credentials } = proxy;
  const token =
    credentials && Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
  const connecting = (url.protocol === 'https:' ? httpsRequest : httpRequest)({
    method: 'CONNECT',
    host: withoutBrackets(url.hostname),
    port: url.port || (url.protocol === 'https:' ? 443 : 80),
    path: target,
    headers: { host: target, ...(token === null ? {} : { 'proxy-authorization': `Basic ${token}` }) },
    agent: false,
    signal: AbortSignal.timeout(TUNNEL_TIMEOUT_MS),
  });
  return new Promise((settle, reject) => {
    const fail = (reason: string) => reject(new ProxyError(`The egress proxy opened no tunnel (${reason}).`));
    connecting.once('connect', ({ statusCode = 0 }, socket, head) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy();
        return fail(`HTTP ${statusCode}`);
      }
      if (head.length > 0) socket.unshift(head);
      tunnelTargets.set(socket, target);
      settle(socket);
    });
    connecting.once('response', ({ statusCode }) => {
      connecting.destroy();
      fail(`HTTP ${statusCode}`);
    });
    connecting.once('error', (error: NodeJS.ErrnoException) =>
      fail([error.code ?? 'unknown error', explainConnection(error)].filter(Boolean).join(': ')),
    );
    connecting.end();
  });
}

/** Callback of an agent for a new connection. */
type OnConnection = (error: Error | null, stream: Duplex) => void;

/** Makes the agents connect through the proxy. TLS is end to end with the endpoint: the proxy sees only its bytes. */
export function connectThrough(
  proxy: EgressProxy,
  { http, https }: { readonly http: HttpAgent; readonly https: HttpsAgent },
  resolve: ResolveHost,
): void {
  const open = (
    { host, port }: { host?: string | null | undefined; port?: string | number | null | undefined },
    { defaultPort, use }: { defaultPort: number; use: (socket: Socket) => Socket },
    opened: OnConnection | undefined,
  ): undefined => {
    openTunnel(proxy, resolve, { host: host ?? '', port: port ?? defaultPort }).then(
      (socket) => opened?.(null, use(socket)),
      // The agent only reads the error.
      (error: Error) => opened?.(error, undefined as unknown as Duplex),
    );
  };
  http.createConnection = (options, opened) =>
    open(options, { defaultPort: 80, use: (socket) => socket }, opened);
  https.createConnection = (options, opened) => {
    const use = (socket: Socket) => {
      const session = limitHandshakes(connectTls({ ...(options as ConnectionOptions), socket }));
      tunnelTargets.set(session, addressOf(socket));
      return session;
    };
    return open(options, { defaultPort: 443, use }, opened);
  };
}
