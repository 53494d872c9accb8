import { defineHttpProvider } from './http/provider.ts';

/** `whsec_` and base64, the format of Standard Webhooks secrets. */
const SIGNING_SECRET = /^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Sends through Resend's Emails API.
 * @see https://resend.com/docs/api-reference/emails/send-email
 */
export const resendProvider = defineHttpProvider({
  name: 'resend',
  label: 'Resend',
  settings: {},
  credentials: {
    api_key: {
      label: 'API key',
      description: 'An API key with sending access.',
      required: true,
      isSent: true,
    },
    webhook_secret: {
      label: 'signing secret of the webhook',
      description: 'The secret with which Resend signs webhooks. Without it, feedback is refused.',
      isSent: false,
      issuesOf: (value) =>
        SIGNING_SECRET.test(value)
          ? []
          : [{ path: '/webhook_secret', code: 'invalid_format', message: 'must be whsec_ and base64' }],
    },
  },
  async loadSender() {
    const { createResendSender } = await import('./resend/sender.ts');
    return { createSender: createResendSender };
  },
  async loadFeedback() {
    return (await import('./resend/feedback.ts')).resendFeedback;
  },
});
