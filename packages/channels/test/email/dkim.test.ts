import { generateKeyPairSync } from 'node:crypto';
import type { JsonObject } from '@postrider/domain';
import { type MailServer, startMailServer } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { emailCredentials } from '../../src/email/credentials.ts';
import type { EmailContent } from '../../src/email/index.ts';
import { EMAIL_PROVIDERS } from '../../src/email/providers/index.ts';
import { DKIM_KEY_FIELD } from '../../src/email/providers/smtp/dkim-key.ts';
import { createSmtpSender } from '../../src/email/providers/smtp/sender.ts';
import type { Sender } from '../../src/sender.ts';
import { createEmailChannel, emailDelivery, loopbackAllowed } from '../support/delivery.ts';
import { coveredBy, rsaKey, verifyDkim } from './verify-dkim.ts';

const KEY = rsaKey(2_048);
const DKIM = { domain: 'example.com', selector: 's2026' };
const CREDENTIAL = 'senders/smtp/dkim/private_key';

let mail: MailServer;
let channel: Sender<EmailContent>;
beforeAll(async () => {
  mail = await startMailServer();
  channel = createEmailChannel({ isAddressAllowed: loopbackAllowed });
});
afterAll(async () => {
  channel.close();
  await mail.close();
});

const verify = (raw: string, record = KEY.record) => verifyDkim(raw, record);

const signed = (port: number, details: Parameters<typeof emailDelivery>[1] = {}) =>
  emailDelivery({ port, dkim: DKIM }, { credentials: { [CREDENTIAL]: KEY.pem }, ...details });

describe('a mail that is signed with DKIM', () => {
  it('passes an independent verification that covers all visible headers and those of lists', async () => {
    mail.mails.length = 0;
    const content = { subject: 'Grüße, "Ada" — your order', html: '<p>Ünïcödé</p>\n', text: 'Grüße  \n\n' };
    expect(await channel.send(signed(mail.port, { content }))).toMatchObject({ outcome: 'delivered' });
    const { results, asked } = await verify(mail.mails[0]?.raw ?? '');
    expect(asked).toEqual(['TXT s2026._domainkey.example.com']);
    expect(results).toMatchObject([
      {
        signingDomain: 'example.com',
        selector: 's2026',
        algo: 'rsa-sha256',
        status: { result: 'pass', aligned: 'example.com' },
      },
    ]);
    const covered = coveredBy(mail.mails[0]?.raw ?? '');
    for (const field of ['from', 'to', 'reply-to', 'subject', 'message-id', 'date', 'auto-submitted']) {
      expect(covered).toContain(field);
    }
  });

  it('covers both headers of one-click unsubscribe', async () => {
    mail.mails.length = 0;
    const sender = createSmtpSender({ isAddressAllowed: loopbackAllowed });
    const { channel: to, ...attempt } = signed(mail.port);
    const { runId, timeoutMs, signal, nowMs } = attempt;
    const headers = {
      'List-Unsubscribe': '<https://mail.example.com/unsubscribe/abc>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    };
    const message = {
      ...{ messageId: '<run_1@example.com>', from: { email: 'shop@example.com', name: null } },
      ...{ to: { email: 'ada@example.com', name: null }, cc: [], bcc: [], replyTo: null },
      ...{ subject: 'News', html: null, text: 'News', attachments: [], headers },
    };
    const settings = to.config.smtp as JsonObject;
    const credentials = { [DKIM_KEY_FIELD]: KEY.pem };
    await sender.send({
      nowMs,
      channel: to,
      runId,
      timeoutMs,
      signal,
      sender: 'smtp',
      settings,
      credentials,
      message,
    });
    sender.close();
    const raw = mail.mails[0]?.raw ?? '';
    expect((await verify(raw)).results[0]?.status.result).toBe('pass');
    expect(coveredBy(raw)).toEqual(expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']));
    const changed = raw.replace('List-Unsubscribe=One-Click', 'List-Unsubscribe=Two-Clicks');
    expect((await verify(changed)).results[0]?.status.result).not.toBe('pass');
  });

  it('fails verification if its text, its subject or the key differs', async () => {
    mail.mails.length = 0;
    await channel.send(signed(mail.port));
    const raw = mail.mails[0]?.raw ?? '';
    const resultOf = async (...parameters: Parameters<typeof verify>) =>
      (await verify(...parameters)).results[0]?.status.result;
    expect(await resultOf(raw)).toBe('pass');
    expect(await resultOf(raw.replace('<p>Hello</p>', '<p>Hallo</p>'))).not.toBe('pass');
    expect(await resultOf(raw.replace('Subject: Hello', 'Subject: Hallo'))).not.toBe('pass');
    expect(await resultOf(raw, rsaKey(1_024).record)).not.toBe('pass');
  });

  it('is not sent without its key', async () => {
    mail.mails.length = 0;
    const result = await channel.send(signed(mail.port, { channelId: 'no key', credentials: {} }));
    expect(result).toMatchObject({ outcome: 'failed', code: 'smtp_auth_failed', retryable: true });
    expect(mail.mails).toEqual([]);
  });
});

describe('the key that signs', () => {
  const config = (dkim: object | undefined) => ({
    smtp: { host: 'mail.example.com', port: 25, ...(dkim ? { dkim: { ...dkim } } : {}) },
    from: { email: 'shop@example.com' },
  });
  const credentials = emailCredentials(EMAIL_PROVIDERS);
  const given = (private_key: string) =>
    credentials.change(null, { given: config({ ...DKIM, private_key }), config: config(DKIM) });
  const ed25519 = generateKeyPairSync('ed25519')
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();

  it('is accepted in PEM with at least 1,024 bits', () => {
    expect(given(KEY.pem)).toEqual({ changes: { [CREDENTIAL]: KEY.pem }, issues: [] });
    expect(given(rsaKey(1_024).pem).issues).toEqual([]);
  });

  it.each([
    ['no key', 'hello', 'in PEM'],
    ['a short key', rsaKey(512).pem, 'at least 1024 bits'],
    ['a key of another algorithm', ed25519, 'must be an RSA key'],
    ['a public key', KEY.record, 'in PEM'],
  ])('is refused as %s, with a message that says what to do', (_what, pem, message) => {
    expect(given(pem).issues).toMatchObject([
      { path: '/smtp/dkim/private_key', code: 'invalid_format', message: expect.stringContaining(message) },
    ]);
  });

  it('is required with the settings, and stays and is removed with them', () => {
    const without = credentials.change(null, { given: config(DKIM), config: config(DKIM) });
    expect(without.issues).toMatchObject([{ path: '/smtp/dkim/private_key', code: 'required' }]);
    const before = { config: config(DKIM), credentials: new Set([CREDENTIAL]) };
    const elsewhere = { ...config(DKIM), smtp: { ...config(DKIM).smtp, host: 'other.example.com' } };
    expect(credentials.change(before, { given: {}, config: elsewhere })).toEqual({ changes: {}, issues: [] });
    const off = credentials.change(before, { given: { smtp: { dkim: null } }, config: config(undefined) });
    expect(off).toEqual({ changes: { [CREDENTIAL]: null }, issues: [] });
  });
});
