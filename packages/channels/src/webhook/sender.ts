import { isIP } from 'node:net';
import { createHttpSender } from '../http/create-sender.ts';
import { failure, type Sender, type SenderOptions } from '../sender.ts';
import { classifyBrokenExchange, classifyHttpResponse } from './classify.ts';
import { parseWebhookUrl } from './config.ts';
import type { WebhookContent } from './index.ts';
import { hostOf, readWebhookConfig, webhookHeaders } from './request.ts';

/**
 * Creates the sender of webhooks: one POST, signed as Standard Webhooks, no redirects, one deadline over the whole
 * exchange, at most 16 KiB of the response read and nothing decompressed. It connects only to addresses that the policy
 * allows.
 */
export function createWebhookSender(options: SenderOptions): Sender<WebhookContent> {
  const { isAddressAllowed } = options;
  const http = createHttpSender(options);

  return {
    async send(delivery) {
      const config = readWebhookConfig(delivery.channel.config);
      const url = config && parseWebhookUrl(config.url);
      if (!url) {
        return failure('webhook_address_blocked', 'The URL is not http or https without credentials.', {
          retryable: false,
        });
      }
      // Sockets connect to literal addresses without a look-up: they are checked here.
      const host = hostOf(url);
      if (isIP(host) !== 0 && !isAddressAllowed(host)) {
        return failure('webhook_address_blocked', 'The address is not allowed.', { retryable: false });
      }
      const { timeoutMs, signal, nowMs, content } = delivery;
      const headers = webhookHeaders(delivery, config.headers);
      const exchange = await http.post({ url, headers, body: content.body, timeoutMs, signal });
      return exchange.outcome === 'answered'
        ? classifyHttpResponse(exchange.answer, nowMs())
        : classifyBrokenExchange(exchange.broken, nowMs());
    },
    close: http.close,
  };
}
