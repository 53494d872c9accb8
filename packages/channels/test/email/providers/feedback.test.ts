import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@postrider/testing';
import { RUN_ID } from '../../support/delivery.ts';
import * as examples from './support/examples.ts';
import { DEEP, json, MALFORMED, NOW, ODD, REFUSED, read, SECONDS } from './support/read.ts';
import { basic, signMailgun, signSendgrid } from './support/sign.ts';

describe('the event webhook of SendGrid', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const settings = {
    webhook_public_key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
  const signed = (body: Buffer, seconds = SECONDS) => ({
    ...signSendgrid(body, { seconds, key: privateKey }),
    settings,
  });

  it('has the documented events', async () => {
    const reading = await read('sendgrid', signed(json(examples.SENDGRID)));
    const common = { email: 'example@test.com', runId: RUN_ID, providerMessageId: '14c5d75ce93.dfd.64b469' };
    expect(reading).toMatchObject({
      ok: true,
      events: [
        {
          ...common,
          type: 'deferred',
          permanent: false,
          reason: '400 try again later',
          id: 't7LEShmowp86DTdUW8M-GQ==',
        },
        { ...common, type: 'delivered', reason: '250 OK', at: new Date(1_513_299_569_000) },
        { ...common, type: 'bounced', permanent: false, reason: '500 unknown recipient' },
        { ...common, type: 'bounced', permanent: false },
        { ...common, type: 'bounced', permanent: true, reason: 'Bounced Address' },
        { ...common, type: 'complained' },
        { ...common, type: 'unsubscribed' },
        { ...common, type: 'unsubscribed' },
      ],
    });
  });

  it.each([
    ['Invalid Address', '5.0.0', true],
    ['Unclassified', '5.1.1', true],
    [undefined, '5.1.1', true],
    ['Unclassified', '5.0.0', false],
    ['Content', '5.1.1', false],
    ['Reputation', '5.0.0', false],
    ['Mailbox Unavailable', '5.2.2', false],
    ['Technical Failure', '5.1.2', false],
    ['Frequency or Volume Too High', '5.0.0', false],
  ])('has bounces of the class %s with the status %s: permanent %s', async (ownClass, status, permanent) => {
    const event = { event: 'bounce', type: 'bounce', status, bounce_classification: ownClass };
    expect(await read('sendgrid', signed(json([event])))).toMatchObject({ events: [{ permanent }] });
  });

  it('is refused with a wrong signature, and without a key', async () => {
    const right = signed(json(examples.SENDGRID));
    expect(await read('sendgrid', { ...right, body: json([]) })).toMatchObject(REFUSED);
    expect(await read('sendgrid', { ...right, settings: {} })).toMatchObject(REFUSED);
    expect(await read('sendgrid', { ...right, headers: {} })).toMatchObject(REFUSED);
    const later = { ...right.headers, 'x-twilio-email-event-webhook-timestamp': String(SECONDS + 1) };
    expect(await read('sendgrid', { ...right, headers: later })).toMatchObject(REFUSED);
    const garbled = { ...right.headers, 'x-twilio-email-event-webhook-signature': 'AAAA' };
    expect(await read('sendgrid', { ...right, headers: garbled })).toMatchObject(REFUSED);
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
    const key = other.export({ type: 'spki', format: 'der' }).toString('base64');
    expect(await read('sendgrid', { ...right, settings: { webhook_public_key: key } })).toMatchObject(
      REFUSED,
    );
  });

  it('is refused with an old or future signature, if it is not a list, or with too many events', async () => {
    expect(await read('sendgrid', signed(json([]), SECONDS - 26 * 3_600))).toMatchObject(REFUSED);
    expect(await read('sendgrid', signed(json([]), SECONDS + 600))).toMatchObject(REFUSED);
    expect(await read('sendgrid', signed(Buffer.from('{')))).toMatchObject(MALFORMED);
    expect(await read('sendgrid', signed(json({})))).toMatchObject(MALFORMED);
    const many = Array.from({ length: 1_001 }, () => ({ event: 'delivered' }));
    expect(await read('sendgrid', signed(json(many)))).toMatchObject(MALFORMED);
    expect(await read('sendgrid', signed(json([{ event: 'dropped', sg_event_id: DEEP }])))).toMatchObject(
      MALFORMED,
    );
    expect(await read('sendgrid', signed(json([{ event: 'dropped', reason: ODD }])))).toMatchObject({
      events: [{ type: 'bounced', permanent: false, reason: null }],
    });
    const odd = [null, 1, [], { event: 'delivered', email: 7, timestamp: 'x', sg_event_id: {} }];
    expect(await read('sendgrid', signed(json(odd)))).toMatchObject({
      ok: true,
      events: [{ email: null, runId: null, providerMessageId: null, at: new Date(NOW) }],
    });
  });
});

