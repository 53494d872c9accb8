import { describe, expect, it } from '@postrider/testing';
import { RUN_ID } from '../../support/delivery.ts';
import * as examples from './support/examples.ts';
import { DEEP, json, MALFORMED, REFUSED, read, SECONDS } from './support/read.ts';
import { MESSAGE_ID, signResend } from './support/sign.ts';

describe('the webhooks of Resend', () => {
  const SECRET = 'whsec_plJ3nmyCDGBKInavdOK15jsl';
  const credentials = { webhook_secret: SECRET };
  const signed = (event: object, { seconds = SECONDS, secret = SECRET, id = MESSAGE_ID } = {}) => ({
    ...signResend(event, { seconds, key: secret, id }),
    credentials,
  });
  const about = {
    email: 'delivered@resend.dev',
    runId: RUN_ID,
    providerMessageId: '56761188-7520-42d8-8898-ff6fc54ce618',
  };

  it.each([
    ['email.delivered', {}, { type: 'delivered' }],
    ['email.delivery_delayed', {}, { type: 'deferred' }],
    ['email.complained', {}, { type: 'complained' }],
    [
      'email.bounced',
      { bounce: { type: 'Permanent', message: 'Gone' } },
      { type: 'bounced', permanent: true, reason: 'Gone' },
    ],
    ['email.bounced', { bounce: { type: 'Transient' } }, { type: 'bounced', permanent: false }],
    [
      'email.bounced',
      { bounce: { type: 'Permanent', diagnosticCode: ['smtp; 550 5.7.1 blocked'], message: 'Blocked' } },
      { type: 'bounced', permanent: false },
    ],
    [
      'email.bounced',
      { bounce: { type: 'Permanent', subType: 'OnAccountSuppressionList', message: '5.7.1' } },
      { type: 'bounced', permanent: true },
    ],
    ['email.suppressed', {}, { type: 'bounced', permanent: true }],
    [
      'email.failed',
      { failed: { reason: 'reached_daily_quota' } },
      { type: 'bounced', permanent: false, reason: 'reached_daily_quota' },
    ],
  ])('report %s %j', async (type, details, event) => {
    const data = { ...examples.RESEND.data, ...details };
    const reading = await read('resend', signed({ ...examples.RESEND, type, data }));
    expect(reading).toMatchObject({
      ok: true,
      events: [{ ...about, ...event, at: new Date('2024-11-22T23:41:12.126Z') }],
    });
  });

  it('have tags as a list, too', async () => {
    const data = { ...examples.RESEND.data, tags: [{ name: 'postrider_run', value: RUN_ID }] };
    expect(await read('resend', signed({ ...examples.RESEND, data }))).toMatchObject({
      ok: true,
      events: [about],
    });
  });

  it('are refused with a wrong or old signature, and without a secret', async () => {
    const right = signed(examples.RESEND);
    expect(
      await read('resend', signed(examples.RESEND, { secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAA' })),
    ).toMatchObject(REFUSED);
    expect(await read('resend', signed(examples.RESEND, { seconds: SECONDS - 301 }))).toMatchObject(REFUSED);
    expect(await read('resend', signed(examples.RESEND, { seconds: SECONDS + 301 }))).toMatchObject(REFUSED);
    expect(await read('resend', signed(examples.RESEND, { id: 'msg.1' }))).toMatchObject(REFUSED);
    expect(
      await read('resend', { ...right, body: json({ ...examples.RESEND, type: 'email.bounced' }) }),
    ).toMatchObject(REFUSED);
    expect(await read('resend', { ...right, headers: {} })).toMatchObject(REFUSED);
    expect(await read('resend', { ...right, credentials: {} })).toMatchObject(REFUSED);
  });

  it('are refused when they are malformed or have too many recipients', async () => {
    expect(await read('resend', signed([]))).toMatchObject(MALFORMED);
    expect(await read('resend', signed({ ...examples.RESEND, more: DEEP }))).toMatchObject(MALFORMED);
    const data = { ...examples.RESEND.data, to: Array.from({ length: 1_001 }, () => 'a@example.com') };
    expect(await read('resend', signed({ ...examples.RESEND, data }))).toMatchObject(MALFORMED);
    expect(await read('resend', signed({ type: 'contact.created' }))).toEqual({ ok: true, events: [] });
  });
});
