import type { EmailProvider } from '../provider.ts';
import { mailgunProvider } from './mailgun.ts';
import { postmarkProvider } from './postmark.ts';
import { resendProvider } from './resend.ts';
import { sendgridProvider } from './sendgrid.ts';
import { sesProvider } from './ses/index.ts';
import { smtpProvider } from './smtp/index.ts';

/** The email providers. A new provider is one line here. */
export const EMAIL_PROVIDERS: readonly EmailProvider[] = [
  smtpProvider,
  sesProvider,
  sendgridProvider,
  postmarkProvider,
  mailgunProvider,
  resendProvider,
];
