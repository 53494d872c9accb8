import { emailMessageId, isBareEmailAddress, TEST_EMAIL_HEADER } from '@postrider/domain';
import type { SendMailOptions } from 'nodemailer';
import type { Delivery } from './channel.ts';
import type { EmailConfig } from './email-config.ts';

/**
 * Names are checked for control characters at acceptance; a line break here would start a header of its own.
 */
const onOneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');

/**
 * The one address that the mail goes to, or null when the recipient has none that can stand in an envelope.
 */
export function recipientAddress({ recipient }: Delivery<'email'>): string | null {
  const { email } = recipient;
  return typeof email === 'string' && isBareEmailAddress(email) ? email : null;
}

/**
 * The message of one attempt (contract section 7). The envelope is set explicitly: addresses in headers
 * decide nothing. Content is text alone; nothing in it can make the library read a file or a URL.
 */
export function composeEmail(delivery: Delivery<'email'>, config: EmailConfig, to: string): SendMailOptions {
  const { content, recipient, runId, test } = delivery;
  const name = typeof recipient.name === 'string' ? onOneLine(recipient.name) : '';
  return {
    envelope: { from: config.from.email, to: [to] },
    from: { address: config.from.email, name: onOneLine(config.from.name ?? '') },
    to: { address: to, name },
    ...(config.replyTo ? { replyTo: { address: config.replyTo, name: '' } } : {}),
    subject: onOneLine(content.subject),
    messageId: emailMessageId(runId, config.from.email),
    // RFC 3834: other machines shall not answer this one.
    headers: { 'Auto-Submitted': 'auto-generated', ...(test ? { [TEST_EMAIL_HEADER]: 'true' } : {}) },
    ...(content.html === null ? {} : { html: content.html }),
    ...(content.text === null ? {} : { text: content.text }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
