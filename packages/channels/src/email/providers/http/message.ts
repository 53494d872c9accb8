import { onOneLine } from '@postrider/domain';
import type { MailMessage } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { EmailMessage } from '../../provider.ts';
import { composeEmail, writeOwnHeaders } from '../smtp/mail-headers.ts';

/** Name of the metadata with the run's id, by which feedback finds the run. */
export const RUN_METADATA = 'postrider_run';

/**
 * An address with its display name as text. The name is always a quoted string, so that nothing in it is parsed as an
 * address (RFC 5322 section 3.2.4).
 */
export function addressText({ email, name }: EmailMessage['from']): string {
  const shown = onOneLine(name ?? '');
  return shown === '' ? email : `"${shown.replace(/["\\]/g, '\\$&')}" <${email}>`;
}

/**
 * The message as MIME in ASCII, with the same headers, parts and `Message-ID` that an SMTP server gets, and its
 * recipients.
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
