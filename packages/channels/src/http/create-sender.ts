import type { FetchDocument } from '../email/feedback.ts';
import type { SenderOptions } from '../sender.ts';
import { createVettedResolver, literalRefusal } from '../vetted-address.ts';
import { createGotSender } from './got-sender.ts';
import { createNodeSender } from './node-sender.ts';
import type { HttpSender } from './sender.ts';

/**
 * Creates the HTTP client of a sender. It connects only to addresses that the policy allows. The caller must check a
 * literal address first (`literalRefusal`). Requests with a TLS identity or through a proxy always use Node's
 * client, because only it supports both per request.
 */
export function createHttpSender({
  isAddressAllowed,
  resolve,
  httpClient = 'node',
  egressProxy,
}: SenderOptions): HttpSender {
  const vetted = createVettedResolver(isAddressAllowed, resolve);
  const node = createNodeSender(vetted, egressProxy);
  if (httpClient === 'node' || egressProxy) return node;
  const got = createGotSender(vetted);
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
  const http = createHttpSender(options);
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
