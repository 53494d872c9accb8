import type { JsonObject } from '@postrider/domain';
import type { EmailMessage, EmailToSend, ProviderClient } from '../../../../src/email/provider.ts';
import { EMAIL_PROVIDERS } from '../../../../src/email/providers/index.ts';
import type { SenderOptions } from '../../../../src/sender.ts';
import { ENVIRONMENT_ID, loopbackAllowed, RUN_ID } from '../../../support/delivery.ts';
import { SERVICES } from './stand-ins.ts';

export const MESSAGE: EmailMessage = {
  messageId: `<${RUN_ID}@example.com>`,
  from: { email: 'shop@example.com', name: 'The "Shop", Ltd' },
  to: { email: 'ada@example.com', name: 'Ada Lovelace' },
  cc: [],
  bcc: [],
  replyTo: 'help@example.com',
  subject: 'Grüße',
  html: '<p>Hello</p>',
  text: 'Hello',
  headers: { 'Auto-Submitted': 'auto-generated', 'List-Unsubscribe': '<https://example.com/u/1>' },
  attachments: [],
};

/** The client of a provider. */
export async function createClient(
  provider: string,
  options: Partial<SenderOptions> = {},
): Promise<ProviderClient> {
  const found = EMAIL_PROVIDERS.find(({ name }) => name === provider);
  if (!found) throw new Error(`there is no provider ${provider}`);
  const loaded = await found.loadClient();
  return loaded.createClient({ isAddressAllowed: loopbackAllowed, ...options });
}

interface Details extends Partial<Omit<EmailToSend, 'mail' | 'settings'>> {
  readonly settings?: JsonObject;
  readonly mail?: Partial<EmailMessage>;
}

/** One attempt to send a mail by the account that a stand-in knows. */
export function toSend(provider: string, endpoint: string, details: Details = {}): EmailToSend {
  const { settings, credentials } = SERVICES[provider] ?? { settings: {}, credentials: {} };
  return {
    ids: { run: RUN_ID, message: 'msg_01jd4q9v8wfq3vj1m0f4e9x7cz', environment: ENVIRONMENT_ID },
    channel: { id: 'channel', revision: 1, config: {}, publicOnly: false },
    account: provider,
    signal: new AbortController().signal,
    timeoutMs: 10_000,
    nowMs: Date.now,
    credentials,
    ...details,
    settings: { ...settings, endpoint, ...details.settings },
    mail: { ...MESSAGE, ...details.mail },
  };
}
