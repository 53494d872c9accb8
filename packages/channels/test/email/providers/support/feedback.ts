import { generateKeyPairSync, randomUUID } from 'node:crypto';
import * as examples from './examples.ts';
import { basic, type Signed, signMailgun, signResend, signSendgrid } from './sign.ts';
import { signSns, TOPIC } from './sns.ts';

/** What a provider is to report of a mail that it took. */
export interface ToReport {
  readonly type: 'delivered' | 'bounced';
  /** The public id of the run. */
  readonly runId: string;
  readonly email: string;
  /** Wall clock in milliseconds. */
  readonly nowMs: number;
  /** Signed with a key that is not the channel's. */
  readonly isForged?: boolean;
}

/** How a provider reports: the settings of a channel with it, and a request as it is documented. */
export interface Reporting {
  readonly settings: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, string>>;
  request(report: ToReport): Signed;
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const seconds = (ms: number) => Math.floor(ms / 1_000);
const [SENDGRID_KEY, OTHER_KEY] = [1, 2].map(() => generateKeyPairSync('ec', { namedCurve: 'P-256' }));
if (!SENDGRID_KEY || !OTHER_KEY) throw new Error('two keys were made');
const MAILGUN_KEY = 'key-1234';
const RESEND_SECRET = 'whsec_plJ3nmyCDGBKInavdOK15jsl';

/** By provider: the documented example of a delivery and of a hard bounce, for one run and recipient. */
export const REPORTING: Readonly<Record<string, Reporting>> = {
  ses: {
    settings: { topic_arn: TOPIC },
    credentials: {},
    request({ type, runId, email, nowMs, isForged = false }) {
      const { bounce, delivery } = examples.SES;
      const mail = { ...bounce.mail, destination: [email], tags: { postrider_run: [runId] } };
      const [bounced] = bounce.bounce.bouncedRecipients;
      const event =
        type === 'bounced'
          ? {
              ...bounce,
              mail,
              bounce: { ...bounce.bounce, bouncedRecipients: [{ ...bounced, emailAddress: email }] },
            }
          : { ...delivery, mail, delivery: { ...delivery.delivery, recipients: [email] } };
      const signed = signSns({
        Type: 'Notification',
        MessageId: randomUUID(),
        TopicArn: TOPIC,
        Subject: 'Amazon SES Email Event Notification',
        Message: JSON.stringify(event),
        Timestamp: new Date(nowMs).toISOString(),
        SignatureVersion: '2',
      });
      const forged = isForged ? { Message: signed.Message?.replace(email, `x${email}`) } : {};
      return { body: json({ ...signed, ...forged }), headers: { 'content-type': 'text/plain' } };
    },
  },
  sendgrid: {
    settings: {
      webhook_public_key: SENDGRID_KEY.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    },
    credentials: {},
    request({ type, runId, email, nowMs, isForged = false }) {
      const event = examples.SENDGRID.find(
        (one) => 'event' in one && one.event === (type === 'bounced' ? 'bounce' : 'delivered'),
      );
      const ownClass = type === 'bounced' ? { bounce_classification: 'Invalid Address' } : {};
      const body = json([{ ...event, ...ownClass, sg_event_id: randomUUID(), email, postrider_run: runId }]);
      const key = isForged ? OTHER_KEY.privateKey : SENDGRID_KEY.privateKey;
      return signSendgrid(body, { seconds: seconds(nowMs), key });
    },
  },
  postmark: {
    settings: { webhook_username: 'hooks' },
    credentials: { webhook_password: 'p:ä' },
    request({ type, runId, email, isForged = false }) {
      const Metadata = { postrider_run: runId };
      const record =
        type === 'bounced'
          ? { ...examples.POSTMARK_BOUNCE, ID: Math.floor(Math.random() * 1e9), Email: email, Metadata }
          : { ...examples.POSTMARK_DELIVERY, Recipient: email, Metadata };
      return { body: json(record), headers: basic(isForged ? 'hooks:p' : 'hooks:p:ä') };
    },
  },
  mailgun: {
    settings: {},
    credentials: { webhook_signing_key: MAILGUN_KEY },
    request({ type, runId, email, nowMs, isForged = false }) {
      const status = { code: 550, 'enhanced-code': '5.1.1', message: 'No such user' };
      const bounced = { event: 'failed', severity: 'permanent', reason: 'bounce', 'delivery-status': status };
      const kind = type === 'bounced' ? bounced : {};
      const about = { id: randomUUID(), recipient: email, 'user-variables': { postrider_run: runId } };
      return signMailgun(
        { ...examples.MAILGUN, ...kind, ...about },
        { seconds: seconds(nowMs), key: isForged ? 'key-12345' : MAILGUN_KEY },
      );
    },
  },
  resend: {
    settings: {},
    credentials: { webhook_secret: RESEND_SECRET },
    request({ type, runId, email, nowMs, isForged = false }) {
      const details =
        type === 'bounced' ? { bounce: { type: 'Permanent', message: 'The mailbox is unknown.' } } : {};
      const data = { ...examples.RESEND.data, ...details, to: [email], tags: { postrider_run: runId } };
      const key = isForged ? 'whsec_AAAAAAAAAAAAAAAAAAAAAAAA' : RESEND_SECRET;
      return signResend(
        { ...examples.RESEND, type: `email.${type}`, data },
        { seconds: seconds(nowMs), key, id: randomUUID() },
      );
    },
  },
};
