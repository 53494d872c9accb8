import type { ChannelInput } from '@postrider/db';
import type { FixtureInput } from '@postrider/db/testing';
import type { JsonObject } from '@postrider/domain';

type Channel = Omit<ChannelInput, 'environmentId'>;

/** A webhook channel that retries soon. */
export function webhookChannel(
  url: string,
  { timeoutMs = 5_000, delaysSeconds = [0.05], maxAttempts = 5 } = {},
): Channel {
  return {
    kind: 'webhook',
    name: 'hook',
    config: { url, timeout_ms: timeoutMs },
    retry: { max_attempts: maxAttempts, delays_seconds: delaysSeconds },
  };
}

/** An email channel that sends through a server on this machine. */
export function mailChannel(
  { port }: { readonly port: number },
  { from = { email: 'shop@example.com' }, retry }: { from?: JsonObject; retry?: Channel['retry'] } = {},
): Channel {
  return {
    kind: 'email',
    name: 'mail',
    config: { smtp: { host: '127.0.0.1', port, secure: false }, from },
    ...(retry === undefined ? {} : { retry }),
  };
}

type Template = NonNullable<FixtureInput['templates']>[number];

/** The active email template of a fixture's events. */
export const mailTemplate = (fields: Partial<Template> = {}): Template => ({
  ...{ eventKey: 'order.shipped', channelKind: 'email', subject: 'Order', text: 'Sent.' },
  ...{ activate: true, ...fields },
});
