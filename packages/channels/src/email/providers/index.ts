import type { EmailProvider } from '../provider.ts';
import { smtpProvider } from './smtp.ts';

/** The ways to send mail: a new provider is one line here. */
export const EMAIL_PROVIDERS: readonly EmailProvider[] = [smtpProvider];
