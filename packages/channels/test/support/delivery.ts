import { createAddressPolicy, createWebhookSecret, type JsonObject } from '@postrider/domain';
import type { EmailContent } from '../../src/email/index.ts';
import { createSmtpClient } from '../../src/email/providers/smtp/client.ts';
import { smtpProvider } from '../../src/email/providers/smtp/index.ts';
import { createEmailSender } from '../../src/email/sender.ts';
import type { JsonContent } from '../../src/json-template.ts';
import type { Delivery, Sender, SenderOptions } from '../../src/sender.ts';

export const RUN_ID = 'run_01jd4q9v8wfq3vj1m0f4e9x7cz';
export const ENVIRONMENT_ID = 'env_01jd4q9v8wfq3vj1m0f4e9x7cz';
export const loopbackAllowed = createAddressPolicy(['127.0.0.0/8']);

/** The sender of the email kind with its only provider, loaded. */
export function createEmailChannel(options: SenderOptions): Sender<EmailContent> {
  return createEmailSender([{ provider: smtpProvider, client: createSmtpClient(options) }]);
}

/** What a test changes of a delivery. */
export type Details<Content> = Partial<Omit<Delivery<Content>, 'channel' | 'content' | 'ids' | 'message'>> & {
  readonly channelId?: string;
  readonly revision?: number;
  readonly runId?: string;
  readonly message?: Partial<Delivery<Content>['message']>;
  readonly content?: Partial<Content>;
};

function common({
  channelId = 'channel',
  revision = 1,
  runId = RUN_ID,
  message = {},
  ...details
}: Details<EmailContent> | Details<JsonContent>) {
  return {
    ids: { run: runId, message: 'msg_01jd4q9v8wfq3vj1m0f4e9x7cz', environment: ENVIRONMENT_ID },
    message: {
      eventKey: 'order.shipped',
      recipient: { email: 'ada@example.com', name: 'Ada' },
      payload: { order_id: 'A-1042', country: 'de' },
      createdAt: new Date('2026-11-21T09:30:00.000Z'),
      test: false,
      ...message,
    },
    attemptNumber: 1,
    traceparent: null,
    credentials: {},
    // No test may depend on how fast the machine is: one about the limit sets its own.
    timeoutMs: 60_000,
    nowMs: Date.now,
    signal: new AbortController().signal,
    ...details,
    channelIdentity: { id: channelId, revision, publicOnly: false },
  };
}

/** One attempt to call a webhook, with defaults for what a test does not care about. */
export function webhookDelivery(
  config: JsonObject & { url: string },
  details: Details<JsonContent> = {},
): Delivery<JsonContent> {
  const { channelIdentity, ...rest } = common(details);
  return {
    secrets: [createWebhookSecret()],
    ...rest,
    channel: { ...channelIdentity, config: { ...config } },
    content: { body: '{"type":"order.shipped"}', ...details.content },
  };
}

/** One attempt to send a mail to the SMTP server at `port`. */
export function emailDelivery(
  smtp: JsonObject & { port: number },
  details: Details<EmailContent> = {},
): Delivery<EmailContent> {
  const { channelIdentity, ...rest } = common(details);
  return {
    secrets: [],
    ...rest,
    channel: {
      ...channelIdentity,
      config: {
        smtp: { host: '127.0.0.1', secure: false, ...smtp },
        from: { email: 'shop@example.com', name: 'Shop' },
        reply_to: 'help@example.com',
      },
    },
    content: { subject: 'Hello', html: '<p>Hello</p>', text: 'Hello', ...details.content },
  };
}