describe('the webhooks of Postmark', () => {
  const account = { settings: { webhook_username: 'hooks' }, credentials: { webhook_password: 'p:ä' } };
  const headers = basic('hooks:p:ä');
  const about = { email: 'john@example.com', runId: RUN_ID };

  it.each([
    ['a hard bounce', examples.POSTMARK_BOUNCE, { type: 'bounced', permanent: true, id: 'bounce:4323372' }],
    [
      'a hard bounce that is about something else',
      { ...examples.POSTMARK_BOUNCE, Details: 'smtp;550 5.7.1 blocked' },
      { type: 'bounced', permanent: false },
    ],
    [
      'a soft bounce',
      { ...examples.POSTMARK_BOUNCE, Type: 'SoftBounce' },
      { type: 'bounced', permanent: false },
    ],
    ['a delay', { ...examples.POSTMARK_BOUNCE, Type: 'Transient' }, { type: 'deferred' }],
    [
      'a complaint',
      examples.POSTMARK_COMPLAINT,
      { type: 'complained', at: new Date('2019-11-05T16:33:54.907Z') },
    ],
    [
      'a delivery',
      examples.POSTMARK_DELIVERY,
      { type: 'delivered', reason: 'Test delivery webhook details' },
    ],
    ['an unsubscribe', examples.POSTMARK_UNSUBSCRIBE, { type: 'unsubscribed' }],
  ])('report %s', async (_, record, event) => {
    const reading = await read('postmark', { ...account, headers, body: json(record) });
    expect(reading).toMatchObject({ ok: true, events: [{ ...about, ...event }] });
  });

  it.each([
    { ...examples.POSTMARK_BOUNCE, Type: 'AutoResponder' },
    { ...examples.POSTMARK_UNSUBSCRIBE, SuppressSending: false },
    { RecordType: 'Open' },
    {},
  ])('contain no feedback with %j', async (record) => {
    const reading = await read('postmark', { ...account, headers, body: json(record) });
    expect(reading).toEqual({ ok: true, events: [] });
  });

  it('are refused with a wrong user name or password', async () => {
    const body = json(examples.POSTMARK_BOUNCE);
    for (const wrong of [
      {},
      basic('hooks:'),
      basic('hooks:p'),
      { authorization: 'Basic' },
      { authorization: 'p:ä' },
    ]) {
      expect(await read('postmark', { ...account, headers: wrong, body })).toMatchObject(REFUSED);
    }
    expect(await read('postmark', { headers: basic(':'), body })).toMatchObject(REFUSED);
    expect(await read('postmark', { ...account, headers, body: Buffer.from('[]') })).toMatchObject(MALFORMED);
    expect(await read('postmark', { ...account, headers, body: Buffer.from('x') })).toMatchObject(MALFORMED);
    expect(await read('postmark', { ...account, headers, body: json({ ID: DEEP }) })).toMatchObject(
      MALFORMED,
    );
  });
});

