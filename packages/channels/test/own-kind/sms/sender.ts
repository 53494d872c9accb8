import { delivered, failure, type Sender, type SenderOptions } from '../../../src/index.ts';
import { createHttpClient } from '../../../src/network.ts';
import type { SmsContent } from './index.ts';

/** Posts each message to the channel's gateway. */
export function createSmsSender(options: SenderOptions): Sender<SmsContent> {
  const http = createHttpClient(options);
  return {
    async send({ ids, channel, message, content, credentials, timeoutMs, signal }) {
      const { phone } = message.recipient;
      if (typeof phone !== 'string') {
        return failure('sms_rejected', 'The recipient has no phone number.', { retryable: false });
      }
      const exchange = await http.send({
        url: new URL(String(channel.config.gateway)),
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${credentials.key}`,
          'idempotency-key': ids.run,
        },
        body: JSON.stringify({ to: phone, text: content.text }),
        timeoutMs,
        signal,
      });
      if (exchange.broken) {
        const status = exchange.broken.connected ? 'unknown' : 'failed';
        return failure('sms_gateway_failed', 'The gateway did not answer.', { status });
      }
      const { response } = exchange;
      const { statusCode } = response;
      if (statusCode < 300) return delivered(response);
      return failure('sms_rejected', `The gateway answered HTTP ${statusCode}.`, {
        retryable: statusCode >= 500,
        response,
      });
    },
    close: http.close,
  };
}
