import type { MailMessage } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import { createServiceSender, type ServiceApi } from '../../../http/service-sender.ts';
import type { SenderOptions } from '../../../sender.ts';
import type { EmailSender, EmailToSend } from '../../provider.ts';
import { composeEmail, writeOwnHeaders } from '../smtp/mail-headers.ts';
import type { ProviderApi, ToMime } from './request.ts';

/** docs/specification.md, "Email providers". */
const CODES: ServiceApi<EmailToSend>['codes'] = {
  message: 'email_permanent_rejection',
  account: 'email_auth_failed',
  later: 'email_temporary_rejection',
  unknown: 'email_outcome_unknown',
  connection: 'email_connection_failed',
};

const toMime: ToMime = async (message) => {
  const composed = composeEmail(message);
  const node = new MailComposer(composed).compile();
  writeOwnHeaders({ data: composed, message: node } as unknown as MailMessage, () => undefined);
  const mime = await new Promise<Buffer>((resolve, reject) => {
    node.build((error, built) => (error ? reject(error) : resolve(built)));
  });
  return { mime, recipients: [message.to.email, ...message.cc, ...message.bcc] };
};

/** Creates the sender of a provider that takes mail over HTTP. */
export function createProviderSender(
  api: ProviderApi & { readonly label: string },
  options: SenderOptions,
): EmailSender {
  const request = (email: EmailToSend) => api.request(email, toMime);
  const recipientOf = ({ message }: EmailToSend) => message.to.email;
  return createServiceSender({ ...api, request, codes: CODES, recipientOf }, options);
}
