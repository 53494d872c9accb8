import { defineHttpProvider } from './http/provider.ts';

/**
 * Sends through Mailgun's Messages API, as MIME.
 * @see https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages
 */
export const mailgunProvider = defineHttpProvider({
  name: 'mailgun',
  label: 'Mailgun',
  settings: {
    domain: {
      description: 'The sending domain.',
      isRequired: true,
      pattern: /^(?!.{254})(?:[0-9a-z](?:[0-9a-z-]{0,61}[0-9a-z])?\.)+[0-9a-z-]{2,63}$/i,
      must: 'must be a domain, such as mg.example.com',
    },
    region: { description: 'Where the account is.', choices: ['us', 'eu'], default: 'us' },
  },
  credentials: {
    api_key: {
      label: 'API key',
      description: 'The sending key of the domain, or an API key.',
      required: true,
      isSent: true,
    },
    webhook_signing_key: {
      label: 'HTTP webhook signing key',
      description: 'The key with which Mailgun signs webhooks. Without it, feedback is refused.',
      isSent: false,
    },
  },
  async loadSender() {
    const { createMailgunSender } = await import('./mailgun/sender.ts');
    return { createSender: createMailgunSender };
  },
  // One event; its signature is in the body.
  maxFeedbackBytes: 128 * 1024,
  async loadFeedback() {
    return (await import('./mailgun/feedback.ts')).mailgunFeedback;
  },
});
