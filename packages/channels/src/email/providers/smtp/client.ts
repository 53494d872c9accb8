import type { AttemptError, AttemptOutcome, BouncedAddress, SkippedCopy } from '@postrider/domain';
import { PRIVATE_KEY } from '../../../certificates.ts';
import { ADDRESS_BLOCKED, explainConnection } from '../../../connection-errors.ts';
import { hideCredentials } from '../../../hide-credentials.ts';
import { createVettedResolver } from '../../../host.ts';
import { createHttpClient } from '../../../http/create-client.ts';
import { createAccessTokens } from '../../../http/oauth2.ts';
import { delivered, failure, limitTime, type SenderOptions, toExcerpt } from '../../../sender.ts';
import { feedbackReason } from '../../feedback.ts';
import type { EmailToSend, ProviderClient } from '../../provider.ts';
import { type ComposedEmail, composeEmail } from './compose.ts';
import { dkimKeys } from './dkim-settings.ts';
import { MAX_REFUSAL_CHARACTERS } from './early-refusals.ts';
import { tokenSourceOf } from './oauth2-settings.ts';
import { classifyReply, type SmtpRefusal, type SmtpReply, type SmtpStage } from './replies.ts';
import { needsToken, withToken } from './return-path.ts';
import { SMTP_SETTINGS, type SmtpSettings } from './settings.ts';
import { createSmtpTransports, NOT_COMPOSED, type SmtpTransport } from './transports.ts';

/** The id under which Postfix (`queued as`) and Exim (`id=`) keep the mail, by which it is found in their logs. */
const QUEUE_ID = /\b(?:queued as |id=)([\w.-]{6,64})/;

/** A failed delivery, as the SMTP client reports it. */
interface SmtpError {
  /** The library's kind of error. */
  readonly kind: string;
  /** The server's refusal, or null. */
  readonly reply: SmtpReply | null;
  /** The refused command, such as `RCPT TO`. */
  readonly command: string | null;
  /** Whether sending of the message had begun. */
  readonly messageStarted: boolean;
  /** A sentence that explains the kind; null if there is none. */
  readonly reason: string | null;
}

/** A failure of this message that no other try changes. */
const FOR_GOOD = { retryable: false, about: 'message' } as const;

/** The outcome of each kind of refusal. A refused sender is retried, because the operator can correct it. */
const OUTCOMES: Readonly<Record<SmtpRefusal, Pick<AttemptError, 'code' | 'retryable' | 'about'>>> = {
  login: { code: 'smtp_auth_failed', retryable: true },
  sender: { code: 'smtp_sender_refused', retryable: true },
  busy: { code: 'smtp_temporary_rejection', retryable: true },
  later: { code: 'smtp_temporary_rejection', retryable: true, about: 'message' },
  message: { code: 'smtp_permanent_rejection', ...FOR_GOOD },
  recipient: { code: 'smtp_permanent_rejection', ...FOR_GOOD },
  address: { code: 'smtp_permanent_rejection', ...FOR_GOOD },
};

const excerptOf = (text: string) => toExcerpt([Buffer.from(text, 'utf8')]);

/** What the server answered, if the library's command does not say it: DATA is also that of replies to the message after it. */
const NAMES: Readonly<Record<string, string>> = { CONN: 'the connection', DATA: 'the message' };

function refused(reply: SmtpReply, command: string | null): AttemptOutcome {
  const { refusal, why } = classifyReply(reply);
  const { code, ...outcome } = OUTCOMES[refusal];
  const to = NAMES[command ?? ''] ?? command;
  const message = `The server answered ${reply.code}${to ? ` to ${to}` : ''}: ${why}.`;
  const response = { statusCode: reply.code, bodyExcerpt: excerptOf(reply.text) };
  return failure(code, message, { ...outcome, response });
}

/** Why it is not known whether the server took a mail, by the library's kind of error. Any other kind is a lost connection. */
const UNKNOWN_BECAUSE: Readonly<Record<string, string>> = {
  EABORT: 'The server did not answer within the time limit',
  ETIMEDOUT: 'The server did not answer within the time limit',
  EMESSAGE: "The server's reply does not say whether it accepted the mail",
};

/**
 * Classifies a failed SMTP exchange. The reply decides if there is one (see `replies.ts`). Without one, a message whose
 * sending had begun may have been taken.
 */
