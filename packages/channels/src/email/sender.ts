import { failure, type Sender } from '../sender.ts';
import { readSender } from './config.ts';
import { credentialsOf } from './credentials.ts';
import type { EmailContent } from './index.ts';
import { emailMessage, recipientAddress, shownHeaders } from './message.ts';
import type { EmailProvider, EmailSender } from './provider.ts';
import { sendersOf } from './senders.ts';

/**
 * Creates the sender of email: it makes the message, which is the same on every attempt, and hands it to a sender of the
 * channel.
 */
export function createEmailSender(
  opened: readonly { readonly provider: EmailProvider; readonly sender: EmailSender }[],
): Sender<EmailContent> {
  const providers = opened.map(({ provider }) => provider);
  const clients = new Map(opened.map(({ provider, sender }) => [provider, sender]));
  return {
    async send(delivery) {
      const { runId, channel, timeoutMs, signal, nowMs, note } = delivery;
      const from = readSender(channel.config);
      const [chosen] = sendersOf(providers, channel.config);
      const client = chosen && clients.get(chosen.provider);
      if (!from || !client) {
        return failure('smtp_connection_failed', "The channel's configuration is not complete.");
      }
      const to = recipientAddress(delivery.recipient);
      if (to === null) {
        return failure('smtp_permanent_rejection', 'The recipient has no address that mail can be sent to.', {
          retryable: false,
        });
      }
      const message = emailMessage(delivery, from, to);
      note?.({ requestHeaders: shownHeaders(message) });
      const { name, settings } = chosen;
      const credentials = credentialsOf(chosen, delivery.credentials);
      const result = await client.send({
        ...{ runId, channel, timeoutMs, signal, nowMs, message, ...(note ? { note } : {}) },
        ...{ sender: name, settings, credentials },
      });
      return { ...result, sender: name };
    },
    close() {
      for (const { sender } of opened) sender.close();
    },
  };
}
