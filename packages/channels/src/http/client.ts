import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { AddressPolicy, RemoteResponse } from '@postrider/domain';
import { limitHandshakes, TLS_OPTIONS } from '../certificates.ts';
import { ADDRESS_BLOCKED, explainConnection, isClientCertificateRefused } from '../connection-errors.ts';
import { addressOf, literalRefusal, type ResolveHost, toSocketLookup, withoutBrackets } from '../host.ts';
import { keptHeaders, MAX_RESPONSE_BYTES, type ReportExchange, toExcerpt } from '../sender.ts';
import { connectThrough, type EgressProxy } from './egress-proxy.ts';
import type { Exchange, HttpClient, HttpRequest, Reached, ResponseDirectives } from './exchange.ts';

/**
 * How long an idle connection is kept. It must be below the 5 s after which Node's server closes one: a request that
 * crosses that closing would be lost with an unknown outcome.
 */
const IDLE_CONNECTION_MS = 4_000;

/** The most interim responses (1xx) before the endpoint is treated as hostile. */
const MAX_INTERIM_ANSWERS = 32;

/** Callbacks for the progress of an exchange. They do nothing after its end. */
export interface ExchangeRecorder {
  readonly head: (statusCode: number, headers: Readonly<Record<string, unknown>>) => void;
  readonly chunk: (bytes: Uint8Array) => void;
  /** The response ended. */
  readonly end: () => void;
  /** The exchange failed. A response that had begun is kept. */
  readonly fail: (error: unknown) => void;
  readonly isOver: () => boolean;
  readonly result: Promise<Exchange>;
}

interface ExchangeDeps {
  /** How far the connection has come. */
  readonly reached: () => Reached;
  /** Ends the client's work, if it is not over. */
  readonly release: () => void;
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'unknown error';
}

/** Reads what the headers of a response ask for. */
export const readDirectives = (headers: Readonly<Record<string, unknown>>): ResponseDirectives => ({
  retryAfter: headers['retry-after'] as string | undefined,
  asksForPause: String(headers['webhook-delivery']).trim().toLowerCase() === 'pause',
});

/** The directives of an exchange without a response. */
export const NO_DIRECTIVES = readDirectives({});

/**
 * Records one exchange of any HTTP client: reads the response to its end or to the limit, aborts it at the time limit
 * or when told to, and settles once. If it was aborted before, it ends at once.
 */
export function createExchangeRecorder(
  request: HttpRequest,
  { reached, release }: ExchangeDeps,
): ExchangeRecorder {
  const chunks: Uint8Array[] = [];
  let received = 0;
  let status: number | null = null;
  let directives = NO_DIRECTIVES;
  let encoded = false;
  let over = false;
  let settle: (exchange: Exchange) => void = () => undefined;
  const result = new Promise<Exchange>((resolve) => {
    settle = resolve;
  });

  const soFar = (): RemoteResponse | null =>
    status === null ? null : { statusCode: status, bodyExcerpt: encoded ? null : toExcerpt(chunks) };
  const finish = (exchange: Exchange) => {
    if (over) return;
    over = true;
    clearTimeout(deadline);
    request.signal.removeEventListener('abort', onAbort);
    settle(exchange);
    release();
  };
  const broke = (code: string, reason: string | null = null, how = reached()) =>
    finish({ ...directives, response: soFar(), broken: { code, reason, ...how } });
  const end = () => {
    const response = soFar();
    if (response) finish({ ...directives, response, broken: null });
  };
  const onAbort = () => broke('ABORT_ERR');
  const deadline = setTimeout(() => broke('ETIMEDOUT'), request.timeoutMs);
  request.signal.addEventListener('abort', onAbort, { once: true });
  if (request.signal.aborted) onAbort();

  return {
    head(statusCode, headers) {
      request.reportExchange?.({ responseHeaders: keptHeaders(headers) });
      status = statusCode;
      directives = readDirectives(headers);
      encoded = (headers['content-encoding'] ?? 'identity') !== 'identity';
    },
    chunk(bytes) {
      chunks.push(bytes);
      received += bytes.length;
      if (received >= MAX_RESPONSE_BYTES) end();
    },
    end,
    fail(error) {
      const code = codeOf(error);
      const refused = { connected: false, inTlsHandshake: true };
      broke(code, explainConnection(error), isClientCertificateRefused(code) ? refused : undefined);
    },
    isOver: () => over,
    result,
  };
}

/** Idle connections kept per endpoint. With fewer, busy endpoints would close and reopen connections all the time. */
const MAX_IDLE_CONNECTIONS = 64;

/**
 * How long a connection is reused, in milliseconds. Then requests go to a new address of the name, even if the old one still
 * responds.
 */
const MAX_CONNECTION_AGE_MS = 60_000;
/** An endpoint that ends a connection this soon after a response does so each time, as uWSGI does without saying so. */
const SOON_MS = 500;
/** How long connections to such an endpoint are not kept. */
const NOT_KEPT_MS = 60_000;
/** The most such endpoints. Beyond them all are tried again. */
const MAX_ENDPOINTS = 1_000;

interface KeptConnection {
  readonly since: number;
  lastUse: number;
  readonly endpoint: string;
}

/**
 * Makes an agent close connections that it has kept for {@link MAX_CONNECTION_AGE_MS}, when their request ends, and keep none to
 * an endpoint that ended one at once: a request that is sent on such a connection is lost with an unknown outcome.
 */
