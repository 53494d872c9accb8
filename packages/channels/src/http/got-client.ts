import { type Got, got, type Request } from 'got';
import type { ResolveHost } from '../host.ts';
import { type Agents, createAgents, createExchangeRecorder, watchProtocol } from './client.ts';
import type { HttpClient, Reached } from './exchange.ts';

/**
 * The client is created once, because most of got's time per request goes into its options. Its time limit and abort
 * signal are not used for the same reason: the recorder of the exchange has both.
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

/** The client on got, with the same agents as the default client. */
export function createGotClient(resolve: ResolveHost): HttpClient {
  const agents = createAgents(resolve);
  const client = createClient(agents);
  return {
    send(request) {
      const { method = 'POST', url, headers, body } = request;
      const isHttps = url.protocol === 'https:';
      let stream: Request | undefined;
      const recorder = createExchangeRecorder(request, {
        reached: () => (stream ? reachedBy(stream, isHttps) : { connected: false, inTlsHandshake: false }),
        release: () => stream?.destroy(),
      });
      if (recorder.isOver()) return recorder.result;
      stream = client.stream(url, { method, headers, ...(method === 'GET' ? {} : { body }) });
      stream.once('request', (raw) => watchProtocol(raw, recorder));
      stream.on('response', ({ statusCode, headers: received }) => recorder.head(statusCode, received));
      stream.on('data', recorder.chunk);
      stream.once('end', recorder.end);
      stream.on('error', (error) => {
        // As in Node's client, bytes after a complete response are ignored. After an error got emits no `end`.
        if (stream?.response?.complete) recorder.end();
        recorder.fail(error);
      });
      return recorder.result;
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}
