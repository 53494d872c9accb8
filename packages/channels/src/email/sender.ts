import type { AddressPolicy } from '@postrider/domain';
import { type Channel, type Delivery, failure, type SendResult } from '../channel.ts';
import { toExcerpt } from '../excerpt.ts';
import { createVettedResolver, type ResolveHost } from '../vetted-address.ts';
import { composeEmail, recipientAddress } from './message.ts';
import { judgeSmtpFault, type SmtpFault } from './providers/smtp/classify.ts';
import { hideCredentials } from './providers/smtp/credentials.ts';
import type { ComposedEmail } from './providers/smtp/mail-headers.ts';
import { createSocketOpener } from './providers/smtp/socket.ts';
import { createSmtpTransports, type SmtpTransport } from './providers/smtp/transports.ts';
import { readEmailConfig } from './stored-config.ts';

export interface EmailChannelDeps {
  readonly isAddressAllowed: AddressPolicy;
  readonly resolve?: ResolveHost;
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function toFault(error: unknown, messageStarted: boolean, hide: (text: string) => string): SmtpFault {
  const { code, originalCode, responseCode, response, command } = error as Record<string, unknown>;
  return {
    kind: textOrNull(originalCode) ?? textOrNull(code) ?? 'unknown fault',
    replyCode: typeof responseCode === 'number' ? responseCode : null,
    reply: typeof response === 'string' ? hide(response) : null,
    command: textOrNull(command),
    messageStarted,
  };
}

/** One signal for the attempt's end and its time limit; `stop` frees the timer. */
function limitTime({ signal, timeoutMs }: Delivery<'email'>): { signal: AbortSignal; stop: () => void } {
  const limit = new AbortController();
  const abort = () => limit.abort();
  const timer = setTimeout(abort, timeoutMs);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return {
    signal: limit.signal,
    stop() {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    },
  };
}

async function transmit(
  { transporter, messageStarted }: SmtpTransport,
  message: ComposedEmail,
  { signal, hide }: { signal: AbortSignal; hide: (text: string) => string },
): Promise<SendResult> {
  try {
    const { response = '250' } = await transporter.sendMail({ ...message, signal });
    const statusCode = Number(/^\d{3}/.exec(response)?.[0] ?? 250);
    return {
      outcome: 'delivered',
      response: { statusCode, bodyExcerpt: toExcerpt([Buffer.from(hide(response), 'utf8')]) },
    };
  } catch (error) {
    return judgeSmtpFault(toFault(error, messageStarted(signal), hide));
  }
}

/**
 * Creates the sender of email (docs/specification.md, "Email"): a pooled SMTP transport per channel, an
 * explicit envelope, the same Message-ID on every attempt. It connects only to addresses that the policy
 * allows.
 */
export function createEmailChannel({ isAddressAllowed, resolve }: EmailChannelDeps): Channel<'email'> {
  const transports = createSmtpTransports(
    createSocketOpener(createVettedResolver(isAddressAllowed, resolve)),
  );

  async function send(delivery: Delivery<'email'>): Promise<SendResult> {
    const config = readEmailConfig(delivery.channel.config);
    if (!config) return failure('smtp_connection_failed', "The channel's configuration is not complete.");
    const to = recipientAddress(delivery);
    if (to === null) {
      return failure('smtp_permanent_rejection', 'The recipient has no address that mail can be sent to.', {
        retryable: false,
      });
    }
    const transport = transports.get({ ...delivery, config });
    const hide = hideCredentials(config.smtp.username ?? '', delivery.secrets[0]);
    const limit = limitTime(delivery);
    try {
      return await transmit(transport, composeEmail(delivery, config, to), { signal: limit.signal, hide });
    } finally {
      limit.stop();
    }
  }

  return { send, close: () => transports.close() };
}
