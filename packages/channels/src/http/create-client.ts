import type { FetchDocument } from '../email/feedback.ts';
import type { SenderOptions } from '../sender.ts';
import { createVettedResolver, literalRefusal } from '../vetted-address.ts';
import type { HttpClient } from './client.ts';
import { createGotClient } from './got-client.ts';
import { createNodeClient } from './node-client.ts';

/**
 * Creates the HTTP client of a sender. It connects only to addresses that the policy allows. The caller must check a
 * literal address first (`literalRefusal`). Requests with a TLS identity or through a proxy always use Node's
 * client, because only it supports both per request.
 */
export function createHttpClient({
  isAddressAllowed,
  resolve,
  httpClient = 'node',
  egressProxy,
}: SenderOptions): HttpClient {
  const vetted = createVettedResolver(isAddressAllowed, resolve);
  const node = createNodeClient(vetted, egressProxy);
  if (httpClient === 'node' || egressProxy) return node;
  const got = createGotClient(vetted);
  return {
    post: (post) => (post.tls ? node : got).post(post),
    close() {
      node.close();
      got.close();
    },
  };
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
      if (literalRefusal(url, options.isAddressAllowed)) return null;
      const exchange = await http.post({
        method: 'GET',
        url,
        headers: { accept: '*/*' },
        body: '',
        timeoutMs: TIME_LIMIT_MS,
        signal: new AbortController().signal,
      });
      if (exchange.outcome === 'broken' || exchange.answer.statusCode !== 200) return null;
      return exchange.answer.bodyExcerpt;
    },
    close: http.close,
  };
}
