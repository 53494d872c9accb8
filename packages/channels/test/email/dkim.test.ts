import type { JsonObject } from '@postrider/domain';
import { type MailServer, startMailServer } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { simpleParser } from 'mailparser';
import { emailCredentials } from '../../src/email/credentials.ts';
import type { EmailContent } from '../../src/email/index.ts';
import { EMAIL_PROVIDERS } from '../../src/email/providers/index.ts';
import { createSmtpClient } from '../../src/email/providers/smtp/client.ts';
import { smtpProvider } from '../../src/email/providers/smtp/index.ts';
import type { Sender } from '../../src/sender.ts';
import { createEmailChannel, emailDelivery, loopbackAllowed } from '../support/delivery.ts';
import { coveredBy, ed25519Key, rsaKey, verifyDkim } from './verify-dkim.ts';

const KEY = rsaKey(2_048);
const SECOND = ed25519Key();
const DKIM = { domain: 'example.com', selector: 's2026' };
const CREDENTIAL = 'senders/smtp/dkim/private_key';
const SECOND_CREDENTIAL = 'senders/smtp/dkim/ed25519/private_key';
const BOTH = { ...DKIM, ed25519: { selector: 'e2026' } };

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
    expect(await channel.send(signed(mail.port, { content }))).toMatchObject({ status: 'succeeded' });
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

  it('has no carriage return alone, which servers turn into a line break after the signature', async () => {
    for (const rest of ['', 'ü']) {
      mail.mails.length = 0;
      const content = { html: `<p>a\rb\n\r</p>${rest}`, text: `a\rb\r\nc\n\rd${rest}` };
      expect(await channel.send(signed(mail.port, { content }))).toMatchObject({ status: 'succeeded' });
      const raw = mail.mails[0]?.raw ?? '';
      expect(raw).not.toMatch(/\r(?!\n)|(?<!\r)\n/);
      expect((await verify(raw)).results).toMatchObject([{ status: { result: 'pass' } }]);
      expect(await simpleParser(raw)).toMatchObject({ text: `a\nb\nc\n\nd${rest}` });
    }
  });

  it('covers both headers of one-click unsubscribe', async () => {
    mail.mails.length = 0;
    const client = createSmtpClient({ isAddressAllowed: loopbackAllowed });
    const { channel: to, ...attempt } = signed(mail.port);
    const { ids, timeoutMs, signal, nowMs } = attempt;
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
    const credentials = { 'dkim/private_key': KEY.pem };
    await client.send({
      nowMs,
      channel: to,
      ids,
      timeoutMs,
      signal,
      account: 'smtp',
      settings,
      credentials,
      mail: message,
    });
    client.close();
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

  it.each([
    ...[
      'From',
      'To',
      'Cc',
      'Subject',
      'Date',
      'Message-ID',
      'Reply-To',
      'Sender',
      'In-Reply-To',
      'References',
    ],
    ...['MIME-Version', 'Content-Type', 'Content-Transfer-Encoding', 'List-Unsubscribe'],
    ...['List-Unsubscribe-Post', 'List-Id', 'Auto-Submitted', 'Feedback-ID'],
  ])('fails verification if somebody adds a header %s, whether it has one or not', async (name) => {
    const given: Readonly<Record<string, string>>[] = [
      {},
      { 'Feedback-ID': '1:campaign:shop', 'List-Id': '<news.example.com>' },
    ];
    for (const headers of given) {
      mail.mails.length = 0;
      const content = { subject: 'Hello', html: null, text: 'Hello', headers };
      await channel.send(signed(mail.port, { content }));
      const raw = mail.mails[0]?.raw ?? '';
      expect((await verify(raw)).results[0]?.status.result).toBe('pass');
      const added = raw.replace(/^(?=From:)/m, `${name}: added@evil.example\r\n`);
      expect((await verify(added)).results[0]?.status.result).not.toBe('pass');
    }
  });

  it('covers Feedback-ID', async () => {
    mail.mails.length = 0;
    const content = {
      subject: 'Hello',
      html: null,
      text: 'Hello',
      headers: { 'Feedback-ID': '1:campaign:shop' },
    };
    await channel.send(signed(mail.port, { content }));
    const raw = mail.mails[0]?.raw ?? '';
    expect((await verify(raw)).results[0]?.status.result).toBe('pass');
    const changed = raw.replace('1:campaign:shop', '1:campaign:else');
    expect((await verify(changed)).results[0]?.status.result).not.toBe('pass');
  });

  it('has a signature for each of two keys, and either is valid without the other', async () => {
    mail.mails.length = 0;
    const credentials = { [CREDENTIAL]: KEY.pem, [SECOND_CREDENTIAL]: SECOND.pem };
    const attachments = [
      { filename: 'a.bin', contentType: 'application/octet-stream', content: Buffer.alloc(200_000, 7) },
    ];
    const content = { subject: 'Grüße', html: '<p>.\n..\n</p>', text: '.\n \n.', attachments };
    const delivery = emailDelivery(
      { port: mail.port, dkim: BOTH },
      { channelId: 'both', credentials, content },
    );
    expect(await channel.send(delivery)).toMatchObject({ status: 'succeeded' });
    const raw = mail.mails[0]?.raw ?? '';
    const records = {
      's2026._domainkey.example.com': KEY.record,
      'e2026._domainkey.example.com': SECOND.record,
    };
    const { results } = await verifyDkim(raw, records);
    expect(results).toMatchObject([
      { selector: 's2026', algo: 'rsa-sha256', status: { result: 'pass', aligned: 'example.com' } },
      { selector: 'e2026', algo: 'ed25519-sha256', status: { result: 'pass', aligned: 'example.com' } },
    ]);
    const [first = ''] = /^DKIM-Signature:(?:.*\r\n(?=[ \t]))*.*\r\n/.exec(raw) ?? [];
    expect((await verifyDkim(raw.slice(first.length), records)).results).toMatchObject([
      { selector: 'e2026', status: { result: 'pass' } },
    ]);
    for (const line of raw.slice(0, raw.indexOf('From:')).split('\r\n'))
      expect(line.length).toBeLessThanOrEqual(76);
  });

  it('is not sent without its second key', async () => {
    mail.mails.length = 0;
    const delivery = emailDelivery(
      { port: mail.port, dkim: BOTH },
      { channelId: 'no second key', credentials: { [CREDENTIAL]: KEY.pem } },
    );
    expect(await channel.send(delivery)).toMatchObject({
      status: 'failed',
      error: { code: 'smtp_auth_failed' },
    });
    expect(mail.mails).toEqual([]);
  });

  it('is not sent without its key', async () => {
    mail.mails.length = 0;
    const result = await channel.send(signed(mail.port, { channelId: 'no key', credentials: {} }));
    expect(result).toMatchObject({ status: 'failed', error: { code: 'smtp_auth_failed', retryable: true } });
    expect(mail.mails).toEqual([]);
  });
});

