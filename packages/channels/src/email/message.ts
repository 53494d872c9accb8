import { emailMessageId, isBareEmailAddress, TEST_EMAIL_HEADER } from '@postrider/domain';
import type { Delivery } from '../channel.ts';
import { addressHeader, type ComposedEmail, textHeader } from './providers/smtp/mail-headers.ts';
import type { EmailConfig } from './stored-config.ts';

/**
 * The one address that the mail goes to, or null when the recipient has none that can stand in an envelope.
 */
export function recipientAddress({ recipient }: Delivery<'email'>): string | null {
  const { email } = recipient;
  return typeof email === 'string' && isBareEmailAddress(email) ? email : null;
}

/**
 * The message of one attempt (docs/specification.md, "Email"). The envelope is set explicitly: addresses in
 * headers decide nothing. Headers with text of others are encoded here, because the library lets pass what is
 * an encoded word already. Content is text alone; nothing in it can make the library read a file or a URL.
 */
export function composeEmail(delivery: Delivery<'email'>, config: EmailConfig, to: string): ComposedEmail {
  const { content, recipient, runId, test } = delivery;
  const name = typeof recipient.name === 'string' ? recipient.name : null;
  return {
    envelope: { from: config.from.email, to: [to] },
    messageId: emailMessageId(runId, config.from.email),
    ownHeaders: [
      addressHeader('From', config.from.email, config.from.name),
      addressHeader('To', to, name),
      ...(config.replyTo ? [addressHeader('Reply-To', config.replyTo, null)] : []),
      textHeader('Subject', content.subject),
    ],
    // RFC 3834: other machines shall not answer this one.
    headers: { 'Auto-Submitted': 'auto-generated', ...(test ? { [TEST_EMAIL_HEADER]: 'true' } : {}) },
    ...(content.html === null ? {} : { html: content.html }),
    ...(content.text === null ? {} : { text: content.text }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