function classifySmtpError({ kind, reply, command, messageStarted, reason }: SmtpError): AttemptOutcome {
  const why = reason === null ? '' : ` ${reason}`;
  if (kind === ADDRESS_BLOCKED) {
    return failure('smtp_connection_failed', `The SMTP host is at an address that is not allowed.${why}`, {
      retryable: false,
    });
  }
  if (reply) return refused(reply, command);
  // As `API`, the library's own check of the addresses; otherwise a reply with a code that SMTP does not define.
  if (kind === NOT_COMPOSED || (kind === 'EENVELOPE' && command === 'API')) {
    const message =
      'Nothing was sent: the addresses cannot be written exactly as they are. This is an error in Postrider: report it.';
    return failure('email_not_composed', message, FOR_GOOD);
  }
  if (kind === 'EAUTH' || kind === 'ENOAUTH') {
    return failure('smtp_auth_failed', 'The login to the server failed.');
  }
  if (kind === 'EMESSAGE' && !messageStarted) {
    return failure('smtp_permanent_rejection', 'The message is larger than the server accepts.', FOR_GOOD);
  }
  if (messageStarted) {
    const because = UNKNOWN_BECAUSE[kind] ?? 'The connection was lost before the server answered';
    return failure('smtp_outcome_unknown', `${because} (${kind}).`, { status: 'unknown' });
  }
  return failure('smtp_connection_failed', `The session with the server failed (${kind}).${why}`);
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const STAGES: Readonly<Record<string, SmtpStage>> = {
  CONN: 'connect',
  EHLO: 'hello',
  HELO: 'hello',
  STARTTLS: 'starttls',
  'MAIL FROM': 'mail',
  'RCPT TO': 'rcpt',
  RSET: 'mail',
};

/**
 * The stage of a command. The library names the connection in errors that end it at any time, so a message whose
 * sending has begun is at its end.
 */
function stageOf(kind: string, command: string, messageStarted: boolean): SmtpStage {
  if (kind === 'EAUTH' || kind === 'ENOAUTH' || command.startsWith('AUTH')) return 'auth';
  if (messageStarted) return 'end';
  return STAGES[command] ?? (kind === 'EMESSAGE' ? 'end' : 'data');
}

function toSmtpError(error: unknown, messageStarted: boolean, hide: (text: string) => string): SmtpError {
  const { code, originalCode, response, command: given } = error as Record<string, unknown>;
  const kind = textOrNull(originalCode) ?? textOrNull(code) ?? 'unknown error';
  const command = textOrNull(given);
  const text = textOrNull(response) ?? '';
  // The library's `responseCode` has all digits that a server sends, which can be more than the database takes.
  const replyCode = Number(/^\d{3}/.exec(text)?.[0] ?? 0);
  const stage = stageOf(String(code), command ?? '', messageStarted);
  return {
    kind,
    command,
    messageStarted,
    reason: explainConnection(error),
    reply: replyCode >= 400 ? { stage, code: replyCode, text: hide(text) } : null,
  };
}

/** The refusal of one recipient. */
type RecipientError = { readonly recipient?: string | undefined };

/**
 * What a refusal says about an address. One after the recipients is about the only one; of several it does not say which.
 */
function bounceOf(recipient: string | undefined, { reply }: SmtpError): BouncedAddress[] {
  if (recipient === undefined || reply === null) return [];
  const { refusal } = classifyReply(reply);
  if (refusal !== 'address' && refusal !== 'recipient') return [];
  return [{ email: recipient, permanent: refusal === 'address', reason: feedbackReason(reply.text) }];
}

/** The outcome with the refused addresses. The refused copies of a mail that was taken are not tried again, so all are bounces. */
function withRefused(
  outcome: AttemptOutcome,
  bounces: readonly BouncedAddress[],
  skippedCopies: readonly SkippedCopy[],
): AttemptOutcome {
  const isBounced = (email: string) => bounces.some((bounce) => bounce.email === email);
  const others = outcome.error ? [] : skippedCopies.filter(({ email }) => !isBounced(email));
  const all = [...bounces, ...others.map(({ email, reason }) => ({ email, permanent: false, reason }))];
  return {
    ...outcome,
    bounces: all.length > 0 ? all : undefined,
    skippedCopies: skippedCopies.length > 0 ? skippedCopies : undefined,
  };
}

async function transmit(
  { transporter, messageStarted, earlyRefusals }: SmtpTransport,
  message: ComposedEmail,
  { signal, hide }: { signal: AbortSignal; hide: (text: string) => string },
): Promise<AttemptOutcome> {
  const [recipient, ...copies] = message.envelope.to;
  const isOfRecipient = (error: RecipientError) => error.recipient === recipient;
  const hideInRefusal = (text: string) => hide(text.slice(0, MAX_REFUSAL_CHARACTERS));
  const bouncesOf = (errors: readonly RecipientError[]) =>
    errors.flatMap((error) => bounceOf(error.recipient, toSmtpError(error, false, hideInRefusal)));
  const refusedCopiesOf = (errors: readonly RecipientError[]) =>
    errors.flatMap((error): SkippedCopy[] => {
      const { recipient: email } = error;
      if (email === undefined || email === recipient) return [];
      const reason = feedbackReason(toSmtpError(error, false, hideInRefusal).reply?.text);
      return [{ email, outcome: 'refused', reason }];
    });
  try {
    const { response = '250', rejectedErrors = [] } = await transporter.sendMail({ ...message, signal });
    // A server may accept the mail for copies only. The run is about its recipient.
    const refusal = rejectedErrors.find(isOfRecipient);
    const bounces = bouncesOf(rejectedErrors);
    const refusedCopies = refusedCopiesOf(rejectedErrors);
    if (refusal) {
      return withRefused(classifySmtpError(toSmtpError(refusal, false, hide)), bounces, refusedCopies);
    }
    const statusCode = Number(/^\d{3}/.exec(response)?.[0] ?? 250);
    const shown = hide(response);
    const queueId = QUEUE_ID.exec(shown)?.[1];
    const taken = delivered(
      { statusCode, bodyExcerpt: excerptOf(shown) },
      queueId === undefined ? {} : { providerMessageId: queueId },
    );
    return withRefused(taken, bounces, refusedCopies);
  } catch (error) {
    const early = earlyRefusals(error);
    const { rejectedErrors } = error as { readonly rejectedErrors?: readonly RecipientError[] };
    const rejected = rejectedErrors ?? early.filter(({ command }) => command === 'RCPT TO');
    const refusal = early.find(({ command }) => command === 'MAIL FROM') ?? rejected.find(isOfRecipient);
    const failed = refusal
      ? toSmtpError(refusal, false, hide)
      : toSmtpError(error, messageStarted(signal), hide);
    const isOfOne = rejected.length === 0 && copies.length === 0;
    const bounces = isOfOne ? bounceOf(recipient, failed) : bouncesOf(rejected);
    return withRefused(classifySmtpError(failed), bounces, refusedCopiesOf(rejected));
  }
}

const nothingSent = (why: string) => failure('smtp_auth_failed', `Nothing was sent: ${why}.`);

/** The address that bounces of a mail go to; null if its token is not available. */
async function returnPathOf(
  { return_path: returnPath }: SmtpSettings,
  { mail, bounceToken }: EmailToSend,
): Promise<string | null> {
  if (returnPath === undefined) return mail.from.email;
  if (!needsToken(returnPath)) return withToken(returnPath, '');
  const token = await bounceToken?.().catch(() => null);
  return token ? withToken(returnPath, token) : null;
}

/**
 * Creates the SMTP client, with a pooled transport per account of a channel and an explicit SMTP envelope. It connects only
 * to addresses that the policy allows, also for access tokens.
 */
export function createSmtpClient(options: SenderOptions): ProviderClient {
  const { isAddressAllowed, resolve } = options;
  const http = createHttpClient(options);
  const tokens = createAccessTokens(http, { code: 'smtp_auth_failed' });
  const transports = createSmtpTransports(createVettedResolver(isAddressAllowed, resolve));
  return {
    async send(email) {
      const settings = SMTP_SETTINGS.read(email.settings);
      if (!settings) return failure('smtp_connection_failed', "The channel's configuration is incomplete.");
      const signedBy = dkimKeys(settings, email.credentials);
      if (signedBy === null) return nothingSent('a key that signs the mail is missing');
      if (settings.certificate !== undefined && email.credentials[PRIVATE_KEY] === undefined) {
        return nothingSent('the key of the client certificate is missing');
      }
      const source = tokenSourceOf(settings, email.credentials);
      if (source === null) return nothingSent('the client secret is missing');
      const returnPath = await returnPathOf(settings, email);
      if (returnPath === null) return nothingSent('the key of the return path could not be decrypted');
      const limit = limitTime(email);
      const { signal } = limit;
      /** @param secret the password or the access token */
      const sendOnce = async (secret: string | undefined) => {
        const transport = transports.get({ ...email, settings, signedBy, usesTokens: source !== undefined });
        const { login } = transport;
        if (login && secret !== undefined) login.current = secret;
        // A connection that another delivery opened may have logged in with a newer token.
        const hide = (text: string) =>
          [...new Set([secret, login?.current, login?.refused])].reduce<string>(
            (shown, used) => hideCredentials(settings.username ?? '', used ?? undefined)(shown),
            text,
          );
        const outcome = await transmit(transport, composeEmail(email.mail, returnPath), {
          signal,
          hide,
        });
        const isLoginFailed = outcome.status === 'failed' && outcome.error.code === 'smtp_auth_failed';
        return { outcome, isTokenRefused: isLoginFailed && login?.refused === secret };
      };
      try {
        if (!source) return (await sendOnce(email.credentials.password)).outcome;
        const { channel, account, timeoutMs } = email;
        const limits = { leftMs: () => timeoutMs, signal };
        return await tokens.sendWithToken({ channel, account, ...source }, limits, sendOnce);
      } finally {
        limit.stop();
      }
    },
    close() {
      transports.close();
      http.close();
    },
  };
}
