import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { explainConnection } from '../connection-errors.ts';
import { type ResolveHost, toSocketLookup, withoutBrackets } from '../host.ts';
import type { ReportExchange } from '../sender.ts';
import {
  type ExchangeRecord,
  type HttpClient,
  IDLE_CONNECTION_MS,
  MAX_INTERIM_ANSWERS,
  type Reached,
  recordExchange,
  type WebhookPost,
} from './exchange.ts';

/** Idle connections kept per endpoint. With fewer, busy endpoints would close and reopen connections all the time. */
const MAX_IDLE_CONNECTIONS = 64;

export interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/** Node's connection pools. They connect only to addresses from `resolve`, through the proxy if there is one. */
export function createAgents(resolve: ResolveHost, proxy?: EgressProxy): Agents {
  const options = {
    keepAlive: true,
    timeout: IDLE_CONNECTION_MS,
    maxFreeSockets: MAX_IDLE_CONNECTIONS,
    scheduling: 'lifo' as const,
    lookup: toSocketLookup(resolve),
  };
  const agents = {
    http: new HttpAgent(options),
    https: new HttpsAgent({ ...options, minVersion: 'TLSv1.2' as const }),
  };
  if (proxy) connectThrough(proxy, agents, resolve);
  return agents;
}

/**
 * Handles responses after which Node sends no end: 101, which leaves HTTP, and an endless stream of interim
 * responses.
 */
export function watchProtocol(client: ClientRequest, record: ExchangeRecord): void {
  client.on('upgrade', ({ statusCode = 101 }, socket) => {
    socket.destroy();
    record.head(statusCode, {});
    record.end();
  });
  let interim = 0;
  client.on('information', () => {
    interim += 1;
    if (interim > MAX_INTERIM_ANSWERS) record.fail({ code: 'too many interim responses' });
  });
}

/** Tracks the connection of a request. Returns how far it has come. */
function watchConnection(
  client: ClientRequest,
  isHttps: boolean,
  reportExchange: ReportExchange = () => undefined,
): () => Reached {
  let hasTcp = false;
  let connected = false;
  client.on('socket', (socket) => {
    const reportAddress = () => reportExchange({ connectedAddress: addressOf(socket) });
    if (client.reusedSocket) {
      connected = true;
      reportAddress();
      return;
    }
    const onTcp = () => {
      reportAddress();
      hasTcp = true;
      connected = !isHttps;
    };
    // A proxy's tunnel is connected before the request gets it.
    if (socket.connecting) socket.once('connect', onTcp);
    else onTcp();
    if (isHttps) {
      socket.once('secureConnect', () => {
        connected = true;
      });
    }
  });
  return () => ({ connected, inTlsHandshake: hasTcp && !connected });
}

/** The parts of a URL that Node's client needs. Given a URL, it would read all twelve and copy them three times. */
function targetOf({ protocol, hostname, port, host, pathname, search }: URL) {
  const isHttps = protocol === 'https:';
  return {
    isHttps,
    host: withoutBrackets(hostname),
    port: port === '' ? undefined : port,
    authority: host,
    path: pathname + search,
  };
}

/** The headers with `Host` and `Content-Length`, as a list: Node's client writes a list unchanged, but copies an object first. */
function headerListOf({ headers, body, method }: WebhookPost, authority: string): string[] {
  const list = ['host', authority];
  for (const name of Object.keys(headers)) list.push(name, headers[name] as string);
  if (method !== 'GET') list.push('content-length', String(Buffer.byteLength(body)));
  return list;
}

/** The default sender, on Node's own client. The record of the exchange and the agents do what a library would add. */
export function createNodeClient(resolve: ResolveHost, proxy?: EgressProxy): HttpClient {
  const agents = createAgents(resolve, proxy);

  return {
    post(post) {
      const { method = 'POST', url, body, tls } = post;
      const { isHttps, authority, ...target } = targetOf(url);
      let client: ClientRequest | undefined;
      let response: IncomingMessage | undefined;
      let reached = (): Reached => ({ connected: false, inTlsHandshake: false });
      const record = recordExchange(post, {
        reached: () => reached(),
        // A connection is reused only if request and response both ended.
        release() {
          if (!response?.complete || !client?.writableFinished) client?.destroy();
        },
      });
      if (record.isOver()) return record.result;
      const headers = headerListOf(post, authority);
      try {
        client = isHttps
          ? httpsRequest({ method, headers, agent: agents.https, ...target, ...tls })
          : httpRequest({ method, headers, agent: agents.http, ...target });
      } catch (error) {
        record.fail(error);
        return record.result;
      }
      reached = watchConnection(client, isHttps, post.reportExchange);
      watchProtocol(client, record);
      client.on('response', (received) => {
        response = received;
        record.head(received.statusCode ?? 0, received.headers);
        received.on('data', record.chunk).once('end', record.end).on('error', record.fail);
      });
      client.on('error', record.fail);
      client.end(body);
      return record.result;
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

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

/** The targets of tunnels as `address:port`; a socket itself only knows the proxy. */
const targets = new WeakMap<Socket, string>();

/** The remote end of a socket as `address:port`; for a tunnel its target. */
function addressOf(socket: Socket): string {
  const target = targets.get(socket);
  if (target !== undefined) return target;
  const { remoteAddress = '', remotePort = 0 } = socket;
  return hostPort(remoteAddress, remotePort);
}

const hostPort = (address: string, port: number | string) =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;

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
      targets.set(socket, target);
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
type Decrypted = (error: Error | null, stream: Duplex) => void;

/** Makes the agents connect through the proxy. TLS is end to end with the endpoint: the proxy sees only its bytes. */
function connectThrough(
  proxy: EgressProxy,
  { http, https }: { readonly http: HttpAgent; readonly https: HttpsAgent },
  resolve: ResolveHost,
): void {
  const open = (
    { host, port }: { host?: string | null | undefined; port?: string | number | null | undefined },
    { defaultPort, use }: { defaultPort: number; use: (socket: Socket) => Socket },
    opened: Decrypted | undefined,
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
      const session = connectTls({ ...(options as ConnectionOptions), socket });
      targets.set(session, addressOf(socket));
      return session;
    };
    return open(options, { defaultPort: 443, use }, opened);
  };
}
