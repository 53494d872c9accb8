import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@postrider/testing';
import type { FetchDocument } from '../../../src/email/feedback.ts';
import { sesProvider } from '../../../src/email/providers/ses/index.ts';
import { RUN_ID } from '../../support/delivery.ts';
import { SES } from './support/examples.ts';
import { CERTIFICATE, CERTIFICATE_URL, OTHER_CERTIFICATE, signSns, TOPIC } from './support/sns.ts';

const NOW = Date.parse('2027-06-01T12:00:00Z');
const REFUSED = { ok: false, status: 401 };
const MALFORMED = { ok: false, status: 400 };

/** A certificate's URL of its own: those that were fetched are kept. */
const freshUrl = () => CERTIFICATE_URL.replace(/-[^-]+\.pem$/, `-${randomUUID().replaceAll('-', '')}.pem`);

const notification = (event: unknown, changes: Record<string, string> = {}) => ({
  Type: 'Notification',
  MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  TopicArn: TOPIC,
  Subject: 'Amazon SES Email Event Notification',
  Message: typeof event === 'string' ? event : JSON.stringify(event),
  Timestamp: '2027-06-01T11:59:00.000Z',
  SignatureVersion: '1',
  ...changes,
});
const confirmation = (changes: Record<string, string> = {}) => ({
  Type: 'SubscriptionConfirmation',
  MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
  Token: '2336412f37',
  TopicArn: TOPIC,
  Message: 'You have chosen to subscribe to the topic.',
  SubscribeURL: `https://sns.us-west-2.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=2336412f37`,
  Timestamp: '2027-06-01T11:59:00.000Z',
  SignatureVersion: '1',
  ...changes,
});

/** What the reader makes of a message, and the URLs that it fetched. */
async function read(
  message: unknown,
  { topic = TOPIC, certificate = CERTIFICATE as string | null, confirmed = '<ok/>' as string | null } = {},
) {
  const fetched: string[] = [];
  const fetchDocument: FetchDocument = async (url) => {
    fetched.push(url.href);
    return url.pathname.endsWith('.pem') ? certificate : confirmed;
  };
  const reading = await sesProvider.feedback?.({
    headers: {},
    query: {},
    body: Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)),
    settings: { topic_arn: topic },
    credentials: {},
    nowMs: NOW,
    runIdOfToken: async () => null,
    fetchDocument,
  });
  if (!reading) throw new Error('Amazon SES has no feedback');
  return { reading, fetched };
}

