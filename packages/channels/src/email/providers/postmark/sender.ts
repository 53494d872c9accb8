import { onOneLine } from '@postrider/domain';
import type { SenderOptions } from '../../../sender.ts';
import type { EmailSender, EmailToSend } from '../../provider.ts';
import { providerUrl } from '../http/endpoint.ts';
import { addressText, RUN_METADATA } from '../http/message.ts';
import { createProviderSender, type ProviderApi, type ProviderRequest } from '../http/sender.ts';

/** `X-PM-KeepID` makes Postmark keep the `Message-ID`, which it would replace otherwise. */
function request({ settings, credentials, message, runId }: EmailToSend): ProviderRequest | null {
  const { server_token: token } = credentials;
  if (!token) return null;
  const { from, to, cc, bcc, replyTo, subject, text, html, messageId, attachments } = message;
  const headers = { ...message.headers, 'Message-ID': messageId, 'X-PM-KeepID': 'true' };
  const body = {
    From: addressText(from),
    To: addressText(to),
    ...(cc.length > 0 ? { Cc: cc.join(', ') } : {}),
    ...(bcc.length > 0 ? { Bcc: bcc.join(', ') } : {}),
    ...(replyTo === null ? {} : { ReplyTo: replyTo }),
    Subject: onOneLine(subject),
    ...(text === null ? {} : { TextBody: text }),
    ...(html === null ? {} : { HtmlBody: html }),
    MessageStream: typeof settings.message_stream === 'string' ? settings.message_stream : 'outbound',
    Metadata: { [RUN_METADATA]: runId },
    Headers: Object.entries(headers).map(([Name, Value]) => ({ Name, Value })),
    ...(attachments.length === 0
      ? {}
      : {
          Attachments: attachments.map(({ filename, contentType, content, cid }) => ({
            Name: filename,
            ContentType: contentType,
            Content: content.toString('base64'),
            ...(cid === undefined ? {} : { ContentID: `cid:${cid}` }),
          })),
        }),
  };
  return {
    url: providerUrl(settings.endpoint, 'https://api.postmarkapp.com', '/email'),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'x-postmark-server-token': token,
    },
    body: JSON.stringify(body),
  };
}

/**
 * Postmark's API. It says that the message of a 500 is lost "in most cases", so it may have been accepted.
 * @see https://postmarkapp.com/developer/api/overview#error-codes
 */
const POSTMARK_API: ProviderApi = {
  label: 'Postmark',
  request,
  messageIdOf: ({ body }) => (typeof body.MessageID === 'string' ? body.MessageID : null),
  errorOf: ({ body }) => (typeof body.ErrorCode === 'number' ? String(body.ErrorCode) : null),
  errors: {
    // Bad or missing API token.
    10: 'account',
    // Maintenance.
    100: 'later',
    // Invalid email request.
    300: 'message',
    // Sender signature not found, not confirmed.
    400: 'account',
    401: 'account',
    // Not allowed to send: out of credits.
    405: 'account',
    // Inactive recipient: it bounced, complained or unsubscribed before.
    406: 'message',
    // Forbidden attachment type.
    411: 'message',
    // Account is pending, or may not send.
    412: 'account',
    413: 'account',
    429: 'later',
  },
  statuses: { 500: 'unknown', 503: 'later' },
};

export const createPostmarkSender = (options: SenderOptions): EmailSender =>
  createProviderSender(POSTMARK_API, options);
