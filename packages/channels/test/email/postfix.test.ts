import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { waitFor } from '@postrider/rig';
import { type Authority, createAuthority } from '@postrider/rig/certificates';
import { findPostfix, type Postfix, startPostfix, TLS_FRONT_CERTIFICATE } from '@postrider/rig/servers';
import { afterAll, afterEach, beforeAll, describeWith, expect, it } from '@postrider/testing';
import { simpleParser } from 'mailparser';
import type { EmailContent } from '../../src/email/index.ts';
import type { Sender } from '../../src/sender.ts';
import { createEmailChannel, emailDelivery, loopbackAllowed, RUN_ID } from '../support/delivery.ts';
import { coveredBy, rsaKey, verifyDkim } from './verify-dkim.ts';

/** Downloading the package, and starting on a machine where dozens of processes want each core. */
const START_LIMIT_MS = 600_000;
const MAX_MESSAGE_BYTES = 100_000;
const KEY = rsaKey(2_048);
/** The certificate of the server, which no public authority has signed. */
const CA = readFileSync(TLS_FRONT_CERTIFICATE, 'utf8');

/** What every mail of this suite has in its addresses: letters as people type them. */
const DOMAIN = 'Example.COM';
/** Local parts of the mailboxes, one for each test that reads what arrived. */
const MAILBOXES = [
  'ada',
  'signed',
  'grey',
  'later',
  'large',
  'copies',
  'starttls',
  'tls',
  'certificate',
  'ehlo',
  'returned',
];

interface PolicyServer {
  readonly port: number;
  /** What is answered for a recipient, a sender or `CONNECT` from now on; the last answer stays. */
  answer(about: string, ...actions: string[]): void;
  close(): void;
}

/** Decides on connections, senders and recipients by Postfix's policy delegation protocol, as servers for greylisting do. */
async function startPolicyServer(): Promise<PolicyServer> {
  const answers = new Map<string, string[]>();
  const next = (about: string) => {
    const actions = answers.get(about) ?? [];
    return (actions.length > 1 ? actions.shift() : actions[0]) ?? 'DUNNO';
  };
  const server = createServer((socket) => {
    let read = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      read += text;
      const requests = read.split('\n\n');
      read = requests.pop() ?? '';
      for (const request of requests) {
        const fieldOf = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(request)?.[1];
        const about = fieldOf('recipient') ?? fieldOf('sender') ?? fieldOf('protocol_state') ?? '';
        socket.write(`action=${next(about)}\n\n`);
      }
    });
    socket.on('error', () => undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    answer: (about, ...actions) => void answers.set(about, actions),
    close: () => server.close(),
  };
}

