import { PRIVATE_KEY, privateKeyIssues } from '../../../certificates.ts';
import { defineEmailProvider } from '../../provider.ts';
import { DKIM_CREDENTIALS } from './dkim-settings.ts';
import { OAUTH2_CREDENTIALS } from './oauth2-settings.ts';
import { SMTP_SETTINGS, type SmtpSettings } from './settings.ts';

/** Sends through an SMTP server. */
export const smtpProvider = defineEmailProvider<SmtpSettings>({
  name: 'smtp',
  ...SMTP_SETTINGS,
  // With a user name but no password, nodemailer would send without logging in.
  credentials: [
    {
      field: 'password',
      label: 'password',
      required: 'username',
      replacedBy: 'oauth2',
      sentBy: ['host', 'ca'],
    },
    ...OAUTH2_CREDENTIALS,
    {
      field: PRIVATE_KEY,
      label: 'private key',
      required: 'certificate',
      sentBy: ['certificate'],
      issuesOf: (key, { certificate }) => privateKeyIssues(key, String(certificate)),
    },
    ...DKIM_CREDENTIALS,
  ],
  async loadClient() {
    const { createSmtpClient } = await import('./client.ts');
    return { createClient: createSmtpClient };
  },
});
