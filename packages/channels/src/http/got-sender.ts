import { type ClientRequest, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type Got, got, type Request } from 'got';
import { type ResolveHost, toSocketLookup } from '../vetted-address.ts';
import { type ExchangeRecord, recordExchange } from './exchange.ts';
import { type HttpSender, IDLE_CONNECTION_MS, MAX_INTERIM_ANSWERS, type Reached } from './sender.ts';

/** Idle connections kept per endpoint: fewer than are open at once would be closed and opened again. */
const MAX_IDLE_CONNECTIONS = 64;

function createAgents(resolve: ResolveHost) {
  const options = {
    keepAlive: true,
    timeout: IDLE_CONNECTION_MS,
    maxFreeSockets: MAX_IDLE_CONNECTIONS,
    scheduling: 'lifo' as const,
    lookup: toSocketLookup(resolve),
  };
  return {
    http: new HttpAgent(options),
    https: new HttpsAgent({ ...options, minVersion: 'TLSv1.2' as const }),
  };
}

/**
 * Prepared once: what got does per request is mostly its handling of options. Its own time limit and abort
 * signal are left out for the same reason, the record of the exchange has both.
 */
function createClient(agent: ReturnType<typeof createAgents>): Got {
  return got.extend({
    method: 'POST',
    isStream: true,
    agent,
    followRedirect: false,
    retry: { limit: 0 },
    throwHttpErrors: false,
    decompress: false,
  });
}

function reachedBy({ timings }: Request, isHttps: boolean): Reached {
  const tcp = timings?.connect !== undefined;
  const connected = isHttps ? timings?.secureConnect !== undefined : tcp;
  return { connected, inTlsHandshake: isHttps && tcp && !connected };
}

/**
 * Handles what got does not: a response that leaves HTTP (101), after which Node closes the connection and got waits
 * forever, and a stream of interim responses.
 */
function watchProtocol(client: ClientRequest, record: ExchangeRecord): void {
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

/** The default sender: got on Node agents. */
export function createGotSender(resolve: ResolveHost): HttpSender {
  const agents = createAgents(resolve);
  const client = createClient(agents);
  return {
    post(post) {
      const { url, headers, body } = post;
      const request = client.stream(url, { headers, body });
      const isHttps = url.protocol === 'https:';
      const record = recordExchange(post, {
        reached: () => reachedBy(request, isHttps),
        release: () => request.destroy(),
      });
      request.once('request', (raw) => watchProtocol(raw, record));
      request.on('response', ({ statusCode, headers: received }) => record.head(statusCode, received));
      request.on('data', record.chunk);
      request.once('end', record.end);
      request.on('error', record.fail);
      return record.result;
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}
