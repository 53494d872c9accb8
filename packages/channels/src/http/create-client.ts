import type { FetchDocument } from '../email/feedback.ts';
import { createVettedResolver } from '../host.ts';
import type { SenderOptions } from '../sender.ts';
import { createNodeClient, refuseLiterals } from './client.ts';
import type { HttpClient } from './exchange.ts';
import { createGotClient } from './got-client.ts';

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
