import { randomBytes } from 'node:crypto';
import type { FixtureInput } from '@postrider/db/testing';
import { formatId, type JsonObject } from '@postrider/domain';
import { callApi } from './post-event.ts';
import type { Target } from './target.ts';

/** The topic of reports of Amazon SES. */
export const TOPIC = 'arn:aws:sns:us-west-2:123456789012:MyTopic';

const random = (bytes: number) => randomBytes(bytes).toString('base64url');

/** A channel with a sender of every provider, with invented keys. */
const channel = () => ({
  kind: 'email' as const,
  name: 'Reported',
  config: {
    senders: [
      { provider: 'sendgrid', sendgrid: { webhook_public_key: random(91) } },
      { provider: 'mailgun', mailgun: { domain: 'shop.example.com', region: 'eu' } },
      { provider: 'postmark', postmark: { webhook_username: 'postmark' } },
      { provider: 'resend', resend: {} },
      {
        provider: 'ses',
        ses: { region: 'us-west-2', access_key_id: 'AKIAIOSFODNN7EXAMPLE', topic_arn: TOPIC },
      },
    ] as JsonObject[],
    from: { email: 'shop@example.com' },
  },
  credentials: {
    'senders/mailgun/webhook_signing_key': random(24),
    'senders/postmark/webhook_password': random(24),
    'senders/resend/webhook_secret': `whsec_${randomBytes(24).toString('base64')}`,
  },
});

/** Adds a channel with feedback to the attacker's tenant. Returns the path of its feedback endpoint, without the provider. */
export async function openFeedback(target: Target): Promise<string> {
  const channels: FixtureInput['channels'] = [channel()];
  const made = await target.addEnvironment({ channels });
  const id = formatId('chn', made.channels[0]?.id ?? '');
  const path = `/admin/v1/channels/${id}/feedback-token`;
  const { text } = await callApi(target, { path, token: target.adminToken, body: '{}' });
  return JSON.parse(text).feedback_path;
}
