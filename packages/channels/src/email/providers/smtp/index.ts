import { defineEmailProvider } from '../../provider.ts';
import { SMTP_SETTINGS, type SmtpSettings } from './settings.ts';

/** Sends through an SMTP server. */
export const smtpProvider = defineEmailProvider<SmtpSettings>({
  name: 'smtp',
  ...SMTP_SETTINGS,
  async loadClient() {
    const { createSmtpClient } = await import('./client.ts');
    return { createClient: createSmtpClient };
  },
});