describeWith(await findPostfix(), 'mail to Postfix', (root) => {
  let policy: PolicyServer;
  let postfix: Postfix;
  let channel: Sender<EmailContent>;
  let authority: Authority;

  beforeAll(async () => {
    policy = await startPolicyServer();
    authority = await createAuthority('Clients');
    postfix = await startPostfix(root, {
      ...{ mailboxes: MAILBOXES, maxMessageBytes: MAX_MESSAGE_BYTES, policyPort: policy.port },
      clientAuthority: authority.certificate,
    });
    channel = createEmailChannel({ isAddressAllowed: loopbackAllowed });
  }, START_LIMIT_MS);
  afterEach(() => channel.close());
  afterAll(async () => {
    await postfix?.stop();
    policy?.close();
  });

  type Details = Parameters<typeof emailDelivery>[1];
  const to = (mailbox: string, details: Details = {}, smtp: object = {}) => {
    const delivery = emailDelivery(
      { port: postfix.port, ...smtp },
      { message: { recipient: { email: `${mailbox}@${DOMAIN}` } }, ...details },
    );
    const config = { ...delivery.channel.config, from: { email: `shop@${DOMAIN}`, name: 'Shop' } };
    return { ...delivery, channel: { ...delivery.channel, config } };
  };
  const send = async (...given: Parameters<typeof to>) => channel.send(to(...given));
  /** The mails of a mailbox, once there are so many. */
  const arrived = (mailbox: string, count = 1) =>
    waitFor(`the mail of ${mailbox}`, async () => {
      const mails = await postfix.mailsOf(mailbox);
      return mails.length >= count && mails;
    });

  it('arrives unchanged, with lines of dots, long lines and other scripts', async () => {
    const text = `Grüße\n.\n..\n${'x'.repeat(3_000)}\nпривет 你好\n.`;
    const content = { subject: 'Grüße, "Ada"', html: null, text };
    expect(await send('ada', { content })).toMatchObject({
      status: 'succeeded',
      response: { statusCode: 250, bodyExcerpt: expect.stringMatching(/^250 2\.0\.0 Ok: queued as \w+/) },
    });
    const [raw = ''] = await arrived('ada');
    expect(raw).toMatch(/^Return-Path: <shop@example\.com>\n/);
    expect(raw).toContain(`Message-ID: <${RUN_ID}@example.com>`);
    expect(raw).toContain('Delivered-To: ada@example.com');
    expect(raw).not.toMatch(/^Received: .*TLS/m);
    const { subject, text: read } = await simpleParser(Buffer.from(raw, 'latin1'));
    expect([subject, read?.trimEnd()]).toEqual([content.subject, text]);
  });

  it('passes an independent DKIM verification after the server has forwarded it', async () => {
    const dkim = { domain: 'example.com', selector: 's2026' };
    const credentials = { 'senders/smtp/dkim/private_key': KEY.pem };
    const unsubscribeUrl = 'https://mail.example.com/unsubscribe/abc';
    const content = { subject: 'News', html: '<p>Ünïcödé</p>\n', text: '.\nGrüße  \n\n' };
    const sent = await send('signed', { credentials, content, unsubscribeUrl }, { dkim });
    expect(sent.status).toBe('succeeded');
    const [raw = ''] = await arrived('signed');
    const onTheWire = raw.replaceAll('\n', '\r\n');
    const { results } = await verifyDkim(onTheWire, KEY.record);
    expect(results).toMatchObject([{ signingDomain: 'example.com', status: { result: 'pass' } }]);
    expect(coveredBy(onTheWire)).toEqual(
      expect.arrayContaining(['from', 'subject', 'list-unsubscribe', 'list-unsubscribe-post']),
    );
    const changed = onTheWire.replace('One-Click', 'Two-Clicks');
    expect((await verifyDkim(changed, KEY.record)).results[0]?.status.result).not.toBe('pass');
  });

  it('to an unknown mailbox is refused permanently, and of a client that may not relay for now, and the next mail is sent', async () => {
    const permanent = { status: 'failed', error: { code: 'smtp_permanent_rejection', retryable: false } };
    expect(await send('nobody')).toMatchObject({
      ...permanent,
      response: { statusCode: 550, bodyExcerpt: expect.stringContaining('5.1.1') },
      bounces: [
        { email: 'nobody@example.com', permanent: true, reason: expect.stringContaining('User unknown') },
      ],
    });
    const elsewhere = { email: 'ada@Elsewhere.TEST' };
    policy.answer('ada@elsewhere.test', 'REJECT 5.7.1 Relay access denied');
    expect(await send('', { message: { recipient: elsewhere } })).toMatchObject({
      status: 'failed',
      response: { statusCode: 554 },
      error: { code: 'smtp_sender_refused', retryable: true },
    });
    expect((await send('ada')).status).toBe('succeeded');
  });

  it.each([
    ['at the greeting', 'CONNECT', 'REJECT 5.7.1 Client host blocked using blocklist.example', 554],
    ['at MAIL FROM', 'shop@example.com', 'REJECT 5.7.1 Account suspended', 554],
    ['at MAIL FROM, for now', 'shop@example.com', 'DEFER_IF_PERMIT 4.7.1 Daily limit', 450],
  ])('is retried by another sender if the account is refused %s', async (_when, about, action, code) => {
    policy.answer(about, action);
    const refused = await send('ada', {}, { port: postfix.strictPort });
    policy.answer(about, 'DUNNO');
    expect(refused).toMatchObject({
      status: 'failed',
      response: { statusCode: code },
      error: { code: code < 500 ? 'smtp_temporary_rejection' : 'smtp_sender_refused', retryable: true },
    });
    expect(refused.error?.about).toBeUndefined();
    expect(refused.bounces).toBeUndefined();
    expect((await send('ada', {}, { port: postfix.strictPort })).status).toBe('succeeded');
  });

  it('that is greylisted is retried with the same Message-ID, and arrives once', async () => {
    policy.answer('grey@example.com', 'DEFER_IF_PERMIT 4.2.0 Greylisted, try again', 'DUNNO');
    const delivery = to('grey');
    expect(await channel.send(delivery)).toMatchObject({
      status: 'failed',
      response: { statusCode: 450, bodyExcerpt: expect.stringContaining('Greylisted') },
      error: { code: 'smtp_temporary_rejection', retryable: true },
    });
    expect(await channel.send({ ...delivery, attemptNumber: 2 })).toMatchObject({ status: 'succeeded' });
    const mails = await arrived('grey');
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain(`Message-ID: <${RUN_ID}@example.com>`);
  });

  it('that the server refuses with 421 is retried', async () => {
    policy.answer('later@example.com', '421 4.3.2 Out of service', 'DUNNO');
    expect(await send('later')).toMatchObject({
      status: 'failed',
      response: { statusCode: 421 },
      error: { code: 'smtp_temporary_rejection', retryable: true },
    });
    expect((await send('later')).status).toBe('succeeded');
    expect(await arrived('later')).toHaveLength(1);
  });

  it('that is too large for the server is refused permanently, and a smaller one is sent', async () => {
    const content = { html: null, text: 'x'.repeat(MAX_MESSAGE_BYTES * 2) };
    expect(await send('large', { content })).toMatchObject({
      status: 'failed',
      error: { code: 'smtp_permanent_rejection', retryable: false },
    });
    const fitting = { html: null, text: `${'x'.repeat(70)}\n`.repeat(900) };
    expect((await send('large', { content: fitting })).status).toBe('succeeded');
    expect(await arrived('large')).toHaveLength(1);
  });

  it('is sent to its recipient and the copies, even if a copy is refused', async () => {
    const content = { cc: [`nobody@${DOMAIN}`], bcc: [`ada@${DOMAIN}`], reply_to: `Help@${DOMAIN}` };
    const before = (await postfix.mailsOf('ada')).length;
    expect(await send('copies', { content })).toMatchObject({
      status: 'succeeded',
      bounces: [{ email: 'nobody@example.com', permanent: true }],
    });
    const [mail = ''] = await arrived('copies');
    expect(mail).toContain('Cc: nobody@example.com');
    expect(mail).toContain('Reply-To: Help@example.com');
    expect(mail).not.toContain('Bcc');
    await arrived('ada', before + 1);
  });

  it('is not sent over TLS to a server with an untrusted certificate', async () => {
    for (const smtp of [{ port: postfix.startTlsPort }, { port: postfix.tlsPort, secure: true }]) {
      expect(await send('starttls', {}, smtp)).toMatchObject({
        status: 'failed',
        error: { code: 'smtp_connection_failed' },
      });
    }
    expect(await postfix.mailsOf('starttls')).toEqual([]);
  });

  it.each(['starttls', 'tls'])('is sent over TLS to a server of a private authority: %s', async (how) => {
    const secure = how === 'tls';
    const smtp = { port: secure ? postfix.tlsPort : postfix.startTlsPort, secure, ca: CA };
    expect(await send(how, {}, smtp)).toMatchObject({ status: 'succeeded' });
    expect((await arrived(how))[0]).toMatch(/using TLSv1\.[23] with cipher/);
  });

  it('is never sent without TLS to a server whose authority is given', async () => {
    expect(await send('starttls', {}, { port: postfix.port, ca: CA })).toMatchObject({
      status: 'failed',
      error: { retryable: true },
    });
  });

  it('is sent with a client certificate to a server that asks for one', async () => {
    const server = { port: postfix.clientCertificatePort, secure: true, ca: CA };
    expect((await send('certificate', {}, server)).status).toBe('failed');
    const { certificate, privateKey } = await authority.issue('postrider');
    const credentials = { 'senders/smtp/private_key': privateKey };
    const sent = await send('certificate', { credentials, revision: 2 }, { ...server, certificate });
    expect(sent).toMatchObject({ status: 'succeeded' });
    expect((await arrived('certificate'))[0]).toMatch(
      /Client CN "postrider", Issuer "Clients" \(verified OK\)/,
    );
    expect(await send('certificate', { revision: 3 }, { ...server, certificate })).toMatchObject({
      status: 'failed',
      error: { code: 'smtp_auth_failed', retryable: true },
    });
  });

  it('has the return path of its run, or a fixed one, and the same headers', async () => {
    const token = '0'.repeat(42);
    const bounceToken = async () => token;
    const verp = { return_path: `Bounces+{run}@${DOMAIN}` };
    expect((await send('returned', { bounceToken }, verp)).status).toBe('succeeded');
    const fixed = { return_path: `Bounces@${DOMAIN}` };
    expect((await send('returned', { revision: 2 }, fixed)).status).toBe('succeeded');
    const mails = await arrived('returned', 2);
    expect(mails.map((mail) => mail.split('\n')[0]).sort()).toEqual([
      `Return-Path: <Bounces+${token}@example.com>`,
      'Return-Path: <Bounces@example.com>',
    ]);
    for (const mail of mails) expect(mail).toContain('From: Shop <shop@example.com>');
  });

  it('is retried later while the token of its return path cannot be made', async () => {
    const bounceToken = () => Promise.reject(new Error('the key is lost'));
    expect(await send('returned', { bounceToken }, { return_path: `b+{run}@${DOMAIN}` })).toMatchObject({
      status: 'failed',
      error: { code: 'smtp_auth_failed', retryable: true },
    });
  });

  it('comes from a client with the configured name', async () => {
    expect((await send('ehlo', {}, { ehlo_name: 'mail.shop.example' })).status).toBe('succeeded');
    expect((await arrived('ehlo'))[0]).toMatch(/^Received: from mail\.shop\.example \(/m);
  });
});
