import { toExcerpt } from '../../../excerpt.ts';
import { failure, type RemoteResponse, type SendResult } from '../../../sender.ts';

/** A failed delivery, as the SMTP client reports it. */
export interface SmtpError {
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
