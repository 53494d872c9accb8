import type { Attempt, DeliveryRun } from './types.ts';

type DeliveryErrorCode = NonNullable<Attempt['error_code']>;

/**
 * What each error code of a delivery means, in a few words that start a sentence. The compiler refuses a missing code.
 */
export const ERROR_NAMES: Readonly<Record<DeliveryErrorCode, string>> = {
  webhook_http_error: 'The endpoint responded with an error',
  webhook_timeout: 'The endpoint did not respond in time',
  webhook_connection_failed: 'The endpoint could not be reached',
  webhook_dns_failed: 'The host name of the endpoint was not found',
  webhook_tls_failed: 'The endpoint’s certificate was not accepted',
  webhook_redirect_refused: 'The endpoint redirects to another address',
  webhook_address_blocked: 'The address of the endpoint is not allowed',
  webhook_endpoint_gone: 'The endpoint says that it is gone',
  webhook_auth_failed: 'There were no valid credentials for the endpoint',
  smtp_connection_failed: 'The mail server could not be reached',
  smtp_auth_failed: 'The mail server refused the login',
  smtp_sender_refused: 'The mail server refused the sender',
  smtp_temporary_rejection: 'The mail server is not accepting the email now',
  smtp_permanent_rejection: 'The mail server refused the email',
  smtp_outcome_unknown: 'The connection broke, so the mail server may have the email',
  email_connection_failed: 'The email service could not be reached',
  email_auth_failed: 'The email service refused the login or the settings',
  email_temporary_rejection: 'The email service is not accepting the email now',
  email_permanent_rejection: 'The email service refused the email',
  email_outcome_unknown: 'The connection broke, so the email service may have the email',
  email_not_composed: 'The email could not be written, because of an error in Postrider',
  amqp_connection_failed: 'The broker could not be reached',
  amqp_auth_failed: 'The broker refused the login',
  amqp_rejected: 'The broker refused the message',
  amqp_outcome_unknown: 'The broker did not confirm, so it may have the message',
  sqs_connection_failed: 'The queue could not be reached',
  sqs_auth_failed: 'The queue refused the key or its permissions',
  sqs_rejected: 'The queue refused the message',
  sqs_outcome_unknown: 'The queue did not respond, so it may have the message',
  kafka_connection_failed: 'The cluster could not be reached',
  kafka_auth_failed: 'The cluster refused the login',
  kafka_rejected: 'The cluster refused the record',
  kafka_outcome_unknown: 'The cluster did not confirm, so it may have the record',
  template_render_failed: 'The template could not be filled with this event',
  channel_disabled: 'The channel was disabled or deleted',
  expired: 'The event expired before it could be sent',
  recipient_suppressed: 'The recipient is on the suppression list',
  scheduled_cancelled: 'The delivery was cancelled',
  worker_lost: 'The worker stopped while it was sending, so the outcome is unknown',
};

/** The enhanced status codes of mail servers (RFC 3463) that say more than the error code. */
const MAIL_REPLIES: readonly (readonly [RegExp, string])[] = [
  [/\b5\.1\.(1|10)\b/, 'The mailbox does not exist'],
  [/\b5\.1\.2\b/, 'The domain of the address does not exist'],
  [/\b5\.2\.1\b/, 'The mailbox is disabled'],
  [/\b[45]\.2\.2\b/, 'The mailbox is full'],
  [/\b[45]\.3\.4\b|\b5\.2\.3\b/, 'The email is too large'],
  [/\b5\.7\.(1|2[0-9])\b/, 'The mail server refused the email by its rules'],
];

const mailReply = (text: string | null | undefined) =>
  text ? MAIL_REPLIES.find(([code]) => code.test(text))?.[1] : undefined;

/** The name of an error code; the code itself, in words, if it is newer than this client. */
export function errorName(code: string): string {
  const words = code.replaceAll('_', ' ');
  return (
    (ERROR_NAMES as Readonly<Record<string, string>>)[code] ?? words.charAt(0).toUpperCase() + words.slice(1)
  );
}

/** Why an attempt failed, in words: what the mail server's reply says, otherwise the name of the error code. */
export function attemptProblem(
  attempt: Pick<Attempt, 'error_code' | 'error_message' | 'response'>,
): string | null {
  const { error_code: code, error_message: message, response } = attempt;
  if (code === null) return null;
  const isMail = code.startsWith('smtp_') || code.startsWith('email_');
  const said = isMail ? (mailReply(response?.body_excerpt) ?? mailReply(message)) : undefined;
  return said ?? errorName(code);
}

/** Why a run is held, in words that continue a sentence. */
export const HOLD_REASONS: Readonly<Record<NonNullable<DeliveryRun['held_by']>, string>> = {
  channel_paused: 'the channel is paused',
  ordering_key: 'earlier events of its ordering key come first',
  channel_limits: 'the channel is at its limit',
  stream_paused: 'the stream is paused because of complaints',
};

/** Why an email came back, in words, from the reason in its feedback. */
export const bounceProblem = (reason: string | null): string | null => mailReply(reason) ?? null;