describe('the webhooks of Mailgun', () => {
  const KEY = 'key-1234';
  const credentials = { webhook_signing_key: KEY };
  const signed = (event: object, { seconds = SECONDS, key = KEY } = {}) => ({
    ...signMailgun(event, { seconds, key }),
    credentials,
  });
  const about = {
    email: 'alice@example.com',
    runId: RUN_ID,
    providerMessageId: `<${RUN_ID}@example.com>`,
    at: new Date(1_521_472_262_908.181),
  };

  it.each([
    [{ event: 'delivered' }, { type: 'delivered', reason: 'OK' }],
    [{ event: 'failed', severity: 'temporary', reason: 'generic' }, { type: 'deferred' }],
    [
      { event: 'failed', severity: 'permanent', reason: 'suppress-bounce' },
      { type: 'bounced', permanent: true },
    ],
    ...(
      [
        ['old', {}, false],
        ['espblock', { 'enhanced-code': '5.1.1' }, false],
        ['bounce', { code: 550, 'enhanced-code': '5.1.1', message: 'No such user' }, true],
        ['bounce', { code: 550, message: '5.1.1 No such user' }, true],
        ['bounce', { code: 552, 'enhanced-code': '5.2.2', message: '5.2.2 mailbox full' }, false],
        ['bounce', { code: 550, message: '5.7.1 spam' }, false],
        ['generic', { code: 550, message: 'blocked' }, false],
      ] as const
    ).map(
      ([reason, status, permanent]) =>
        [
          { event: 'failed', severity: 'permanent', reason, 'delivery-status': status },
          { type: 'bounced', permanent },
        ] as const,
    ),
    [{ event: 'complained' }, { type: 'complained' }],
    [{ event: 'unsubscribed' }, { type: 'unsubscribed' }],
  ])('report %j', async (changes, event) => {
    const reading = await read('mailgun', signed({ ...examples.MAILGUN, ...changes }));
    expect(reading).toMatchObject({
      ok: true,
      events: [{ ...about, ...event, id: 'CPgfbmQMTCKtHW6uIWtuVe' }],
    });
  });

  it('find the run by the Message-ID, too', async () => {
    const reading = await read('mailgun', signed({ ...examples.MAILGUN, 'user-variables': {} }));
    expect(reading).toMatchObject({ ok: true, events: [{ runId: RUN_ID }] });
  });

  it('contain no feedback with opens', async () => {
    expect(await read('mailgun', signed({ event: 'opened' }))).toEqual({ ok: true, events: [] });
  });

  it('are refused with a wrong or old signature, without a key, and malformed', async () => {
    expect(await read('mailgun', signed(examples.MAILGUN, { key: 'other' }))).toMatchObject(REFUSED);
    expect(await read('mailgun', signed(examples.MAILGUN, { seconds: SECONDS - 10 * 3_600 }))).toMatchObject(
      REFUSED,
    );
    expect(await read('mailgun', signed(examples.MAILGUN, { seconds: SECONDS + 600 }))).toMatchObject(
      REFUSED,
    );
    expect(await read('mailgun', { ...signed(examples.MAILGUN), credentials: {} })).toMatchObject(REFUSED);
    expect(
      await read('mailgun', { credentials, body: json({ 'event-data': examples.MAILGUN }) }),
    ).toMatchObject(REFUSED);
    expect(await read('mailgun', { credentials, body: Buffer.from('null') })).toMatchObject(MALFORMED);
    expect(await read('mailgun', { credentials, body: json({ signature: [] }) })).toMatchObject(REFUSED);
  });

  it('are parsed up to 32 levels deep, without counting brackets in texts', async () => {
    const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    const withLevels = (levels: number) => signed({ ...examples.MAILGUN, more: nested(levels) });
    const texts = { '["{': '\\"[{'.repeat(100) };
    expect(await read('mailgun', signed({ ...examples.MAILGUN, ...texts }))).toMatchObject({ ok: true });
    expect(await read('mailgun', withLevels(30))).toMatchObject({ ok: true });
    expect(await read('mailgun', withLevels(31))).toMatchObject(MALFORMED);
  });

  it('may have a reason that is no text', async () => {
    const failed = { ...examples.MAILGUN, event: 'failed', severity: 'permanent', reason: ODD };
    expect(await read('mailgun', signed(failed))).toMatchObject({ events: [{ permanent: false }] });
  });
});
