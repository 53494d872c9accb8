import { toExcerpt } from '../../../excerpt.ts';
import { failure, type RemoteResponse, type SendResult } from '../../../sender.ts';

/** What the SMTP client reports of a failed delivery. */
export interface SmtpError {
  /** The library's kind of error. */
  readonly kind: string;
  /** The server's reply code; null when it gave none. */
  readonly replyCode: number | null;
  readonly reply: string | null;
  /** The command that was answered, such as `RCPT TO`. */
  readonly command: string | null;
  /** Whether anything of the message had left. */
  readonly messageStarted: boolean;
}

const BAD_SEQUENCE = 503;

function describe({ command, replyCode }: SmtpError): string {
  return `The server answered ${replyCode}${command ? ` to ${command}` : ''}.`;
}

function isAboutAuthentication({ kind, command }: SmtpError): boolean {
  return kind === 'EAUTH' || kind === 'ENOAUTH' || (command ?? '').startsWith('AUTH');
}

/**
 * What a failed SMTP exchange means (RFC 5321 section 4.2.1: 4yz may pass, 5yz will not). A reply code
 * decides wherever there is one; 503 (bad sequence) is about the session and not the message. Without a code,
 * a message that had begun to leave may have been taken. Refused credentials are retried: the operator fixes
 * the password and the mail shall then go.
 */
export function classifySmtpError(error: SmtpError): SendResult {
  const { kind, replyCode, reply, messageStarted } = error;
  const response: RemoteResponse | null = replyCode
    ? { statusCode: replyCode, bodyExcerpt: reply === null ? null : toExcerpt([Buffer.from(reply, 'utf8')]) }
    : null;
  if (kind === 'POSTRIDER_ADDRESS_BLOCKED') {
    return failure('smtp_connection_failed', 'The SMTP host leads to an address that is not allowed.', {
      retryable: false,
    });
  }
  if (isAboutAuthentication(error)) {
    const answer = replyCode ? ` (${replyCode})` : '';
    return failure('smtp_auth_failed', `The server refused the credentials${answer}.`, { response });
  }
  if (replyCode && replyCode >= 500 && replyCode !== BAD_SEQUENCE) {
    return failure('smtp_permanent_rejection', describe(error), { retryable: false, response });
  }
  if (replyCode && replyCode >= 400)
    return failure('smtp_temporary_rejection', describe(error), { response });
  if (kind === 'EMESSAGE' && !messageStarted) {
    return failure('smtp_permanent_rejection', 'The message is larger than the server takes.', {
      retryable: false,
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
