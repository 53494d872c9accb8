import type { MailMessage } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import { createServiceClient, type ServiceApi } from '../../../http/service-client.ts';
import type { SenderOptions } from '../../../sender.ts';
import type { EmailMessage, EmailToSend, ProviderClient } from '../../provider.ts';
import { asciiHeaders, composeEmail, writeOwnHeaders } from '../smtp/compose.ts';
import type { ProviderApi, ToMime } from './request.ts';

/** docs/email-providers.md, "What a reply means". */
const CODES: ServiceApi<EmailToSend>['codes'] = {
  message: 'email_permanent_rejection',
  account: 'email_auth_failed',
  later: 'email_temporary_rejection',
  unknown: 'email_outcome_unknown',
  connection: 'email_connection_failed',
};

async function toMime(message: EmailMessage): ReturnType<ToMime> {
  const composed = composeEmail(message);
  const node = new MailComposer(composed).compile();
  writeOwnHeaders({ data: composed, message: node } as unknown as MailMessage, () => undefined);
  const mime = await new Promise<Buffer>((resolve, reject) => {
    node.build((error, built) => (error ? reject(error) : resolve(built)));
  });
  return { mime, recipients: [message.to.email, ...message.cc, ...message.bcc] };
}

/** Creates the client of a provider that takes mail over HTTP. */
export function createHttpProviderClient(
  api: ProviderApi & { readonly label: string },
  options: SenderOptions,
): ProviderClient {
  const request = (email: EmailToSend) => {
    const { mail } = email;
    const headers = asciiHeaders(mail.headers);
    return api.request({ ...email, mail: { ...mail, headers } }, () => toMime(mail));
  };
  const recipientOf = ({ mail }: EmailToSend) => mail.to.email;
  return createServiceClient({ ...api, request, codes: CODES, recipientOf }, options);
}