describe('the second key', () => {
  const config = (dkim: object) => ({
    smtp: { host: 'mail.example.com', port: 25, dkim },
    from: { email: 'shop@example.com' },
  });
  const credentials = emailCredentials(EMAIL_PROVIDERS);
  const given = (private_key: string) => config({ ...BOTH, ed25519: { ...BOTH.ed25519, private_key } });
  const before = { config: config(BOTH), credentials: new Set([CREDENTIAL, SECOND_CREDENTIAL]) };

  it('is an Ed25519 key, required with its selector', () => {
    const has = { config: config(DKIM), credentials: new Set([CREDENTIAL]) };
    const change = (asked: object) =>
      credentials.change(has, { given: asked as never, config: config(BOTH) });
    expect(change(given(SECOND.pem))).toEqual({ changes: { [SECOND_CREDENTIAL]: SECOND.pem }, issues: [] });
    const path = '/smtp/dkim/ed25519/private_key';
    expect(change(given(KEY.pem)).issues).toMatchObject([
      { path, message: expect.stringContaining('must be an Ed25519 key') },
    ]);
    expect(change({}).issues).toMatchObject([{ path, code: 'required' }]);
  });

  it('stays and is removed with its selector, or with all of DKIM', () => {
    expect(credentials.change(before, { given: {}, config: config(BOTH) })).toEqual({
      changes: {},
      issues: [],
    });
    const removed = { given: { smtp: { dkim: { ed25519: null } } }, config: config(DKIM) };
    expect(credentials.change(before, removed)).toEqual({
      changes: { [SECOND_CREDENTIAL]: null },
      issues: [],
    });
    const off = {
      given: { smtp: { dkim: null } },
      config: { ...config(DKIM), smtp: { host: 'h', port: 25 } },
    };
    expect(credentials.change(before, off as never)).toEqual({
      changes: { [CREDENTIAL]: null, [SECOND_CREDENTIAL]: null },
      issues: [],
    });
  });

  it('needs a selector of its own', () => {
    const issuesOf = (selector: string) =>
      smtpProvider.config.rules.flatMap((rule) =>
        rule.reads.includes('/dkim') ? rule.issuesOf({ dkim: { ...DKIM, ed25519: { selector } } }) : [],
      );
    expect(issuesOf('S2026')).toMatchObject([{ path: '/dkim/ed25519/selector', code: 'invalid_value' }]);
    expect(issuesOf('e2026')).toEqual([]);
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

  it('is accepted in PEM with at least 1,024 bits', () => {
    expect(given(KEY.pem)).toEqual({ changes: { [CREDENTIAL]: KEY.pem }, issues: [] });
    expect(given(rsaKey(1_024).pem).issues).toEqual([]);
  });

  it.each([
    ['no key', 'hello', 'in PEM'],
    ['a short key', rsaKey(512).pem, 'at least 1024 bits'],
    ['a key of another algorithm', SECOND.pem, 'must be an RSA key'],
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
