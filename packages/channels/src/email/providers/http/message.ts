import { onOneLine } from '@postrider/domain';
import type { MailMessage } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { EmailMessage } from '../../provider.ts';
import { composeEmail, writeOwnHeaders } from '../smtp/mail-headers.ts';

/** The metadata of a message that names its run, by which feedback finds it. */
export const RUN_METADATA = 'postrider_run';

/**
 * An address with its display name for an API that reads them as text: the name is always a quoted string, so that
 * nothing in it can be read as an address (RFC 5322 section 3.2.4).
 */
export function addressText({ email, name }: EmailMessage['from']): string {
  const shown = onOneLine(name ?? '');
  return shown === '' ? email : `"${shown.replace(/["\\]/g, '\\$&')}" <${email}>`;
}

/**
 * The message as MIME, with the headers, parts and `Message-ID` that SMTP servers get, and who it goes to. It is
 * ASCII: other text is encoded.
 */
export async function mimeMessage(message: EmailMessage): Promise<{ mime: Buffer; recipients: string[] }> {
  const composed = composeEmail(message);
  const node = new MailComposer(composed).compile();
  writeOwnHeaders({ data: composed, message: node } as unknown as MailMessage, () => undefined);
  const mime = await new Promise<Buffer>((resolve, reject) => {
    node.build((error, built) => (error ? reject(error) : resolve(built)));
  });
  return { mime, recipients: [message.to.email, ...message.cc, ...message.bcc] };
}
