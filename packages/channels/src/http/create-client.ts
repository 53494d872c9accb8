import { type Got, got, type Request } from 'got';
import type { FetchDocument } from '../email/feedback.ts';
import { createVettedResolver, type ResolveHost } from '../host.ts';
import type { SenderOptions } from '../sender.ts';
import {
  type Agents,
  createAgents,
  createExchangeRecorder,
  createNodeClient,
  refuseLiterals,
  watchProtocol,
} from './client.ts';
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
function createGotClient(resolve: ResolveHost): HttpClient {
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

/**
 * Creates the HTTP client of a sender. It connects only to addresses that the policy allows. Requests with a TLS identity or
 * through a proxy always use Node's client, because only it supports both per request.
 */
export function createHttpClient({
  isAddressAllowed,
  resolve,
  httpClient = 'node',
  egressProxy,
}: SenderOptions): HttpClient {
  const vetted = createVettedResolver(isAddressAllowed, resolve);
  const node = createNodeClient(vetted, egressProxy);
  if (httpClient === 'node' || egressProxy) return refuseLiterals(node, isAddressAllowed);
  const got = createGotClient(vetted);
  const either: HttpClient = {
    send: (request) => (request.tls ? node : got).send(request),
    close() {
      node.close();
      got.close();
    },
  };
  return refuseLiterals(either, isAddressAllowed);
}

const TIME_LIMIT_MS = 5_000;

/**
 * Creates a fetcher of providers' documents, such as certificates, on the service's own HTTP client. `close` ends
 * idle connections.
 */
export function createDocumentFetcher(options: SenderOptions): {
  readonly fetchDocument: FetchDocument;
  close(): void;
} {
  const http = createHttpClient(options);
  return {
    async fetchDocument(url) {
      const { response, broken } = await http.send({
        method: 'GET',
        url,
        headers: { accept: '*/*' },
        body: '',
        timeoutMs: TIME_LIMIT_MS,
        signal: new AbortController().signal,
      });
      return broken === null && response.statusCode === 200 ? response.bodyExcerpt : null;
    },
    close: http.close,
  };
}
