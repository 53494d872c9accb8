import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { NoteExchange } from '../sender.ts';
import { type ResolveHost, toSocketLookup } from '../vetted-address.ts';
import { type ExchangeRecord, recordExchange } from './exchange.ts';
import { addressOf, connectThrough, type EgressProxy } from './proxy.ts';
import { type HttpSender, IDLE_CONNECTION_MS, MAX_INTERIM_ANSWERS, type Reached } from './sender.ts';

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
  client.once('upgrade', ({ statusCode = 101 }, socket) => {
    socket.destroy();
    record.head(statusCode, {});
    record.end();
  });
  let interim = 0;
  client.on('information', () => {
    interim += 1;
    if (interim > MAX_INTERIM_ANSWERS) record.fail({ code: 'too many interim answers' });
  });
}

/** Tracks the connection of a request. Returns how far it has come. */
function watchConnection(
  client: ClientRequest,
  isHttps: boolean,
  note: NoteExchange = () => undefined,
): () => Reached {
  let hasTcp = false;
  let connected = false;
  client.once('socket', (socket) => {
    const noteAddress = () => note({ connectedAddress: addressOf(socket) });
    if (client.reusedSocket) {
      connected = true;
      noteAddress();
      return;
    }
    const onTcp = () => {
      noteAddress();
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

/** The default sender, on Node's own client. The record of the exchange and the agents do what a library would add. */
export function createNodeSender(resolve: ResolveHost, proxy?: EgressProxy): HttpSender {
  const agents = createAgents(resolve, proxy);

  return {
    post(post) {
      const { method = 'POST', url, headers, body, tls } = post;
      const isHttps = url.protocol === 'https:';
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
      const options = { method, headers, agent: isHttps ? agents.https : agents.http, ...tls };
      try {
        client = (isHttps ? httpsRequest : httpRequest)(url, options);
      } catch (error) {
        record.fail(error);
        return record.result;
      }
      reached = watchConnection(client, isHttps, post.note);
      watchProtocol(client, record);
      client.once('response', (received) => {
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
