import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { withoutBrackets } from '../host.ts';
import type { ReportExchange } from '../sender.ts';
import { type ResolveHost, toSocketLookup } from '../vetted-address.ts';
import {
  type ExchangeRecord,
  type HttpClient,
  IDLE_CONNECTION_MS,
  MAX_INTERIM_ANSWERS,
  type Reached,
  recordExchange,
  type WebhookPost,
} from './exchange.ts';
import { addressOf, connectThrough, type EgressProxy } from './proxy.ts';

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