describe('a notification of Amazon SES by SNS', () => {
  const providerMessageId = 'EXAMPLE7c191be45-e9aedb9a-02f9-4d12-a87d-dd0099a07f8a-000000';
  const about = { email: 'recipient@example.com', runId: RUN_ID, providerMessageId };
  it.each([
    ['bounce', { type: 'bounced', permanent: true, reason: 'smtp; 550 5.1.1 user unknown' }],
    ['complaint', { type: 'complained', reason: 'abuse' }],
    ['delivery', { type: 'delivered', at: new Date('2016-10-19T23:21:04.133Z') }],
    ['delay', { type: 'deferred', permanent: false, reason: 'smtp; 421 4.4.1' }],
  ] as const)('has the documented %s', async (name, event) => {
    for (const SignatureVersion of ['1', '2']) {
      const { reading } = await read(signSns(notification(SES[name], { SignatureVersion })));
      expect(reading).toMatchObject({ ok: true, events: [{ ...about, ...event }] });
    }
  });

  it('fetches a certificate once', async () => {
    const SigningCertURL = freshUrl();
    const first = await read(signSns(notification(SES.delivery, { SigningCertURL })));
    const second = await read(signSns(notification(SES.delivery, { SigningCertURL })));
    expect([first.fetched, second.fetched]).toEqual([[SigningCertURL], []]);
    expect(second.reading.ok).toBe(true);
  });

  it('fetches the certificate once for concurrent requests', async () => {
    const SigningCertURL = freshUrl();
    const all = await Promise.all(
      Array.from({ length: 20 }, () => read(signSns(notification(SES.delivery, { SigningCertURL })))),
    );
    expect(all.flatMap(({ fetched }) => fetched)).toEqual([SigningCertURL]);
    expect(all.every(({ reading }) => reading.ok)).toBe(true);
  });

  it.each(['', 'AAAA', '!'.repeat(344), 'A'.repeat(10_000)])(
    'does not fetch a certificate for a malformed signature (%#)',
    async (Signature) => {
      const signed = signSns(notification(SES.delivery, { SigningCertURL: freshUrl() }));
      const { reading, fetched } = await read({ ...signed, Signature });
      expect(reading).toMatchObject(REFUSED);
      expect(fetched).toEqual([]);
    },
  );

  it('is refused if any signed field is changed', async () => {
    const signed = signSns(notification(SES.delivery));
    for (const name of ['Message', 'MessageId', 'Subject', 'Timestamp', 'Type']) {
      const changed = name === 'Timestamp' ? '2027-06-01T11:58:00.000Z' : `${signed[name]} `;
      const { reading } = await read({ ...signed, [name]: changed });
      expect(reading).toMatchObject(REFUSED);
    }
    expect((await read({ ...signed, Signature: 'AAAA' })).reading).toMatchObject(REFUSED);
    expect((await read({ ...signed, SignatureVersion: '2' })).reading).toMatchObject(REFUSED);
    expect((await read({ ...signed, SignatureVersion: 'constructor' })).reading).toMatchObject(REFUSED);
  });

  it.each([
    'https://sns.us-west-2.amazonaws.com.evil.example/SimpleNotificationService-1.pem',
    'https://evil.example/SimpleNotificationService-1.pem',
    'https://sns.us-west-2.amazonaws.com@evil.example/SimpleNotificationService-1.pem',
    'https://user@sns.us-west-2.amazonaws.com/SimpleNotificationService-1.pem',
    'https://sns.us-west-2.amazonaws.com:8443/SimpleNotificationService-1.pem',
    'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem',
    'https://my-bucket.s3.us-west-2.amazonaws.com/SimpleNotificationService-1.pem',
    'http://sns.us-west-2.amazonaws.com/SimpleNotificationService-1.pem',
    'https://sns.us-west-2.amazonaws.com/other.pem',
    'https://sns.us-west-2.amazonaws.com/SimpleNotificationService-1.pem?x=1',
    'file:///etc/passwd',
    'not a URL',
  ])('fetches no certificate from %s', async (SigningCertURL) => {
    const { reading, fetched } = await read(signSns(notification(SES.delivery, { SigningCertURL })));
    expect(reading).toMatchObject(REFUSED);
    expect(fetched).toEqual([]);
  });

  it('is refused with a certificate for another name, and retried if it cannot be fetched', async () => {
    const of = () => signSns(notification(SES.delivery, { SigningCertURL: freshUrl() }));
    for (const certificate of [OTHER_CERTIFICATE, 'none', null]) {
      expect((await read(of(), { certificate })).reading).toMatchObject({ ok: false, status: 503 });
    }
  });

  it('is refused from another topic, if it is old, and without a topic, and fetches nothing', async () => {
    const other = 'arn:aws:sns:us-west-2:999999999999:MyTopic';
    const old = { Timestamp: '2027-06-01T09:00:00.000Z' };
    const ahead = { Timestamp: '2027-06-01T12:10:00.000Z' };
    const cases = [
      await read(signSns(notification(SES.delivery, { TopicArn: other, SigningCertURL: freshUrl() }))),
      await read(signSns(notification(SES.delivery, { ...old, SigningCertURL: freshUrl() }))),
      await read(signSns(notification(SES.delivery, { ...ahead, SigningCertURL: freshUrl() }))),
      await read(signSns(notification(SES.delivery, { Timestamp: 'soon', SigningCertURL: freshUrl() }))),
      await read(signSns(notification(SES.delivery)), { topic: '' }),
    ];
    for (const { reading, fetched } of cases) {
      expect(reading).toMatchObject(REFUSED);
      expect(fetched).toEqual([]);
    }
  });

  it('is refused if it is malformed or has too many recipients; other notifications have no events', async () => {
    const { SigningCertURL: _, ...incomplete } = signSns(notification(SES.delivery));
    for (const body of ['', 'x', '[]', '{}', incomplete, { ...signSns(notification('')), Subject: 1 }]) {
      expect((await read(body)).reading).toMatchObject(MALFORMED);
    }
    const recipients = Array.from({ length: 1_001 }, () => 'a@example.com');
    const huge = { ...SES.delivery, delivery: { recipients } };
    expect((await read(signSns(notification(huge)))).reading).toMatchObject(MALFORMED);
    for (const none of [
      'Successfully validated SNS topic.',
      { eventType: 'Open' },
      { eventType: 'Bounce' },
      `{"eventType":"Delivery","delivery":${'['.repeat(8_000)}${']'.repeat(8_000)}}`,
    ]) {
      expect((await read(signSns(notification(none)))).reading).toEqual({ ok: true, events: [] });
    }
  });
});

it('reads an event whose headers have names that are no text', async () => {
  const mail = { ...SES.delivery.mail, headers: [{ name: { toString: 0, valueOf: 0 }, value: 'x' }] };
  const { reading } = await read(signSns(notification({ ...SES.delivery, mail })));
  expect(reading).toMatchObject({ ok: true, events: [{ type: 'delivered' }] });
});

describe('the confirmation of a subscription', () => {
  it('is sent for the configured topic, with the URL in the message', async () => {
    const { reading, fetched } = await read(signSns(confirmation()));
    expect(reading).toEqual({ ok: true, events: [] });
    expect(fetched.at(-1)).toMatch(/^https:\/\/sns\.us-west-2\.amazonaws\.com\/\?Action=ConfirmSubscription/);
  });

  it.each([
    'https://evil.example/?Action=ConfirmSubscription',
    'https://sns.us-west-2.amazonaws.com/?Action=DeleteTopic',
    'https://sns.us-west-2.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn:aws:sns:us-west-2:9:Other',
    '',
  ])('does not fetch %j', async (SubscribeURL) => {
    const { reading, fetched } = await read(signSns(confirmation({ SubscribeURL })));
    expect(reading).toMatchObject(REFUSED);
    expect(fetched.filter((url) => !url.endsWith('.pem'))).toEqual([]);
  });

  it('is retried if SNS does not respond, and refused if it is forged', async () => {
    const { reading } = await read(signSns(confirmation()), { confirmed: null });
    expect(reading).toMatchObject({ ok: false, status: 503 });
    const forged = await read({ ...signSns(confirmation()), Token: 'other' });
    expect(forged.reading).toMatchObject(REFUSED);
    expect(forged.fetched.filter((url) => !url.endsWith('.pem'))).toEqual([]);
  });

  it('is not repeated when the subscription ends', async () => {
    const { reading, fetched } = await read(signSns(confirmation({ Type: 'UnsubscribeConfirmation' })));
    expect(reading).toEqual({ ok: true, events: [] });
    expect(fetched.filter((url) => !url.endsWith('.pem'))).toEqual([]);
  });
});
