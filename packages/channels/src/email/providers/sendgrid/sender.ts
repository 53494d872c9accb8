import { isJsonObject, onOneLine } from '@postrider/domain';
import type { SenderOptions } from '../../../sender.ts';
import type { EmailMessage, EmailSender, EmailToSend } from '../../provider.ts';
import { providerUrl } from '../http/endpoint.ts';
import { RUN_METADATA } from '../http/message.ts';
import { createProviderSender, type ProviderApi, type ProviderRequest } from '../http/sender.ts';

const HOSTS: Readonly<Record<string, string>> = {
  global: 'https://api.sendgrid.com',
  eu: 'https://api.eu.sendgrid.com',
};

const address = ({ email, name }: EmailMessage['from']) => {
  const shown = onOneLine(name ?? '');
  return shown === '' ? { email } : { email, name: shown };
};

/** Every event returns the custom argument. SendGrid keeps the `Message-ID`. */
function request({ settings, credentials, message, runId }: EmailToSend): ProviderRequest | null {
  const publicBase = HOSTS[String(settings.region ?? 'global')];
  if (publicBase === undefined || !credentials.api_key) return null;
  const { from, to, cc, bcc, replyTo, subject, text, html, headers, messageId, attachments } = message;
  const only = (email: string) => ({ email });
  const body = {
    personalizations: [
      {
        to: [address(to)],
        ...(cc.length > 0 ? { cc: cc.map(only) } : {}),
        ...(bcc.length > 0 ? { bcc: bcc.map(only) } : {}),
        custom_args: { [RUN_METADATA]: runId },
      },
    ],
    from: address(from),
    ...(replyTo === null ? {} : { reply_to: { email: replyTo } }),
    subject: onOneLine(subject),
    // The API requires plain text before HTML.
    content: [
      ...(text === null ? [] : [{ type: 'text/plain', value: text }]),
      ...(html === null ? [] : [{ type: 'text/html', value: html }]),
    ],
    headers: { ...headers, 'Message-ID': messageId },
    ...(attachments.length === 0
      ? {}
      : {
          attachments: attachments.map(({ filename, contentType, content, cid }) => ({
            filename,
            type: contentType,
            content: content.toString('base64'),
            ...(cid === undefined
              ? { disposition: 'attachment' }
              : { disposition: 'inline', content_id: cid }),
          })),
        }),
  };
  return {
    url: providerUrl(settings.endpoint, publicBase, '/v3/mail/send'),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: `Bearer ${credentials.api_key}`,
    },
    body: JSON.stringify(body),
  };
}

/**
 * SendGrid's API. Its errors have a field and a text but no name, so the status decides. 401 is also returned to an
 * account without credits, 403 for an address that is not a verified sender, and 503 when the API is not available.
 * @see https://www.twilio.com/docs/sendgrid/api-reference/mail-send/errors
 * @see https://www.twilio.com/docs/sendgrid/api-reference/how-to-use-the-sendgrid-v3-api/rate-limits
 */
const SENDGRID_API: ProviderApi = {
  label: 'SendGrid',
  request,
  messageIdOf: ({ header }) => header('x-message-id'),
  errorOf({ body: { errors } }) {
    const [first = null] = Array.isArray(errors) ? errors : [];
    return isJsonObject(first) && typeof first.field === 'string' ? first.field : null;
  },
  errors: {},
  statuses: { 500: 'unknown', 503: 'later' },
  retryAfterMsOf({ header }, nowMs) {
    const resetsAt = header('x-ratelimit-reset') ?? '';
    return /^\d{1,12}$/.test(resetsAt) ? Math.max(0, Number(resetsAt) * 1_000 - nowMs) : null;
  },
};

export const createSendgridSender = (options: SenderOptions): EmailSender =>
  createProviderSender(SENDGRID_API, options);
