import type { AttemptOutcome } from '@postrider/domain';
import { failure, type Sender, type SenderOptions } from '../sender.ts';
import { createSenderBreakers } from './breakers.ts';
import { readFrom } from './config.ts';
import { credentialsOf } from './credentials.ts';
import { sendWithFailover } from './failover.ts';
import type { EmailContent } from './index.ts';
import { emailMessage, recipientAddress, shownHeaders } from './message.ts';
import type { EmailProvider, EmailSender } from './provider.ts';
import { type ConfiguredSender, domainOf, failoverOf, maySendFor, sendersOf } from './senders.ts';

/**
 * Creates the email sender. It builds the message, which is the same on every attempt, and sends it through one of
 * the channel's senders.
 */
export function createEmailSender(
  opened: readonly { readonly provider: EmailProvider; readonly sender: EmailSender }[],
  { onSenderState, openBreakers }: Pick<SenderOptions, 'onSenderState' | 'openBreakers'> = {},
): Sender<EmailContent> {
  const breakers = createSenderBreakers(onSenderState, openBreakers);
  const providers = opened.map(({ provider }) => provider);
  const clients = new Map(opened.map(({ provider, sender }) => [provider, sender]));
  return {
    async send(delivery) {
      const { runId, channel, signal, nowMs, reportExchange, bounceToken } = delivery;
      const from = readFrom(channel.config);
      const senders = sendersOf(providers, channel.config);
      if (!from || senders.length === 0) {
        return failure('smtp_connection_failed', "The channel's configuration is incomplete.");
      }
      const to = recipientAddress(delivery.recipient);
      if (to === null) {
        return failure('smtp_permanent_rejection', 'The recipient has no address that mail can be sent to.', {
          retryable: false,
          about: 'message',
        });
      }
      const message = emailMessage(delivery, from, to);
      reportExchange?.({ requestHeaders: shownHeaders(message) });
      const send = (sender: ConfiguredSender, timeoutMs: number): Promise<AttemptOutcome> => {
        const client = clients.get(sender.provider);
        if (!client) throw new Error(`there is no client of the provider ${sender.provider.name}`);
        const credentials = credentialsOf(sender, delivery.credentials);
        const { name, settings } = sender;
        return client.send({
          runId,
          channel,
          sender: name,
          settings,
          credentials,
          message,
          timeoutMs,
          signal,
          nowMs,
          ...(reportExchange ? { reportExchange } : {}),
          ...(bounceToken ? { bounceToken } : {}),
        });
      };
      const domain = domainOf(from.email);
      const allowed = senders.filter((sender) => maySendFor(sender, domain));
      const [first] = allowed;
      if (!first) {
        return failure('smtp_connection_failed', `The channel has no sender that may send for ${domain}.`);
      }
      const { timeoutMs } = delivery;
      if (allowed.length === 1) return { ...(await send(first, timeoutMs)), sender: first.name };
      const policy = failoverOf(channel.config);
      return sendWithFailover(allowed, { runId, channel, policy, timeoutMs, signal, nowMs }, breakers, send);
    },
    close() {
      for (const { sender } of opened) sender.close();
    },
  };
}
