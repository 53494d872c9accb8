import { isIP } from 'node:net';
import { type AddressPolicy, parseWebhookUrl } from '@postrider/domain';
import { type Channel, failure } from '../channel.ts';
import { createGotSender } from '../http/got-sender.ts';
import type { CreateHttpSender } from '../http/sender.ts';
import { createVettedResolver, type ResolveHost } from '../vetted-address.ts';
import { judgeBrokenExchange, judgeStatus } from './classify.ts';
import { hostOf, readWebhookConfig, webhookHeaders } from './request.ts';

export interface WebhookChannelDeps {
  readonly isAddressAllowed: AddressPolicy;
  readonly resolve?: ResolveHost;
  /** The HTTP client. */
  readonly createSender?: CreateHttpSender;
}

/**
 * Creates the sender of webhooks (docs/specification.md, "Webhooks"): one POST, signed as Standard Webhooks,
 * no redirects, one deadline over the whole exchange, at most 16 KiB of the response read and nothing
 * decompressed. It connects only to addresses that the policy allows.
 */
export function createWebhookChannel({
  isAddressAllowed,
  resolve,
  createSender = createGotSender,
}: WebhookChannelDeps): Channel<'webhook'> {
  const sender = createSender(createVettedResolver(isAddressAllowed, resolve));

  return {
    async send(delivery) {
      const config = readWebhookConfig(delivery.channel.config);
      const url = config && parseWebhookUrl(config.url);
      if (!url) {
        return failure('webhook_address_blocked', 'The URL is not http or https without credentials.', {
          retryable: false,
        });
      }
      // Sockets connect to literal addresses without a look-up: they are judged here.
      const host = hostOf(url);
      if (isIP(host) !== 0 && !isAddressAllowed(host)) {
        return failure('webhook_address_blocked', 'The address is not allowed.', { retryable: false });
      }
      const { timeoutMs, signal, nowMs, content } = delivery;
      const headers = webhookHeaders(delivery, config.headers);
      const exchange = await sender.post({ url, headers, body: content.body, timeoutMs, signal });
      return exchange.outcome === 'answered'
        ? judgeStatus(exchange.answer, nowMs())
        : judgeBrokenExchange(exchange.broken, nowMs());
    },
    close: sender.close,
  };
}
