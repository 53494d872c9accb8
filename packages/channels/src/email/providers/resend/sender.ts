import { createHash } from 'node:crypto';
import { onOneLine } from '@postrider/domain';
import type { SenderOptions } from '../../../sender.ts';
import type { EmailSender, EmailToSend } from '../../provider.ts';
import { providerUrl } from '../http/endpoint.ts';
import { addressText, RUN_METADATA } from '../http/message.ts';
import { createProviderSender, type ProviderApi, type ProviderRequest } from '../http/sender.ts';

/**
 * The idempotency key, which Resend keeps for 24 hours: the run and a digest of the request. With the run alone,
 * Resend would refuse a retry after the operator corrected the channel, because the request differs.
 */
function idempotencyKey(runId: string, body: string): string {
  return `${runId}/${createHash('sha256').update(body).digest('base64url').slice(0, 22)}`;
}

/** Resend replaces the `Message-ID`, so feedback finds the run by the tag. */
function request({ settings, credentials, message, runId }: EmailToSend): ProviderRequest | null {
  if (!credentials.api_key) return null;
  const { from, to, cc, bcc, replyTo, subject, text, html, headers, attachments } = message;
  const body = JSON.stringify({
    from: addressText(from),
    to: [addressText(to)],
    ...(cc.length > 0 ? { cc } : {}),
    ...(bcc.length > 0 ? { bcc } : {}),
    ...(replyTo === null ? {} : { reply_to: replyTo }),
    subject: onOneLine(subject),
    ...(text === null ? {} : { text }),
    ...(html === null ? {} : { html }),
    headers,
    tags: [{ name: RUN_METADATA, value: runId }],
    ...(attachments.length === 0
      ? {}
      : {
          attachments: attachments.map(({ filename, contentType, content, cid }) => ({
            filename,
            content_type: contentType,
            content: content.toString('base64'),
            ...(cid === undefined ? {} : { content_id: cid }),
          })),
        }),
  });
  return {
    url: providerUrl(settings.endpoint, 'https://api.resend.com', '/emails'),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      // Resend refuses requests without a user agent.
      'user-agent': 'Postrider/1.0',
      authorization: `Bearer ${credentials.api_key}`,
      'idempotency-key': idempotencyKey(runId, body),
    },
    body,
  };
}

/**
 * Resend's API. A retry after an unknown outcome uses the same key, so the mail is sent once. While the first request
 * is in progress Resend says so, and its outcome is unknown.
 * @see https://resend.com/docs/api-reference/errors
 * @see https://resend.com/docs/dashboard/emails/idempotency-keys
 */
const RESEND_API: ProviderApi = {
  label: 'Resend',
  request,
  messageIdOf: ({ body }) => (typeof body.id === 'string' ? body.id : null),
  errorOf: ({ body }) => (typeof body.name === 'string' ? body.name : null),
  errors: {
    missing_api_key: 'account',
    restricted_api_key: 'account',
    invalid_api_key: 'account',
    invalid_access: 'account',
    invalid_region: 'account',
    not_found: 'account',
    method_not_allowed: 'account',
    concurrent_idempotent_requests: 'unknown',
    invalid_idempotent_request: 'unknown',
    daily_quota_exceeded: 'later',
    monthly_quota_exceeded: 'later',
    rate_limit_exceeded: 'later',
    security_error: 'message',
    application_error: 'unknown',
    internal_server_error: 'unknown',
  },
  statuses: {},
};

export const createResendSender = (options: SenderOptions): EmailSender =>
  createProviderSender(RESEND_API, options);
