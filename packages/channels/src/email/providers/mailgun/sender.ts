import type { SenderOptions } from '../../../sender.ts';
import type { EmailSender, EmailToSend } from '../../provider.ts';
import { providerUrl } from '../http/endpoint.ts';
import { mimeMessage, RUN_METADATA } from '../http/message.ts';
import { createProviderSender, type ProviderApi, type ProviderRequest } from '../http/sender.ts';

const HOSTS: Readonly<Record<string, string>> = {
  us: 'https://api.mailgun.net',
  eu: 'https://api.eu.mailgun.net',
};

/** The message is MIME, so Mailgun keeps its `Message-ID`. Every event returns the variable. */
async function request({
  settings,
  credentials,
  message,
  runId,
}: EmailToSend): Promise<ProviderRequest | null> {
  const { domain, region, endpoint } = settings;
  const publicBase = HOSTS[String(region ?? 'us')];
  if (publicBase === undefined || typeof domain !== 'string' || !credentials.api_key) return null;
  const { mime, recipients } = await mimeMessage(message);
  const form = new FormData();
  for (const recipient of recipients) form.append('to', recipient);
  form.append(`v:${RUN_METADATA}`, runId);
  form.append('message', new Blob([new Uint8Array(mime)]), 'message.mime');
  const encoded = new Response(form);
  return {
    url: providerUrl(endpoint, publicBase, `/v3/${encodeURIComponent(domain)}/messages.mime`),
    headers: {
      'content-type': String(encoded.headers.get('content-type')),
      accept: 'application/json',
      authorization: `Basic ${Buffer.from(`api:${credentials.api_key}`).toString('base64')}`,
    },
    body: await encoded.text(),
  };
}

/**
 * Mailgun's API. Its errors have a text but no name, so the status decides. 404 is a domain that the account does not
 * have. The documentation says nothing about a 500 except to try again.
 * @see https://documentation.mailgun.com/docs/mailgun/quickstart-guide/responses
 */
const MAILGUN_API: ProviderApi = {
  label: 'Mailgun',
  request,
  messageIdOf: ({ body }) => (typeof body.id === 'string' ? body.id : null),
  errorOf: () => null,
  errors: {},
  statuses: { 404: 'account', 500: 'unknown' },
};

export const createMailgunSender = (options: SenderOptions): EmailSender =>
  createProviderSender(MAILGUN_API, options);
