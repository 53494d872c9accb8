import { defineHttpProvider } from './http/provider.ts';

/**
 * Sends through Postmark's Email API.
 * @see https://postmarkapp.com/developer/api/email-api
 */
export const postmarkProvider = defineHttpProvider({
  name: 'postmark',
  label: 'Postmark',
  settings: {
    message_stream: {
      description: 'The id of the message stream.',
      default: 'outbound',
      pattern: /^[a-z][\w-]{0,29}$/,
      must: 'must be the id of a message stream, such as outbound',
    },
    webhook_username: {
      description: 'The user of the basic authentication of webhooks. Without it, feedback is refused.',
      pattern: /^[\x21-\x39\x3b-\x7e]{1,128}$/,
      must: 'must be at most 128 printable ASCII characters without a colon',
    },
  },
  credentials: {
    server_token: {
      label: 'server token',
      description: 'The API token of a server.',
      required: true,
      isSent: true,
    },
    webhook_password: {
      label: 'password of webhooks',
      description: 'The password of the basic authentication of webhooks.',
      required: 'webhook_username',
      isSent: false,
    },
  },
  async loadSender() {
    const { createPostmarkSender } = await import('./postmark/sender.ts');
    return { createSender: createPostmarkSender };
  },
  async loadFeedback() {
    return (await import('./postmark/feedback.ts')).postmarkFeedback;
  },
});
