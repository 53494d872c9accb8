import { type Got, got, type Request } from 'got';
import type { ResolveHost } from '../vetted-address.ts';
import type { HttpClient, Reached } from './client.ts';
import { recordExchange } from './exchange.ts';
import { type Agents, createAgents, watchProtocol } from './node-client.ts';

/**
 * The client is created once, because most of got's time per request goes into its options. Its time limit and abort
 * signal are not used for the same reason: the record of the exchange has both.
 */
function createClient(agent: Agents): Got {
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

/** The sender on got, with the same agents as the default sender. */
export function createGotClient(resolve: ResolveHost): HttpClient {
  const agents = createAgents(resolve);
  const client = createClient(agents);
  return {
    post(post) {
      const { method = 'POST', url, headers, body } = post;
      const isHttps = url.protocol === 'https:';
      let request: Request | undefined;
      const record = recordExchange(post, {
        reached: () => (request ? reachedBy(request, isHttps) : { connected: false, inTlsHandshake: false }),
        release: () => request?.destroy(),
      });
      if (record.isOver()) return record.result;
      request = client.stream(url, { method, headers, ...(method === 'GET' ? {} : { body }) });
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