function limitKeeping(agent: HttpAgent): void {
  const connections = new WeakMap<Duplex, KeptConnection>();
  const notKeptUntil = new Map<string, number>();

  // Before the handler of the agent, which keeps the connection.
  agent.prependListener('free', (socket: Duplex, options: Parameters<HttpAgent['getName']>[0]) => {
    if (connections.has(socket)) return;
    const now = performance.now();
    const connection = { since: now, lastUse: now, endpoint: agent.getName(options) };
    connections.set(socket, connection);
    // Only the endpoint ends a connection; this side destroys it.
    socket.once('end', () => {
      const endedAt = performance.now();
      if (endedAt - connection.lastUse >= SOON_MS) return;
      if (notKeptUntil.size >= MAX_ENDPOINTS) notKeptUntil.clear();
      notKeptUntil.set(connection.endpoint, endedAt + NOT_KEPT_MS);
    });
  });

  const keep = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => boolean;
  agent.keepSocketAlive = (socket) => {
    const now = performance.now();
    const connection = connections.get(socket);
    if (!connection || now - connection.since >= MAX_CONNECTION_AGE_MS) return false;
    if (now < (notKeptUntil.get(connection.endpoint) ?? 0)) return false;
    connection.lastUse = now;
    return keep(socket);
  };
}

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
    https: new HttpsAgent({ ...options, ...TLS_OPTIONS }),
  };
  const connect = agents.https.createConnection;
  agents.https.createConnection = (...options) =>
    limitHandshakes(connect.apply(agents.https, options) as TLSSocket);
  limitKeeping(agents.http);
  limitKeeping(agents.https);
  if (proxy) connectThrough(proxy, agents, resolve);
  return agents;
}

/**
 * Handles responses after which Node sends no end: 101, which leaves HTTP, and an endless stream of interim
 * responses.
 */
export function watchProtocol(outgoing: ClientRequest, recorder: ExchangeRecorder): void {
  outgoing.on('upgrade', ({ statusCode = 101 }, socket) => {
    socket.destroy();
    recorder.head(statusCode, {});
    recorder.end();
  });
  let interim = 0;
  outgoing.on('information', () => {
    interim += 1;
    if (interim <= MAX_INTERIM_ANSWERS) return;
    const error = new Error('The endpoint sent too many interim responses.');
    recorder.fail(Object.assign(error, { code: 'POSTRIDER_TOO_MANY_INTERIM_RESPONSES' }));
  });
}

/** Tracks the connection of a request. Returns how far it has come. */
function watchConnection(
  outgoing: ClientRequest,
  isHttps: boolean,
  reportExchange: ReportExchange = () => undefined,
): () => Reached {
  let hasTcp = false;
  let connected = false;
  outgoing.on('socket', (socket) => {
    const reportAddress = () => reportExchange({ connectedAddress: addressOf(socket) });
    if (outgoing.reusedSocket) {
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
function headerListOf({ headers, body, method }: HttpRequest, authority: string): string[] {
  const list = ['host', authority];
  for (const name of Object.keys(headers)) list.push(name, headers[name] as string);
  if (method !== 'GET') list.push('content-length', String(Buffer.byteLength(body)));
  return list;
}

/** The same client, which also refuses literal addresses that the policy does not allow: sockets connect to them without a look-up. */
export const refuseLiterals = ({ send, close }: HttpClient, isAllowed: AddressPolicy): HttpClient => ({
  send(request) {
    const reason = literalRefusal(request.url, isAllowed);
    if (reason === null) return send(request);
    const broken = { code: ADDRESS_BLOCKED, reason, connected: false, inTlsHandshake: false };
    return Promise.resolve({ ...NO_DIRECTIVES, response: null, broken });
  },
  close,
});

/** The default client, Node's own. The recorder of the exchange and the agents do what a library would add. */
export function createNodeClient(resolve: ResolveHost, proxy?: EgressProxy): HttpClient {
  const agents = createAgents(resolve, proxy);

  return {
    send(request) {
      const { method = 'POST', url, body, tls } = request;
      const { isHttps, authority, ...target } = targetOf(url);
      let outgoing: ClientRequest | undefined;
      let response: IncomingMessage | undefined;
      let reached = (): Reached => ({ connected: false, inTlsHandshake: false });
      const recorder = createExchangeRecorder(request, {
        reached: () => reached(),
        // A connection is reused only if request and response both ended.
        release() {
          if (!response?.complete || !outgoing?.writableFinished) outgoing?.destroy();
        },
      });
      if (recorder.isOver()) return recorder.result;
      const headers = headerListOf(request, authority);
      try {
        outgoing = isHttps
          ? httpsRequest({ method, headers, agent: agents.https, ...target, ...tls })
          : httpRequest({ method, headers, agent: agents.http, ...target });
      } catch (error) {
        recorder.fail(error);
        return recorder.result;
      }
      reached = watchConnection(outgoing, isHttps, request.reportExchange);
      watchProtocol(outgoing, recorder);
      outgoing.on('response', (received) => {
        response = received;
        recorder.head(received.statusCode ?? 0, received.headers);
        received.on('data', recorder.chunk).once('end', recorder.end).on('error', recorder.fail);
      });
      outgoing.on('error', (error) => {
        // What follows a complete response, such as a body after a 204, is not part of it (RFC 9112 section 6.3).
        if (!response?.complete) recorder.fail(error);
      });
      outgoing.end(body);
      return recorder.result;
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}
