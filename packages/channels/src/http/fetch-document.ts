import type { FetchDocument } from '../email/feedback.ts';
import type { SenderOptions } from '../sender.ts';
import { isLiteralRefused } from '../vetted-address.ts';
import { createHttpSender } from './create-sender.ts';

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
      if (isLiteralRefused(url, options.isAddressAllowed)) return null;
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
