import { hideCredentials } from '../../../hide-credentials.ts';
import {
  failure,
  type RemoteResponse,
  type SenderOptions,
  type SendResult,
  toExcerpt,
} from '../../../sender.ts';
import { createVettedResolver } from '../../../vetted-address.ts';
import type { EmailSender, EmailToSend } from '../../provider.ts';
import { DKIM_KEY_FIELD } from './dkim-key.ts';
import { type ComposedEmail, composeEmail } from './mail-headers.ts';
import {
  createSmtpTransports,
  createSocketOpener,
  NOT_COMPOSED,
  readSmtpSettings,
  type SmtpTransport,
} from './transports.ts';

/** A failed delivery, as the SMTP client reports it. */
interface SmtpError {
  /** The library's kind of error. */
  readonly kind: string;
  /** The server's reply code, or null. */
  readonly replyCode: number | null;
  readonly reply: string | null;
  /** The refused command, such as `RCPT TO`. */
  readonly command: string | null;
  /** Whether sending of the message had begun. */
  readonly messageStarted: boolean;
}

const SERVICE_UNAVAILABLE = 421;
const BAD_SEQUENCE = 503;

function describe({ command, replyCode }: SmtpError): string {
  return `The server answered ${replyCode}${command ? ` to ${command}` : ''}.`;
}

function isAboutAuthentication({ kind, command }: SmtpError): boolean {
  return kind === 'EAUTH' || kind === 'ENOAUTH' || (command ?? '').startsWith('AUTH');
}

/**
 * Classifies a failed SMTP exchange (RFC 5321 section 4.2.1: 4yz is temporary, 5yz permanent). The reply code decides
 * if there is one; 503 (bad sequence) is about the session, not the message. Without a code, a message whose sending
 * had begun may have been taken. Refused credentials are retried, because the operator can correct the password.
 */
function classifySmtpError(error: SmtpError): SendResult {
  const { kind, replyCode, reply, messageStarted } = error;
  const response: RemoteResponse | null = replyCode
    ? { statusCode: replyCode, bodyExcerpt: reply === null ? null : toExcerpt([Buffer.from(reply, 'utf8')]) }
    : null;
  if (kind === 'POSTRIDER_ADDRESS_BLOCKED') {
    return failure('smtp_connection_failed', 'The SMTP host leads to an address that is not allowed.', {
      retryable: false,
    });
  }
  if (kind === NOT_COMPOSED) {
    const message = 'Nothing was sent: the addresses cannot be written unchanged, an error in the service.';
    return failure('email_not_composed', message, { retryable: false, about: 'message' });
  }
  if (isAboutAuthentication(error)) {
    const answer = replyCode ? ` (${replyCode})` : '';
    return failure('smtp_auth_failed', `The server refused the credentials${answer}.`, { response });
  }
  if (replyCode && replyCode >= 500 && replyCode !== BAD_SEQUENCE) {
    return failure('smtp_permanent_rejection', describe(error), {
      retryable: false,
      response,
      about: 'message',
    });
  }
  if (replyCode && replyCode >= 400) {
    const isOfSession = replyCode === SERVICE_UNAVAILABLE || replyCode === BAD_SEQUENCE;
    const about = isOfSession ? {} : ({ about: 'message' } as const);
    return failure('smtp_temporary_rejection', describe(error), { response, ...about });
  }
  if (kind === 'EMESSAGE' && !messageStarted) {
    return failure('smtp_permanent_rejection', 'The message is larger than the server takes.', {
      retryable: false,
      about: 'message',
    });
  }
  if (messageStarted) {
    return failure('smtp_outcome_unknown', `The connection was lost before the server answered (${kind}).`, {
      outcome: 'unknown',
      response,
    });
  }
  return failure('smtp_connection_failed', `No session with the server could be held (${kind}).`, {
    response,
  });
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function toSmtpError(error: unknown, messageStarted: boolean, hide: (text: string) => string): SmtpError {
  const { code, originalCode, responseCode, response, command } = error as Record<string, unknown>;
  return {
    kind: textOrNull(originalCode) ?? textOrNull(code) ?? 'unknown error',
    replyCode: typeof responseCode === 'number' ? responseCode : null,
    reply: typeof response === 'string' ? hide(response) : null,
    command: textOrNull(command),
    messageStarted,
  };
}

/** Combines the abort signal and the time limit of an attempt; `stop` clears the timer. */
function limitTime({ signal, timeoutMs }: EmailToSend): { signal: AbortSignal; stop: () => void } {
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
    const { response = '250', rejectedErrors = [] } = await transporter.sendMail({ ...message, signal });
    // A server may accept the mail for copies only. The run is about its recipient.
    const refusal = rejectedErrors.find((error) => error.recipient === message.envelope.to[0]);
    if (refusal) return classifySmtpError(toSmtpError(refusal, false, hide));
    const statusCode = Number(/^\d{3}/.exec(response)?.[0] ?? 250);
    return {
      outcome: 'delivered',
      response: { statusCode, bodyExcerpt: toExcerpt([Buffer.from(hide(response), 'utf8')]) },
    };
  } catch (error) {
    return classifySmtpError(toSmtpError(error, messageStarted(signal), hide));
  }
}

/**
 * Creates the SMTP sender, with a pooled transport per sender of a channel and an explicit envelope. It connects only
 * to addresses that the policy allows.
 */
export function createSmtpSender({ isAddressAllowed, resolve }: SenderOptions): EmailSender {
  const transports = createSmtpTransports(
    createSocketOpener(createVettedResolver(isAddressAllowed, resolve)),
  );
  return {
    async send(email) {
      const settings = readSmtpSettings(email.settings);
      if (!settings) return failure('smtp_connection_failed', "The channel's configuration is not complete.");
      if (settings.dkim && email.credentials[DKIM_KEY_FIELD] === undefined) {
        return failure('smtp_auth_failed', 'Nothing was sent: the key that signs the mail is missing.');
      }
      const transport = transports.get({ ...email, settings });
      const hide = hideCredentials(settings.username ?? '', email.credentials.password);
      const limit = limitTime(email);
      try {
        return await transmit(transport, composeEmail(email.message), { signal: limit.signal, hide });
      } finally {
        limit.stop();
      }
    },
    close: () => transports.close(),
  };
}
