import { failure, type Sender } from '../sender.ts';
import { providerOf, readSender } from './config.ts';
import type { EmailContent } from './index.ts';
import { emailMessage, recipientAddress, shownHeaders } from './message.ts';
import type { EmailProvider, EmailSender } from './provider.ts';

/**
 * Creates the sender of email: it makes the message, which is the same on every attempt, and hands it to the provider
 * of the channel.
 */
export function createEmailSender(
  opened: readonly { readonly provider: EmailProvider; readonly sender: EmailSender }[],
): Sender<EmailContent> {
  const providers = opened.map(({ provider }) => provider);
  return {
    async send(delivery) {
      const { runId, channel, secrets, timeoutMs, signal } = delivery;
      const from = readSender(channel.config);
      const chosen = providerOf(providers, channel.config);
      const sender = opened.find(({ provider }) => provider === chosen?.provider)?.sender;
      if (!from || !chosen || !sender) {
        return failure('smtp_connection_failed', "The channel's configuration is not complete.");
      }
      const to = recipientAddress(delivery.recipient);
      if (to === null) {
        return failure('smtp_permanent_rejection', 'The recipient has no address that mail can be sent to.', {
          retryable: false,
        });
      }
      const message = emailMessage(delivery, from, to);
      delivery.note?.({ requestHeaders: shownHeaders(message) });
      return sender.send({ runId, channel, secrets, timeoutMs, signal, settings: chosen.settings, message });
    },
    close() {
      for (const { sender } of opened) sender.close();
    },
  };
}
