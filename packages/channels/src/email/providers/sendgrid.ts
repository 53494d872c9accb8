import { createPublicKey } from 'node:crypto';
import { defineHttpProvider } from './http/provider.ts';

const NOT_A_KEY = 'must be the verification key that SendGrid shows: base64 of a P-256 public key';

/** The issue of a verification key that cannot be read, or null. */
function problemOfKey(value: string): string | null {
  try {
    const key = createPublicKey({ key: Buffer.from(value, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? null : NOT_A_KEY;
  } catch {
    return NOT_A_KEY;
  }
}

/**
 * Sends through Twilio SendGrid's Web API v3.
 * @see https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send
 */
export const sendgridProvider = defineHttpProvider({
  name: 'sendgrid',
  label: 'SendGrid',
  settings: {
    region: {
      description: 'Where the account is: `eu` for a regional subuser.',
      choices: ['global', 'eu'],
      default: 'global',
    },
    webhook_public_key: {
      description: 'The verification key of the signed event webhook. Without it, feedback is refused.',
      problemOf: problemOfKey,
    },
  },
  credentials: {
    api_key: {
      label: 'API key',
      description: 'An API key with the permission Mail Send.',
      required: true,
      isSent: true,
    },
  },
  async loadSender() {
    const { createSendgridSender } = await import('./sendgrid/sender.ts');
    return { createSender: createSendgridSender };
  },
  async loadFeedback() {
    return (await import('./sendgrid/feedback.ts')).sendgridFeedback;
  },
});
