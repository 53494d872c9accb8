import type { SmtpStep } from '@postrider/rig';
import { type MailServer, startMailServer } from '@postrider/rig';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@postrider/testing';
import type { EmailContent } from '../../src/email/index.ts';
import type { Sender } from '../../src/sender.ts';
import { createEmailChannel, emailDelivery, loopbackAllowed, RUN_ID } from '../support/delivery.ts';
import { type Break, startBreakingServer } from '../support/raw-smtp.ts';

let mail: MailServer;
let withAuth: MailServer;
let channel: Sender<EmailContent>;
beforeAll(async () => {
  [mail, withAuth] = await Promise.all([startMailServer(), startMailServer({ auth: true })]);
  channel = createEmailChannel({ isAddressAllowed: loopbackAllowed });
});
afterEach(() => {
  channel.close();
  mail.mails.length = 0;
});
afterAll(async () => {
  await mail.close();
  await withAuth.close();
});

describe('a mail', () => {
  it('has HTML and text, the Message-ID of the run, and the recipient alone in its envelope', async () => {
    const result = await channel.send(
      emailDelivery(
        { port: mail.port },
        { message: { recipient: { email: 'ada@example.com', name: 'Ada, "A" <b@c.de>' } } },
      ),
    );
    expect(result).toMatchObject({ status: 'succeeded', response: { statusCode: 250 } });
    expect(mail.mails).toMatchObject([
      {
        from: 'shop@example.com',
        to: ['ada@example.com'],
        messageId: `<${RUN_ID}@example.com>`,
        subject: 'Hello',
        html: '<p>Hello</p>',
        text: 'Hello',
      },
    ]);
    expect(mail.mails[0]?.raw).toMatch(/^Content-Type: multipart\/alternative/m);
    expect(mail.mails[0]?.raw).toMatch(/^Reply-To: help@example\.com/m);
  });

  it('cannot gain a header or a recipient by line breaks', async () => {
    const recipient = { email: 'ada@example.com', name: 'Ada\r\nBcc: eve@example.com' };
    const content = { subject: 'Hello\r\nBcc: eve@example.com' };
    await channel.send(emailDelivery({ port: mail.port }, { message: { recipient }, content }));
    expect(mail.mails[0]?.to).toEqual(['ada@example.com']);
    expect(mail.mails[0]?.raw).not.toMatch(/^Bcc:/m);
  });

  it.each(['a@example.com, b@example.com', 'Ada <a@example.com>', 'a@example.com\r\nRCPT TO:<b@c.de>', ''])(
    'does not go to %j',
    async (address) => {
      const delivery = emailDelivery({ port: mail.port }, { message: { recipient: { email: address } } });
      expect(await channel.send(delivery)).toMatchObject({ status: 'failed', error: { retryable: false } });
      expect(mail.mails).toEqual([]);
    },
  );
});

describe('an SMTP server that refuses', () => {
  const temporary = { code: 'smtp_temporary_rejection', retryable: true };
  const permanent = { code: 'smtp_permanent_rejection', retryable: false };
  const ofSender = { code: 'smtp_sender_refused', retryable: true };
  it.each<[SmtpStep, number, { code: string; retryable: boolean; message?: string }]>([
    ['connect', 421, temporary],
    ['connect', 554, ofSender],
    ['mail', 451, temporary],
    ['mail', 550, ofSender],
    ['rcpt', 450, temporary],
    ['rcpt', 550, permanent],
    // About the session, and not the message.
    ['rcpt', 503, temporary],
    ['end', 451, temporary],
    ['end', 554, { ...permanent, message: 'The server answered 554 to the message: it refuses this mail.' }],
    ['end', 421, temporary],
  ])('at %s with %i', async (verb, code, expected) => {
    mail.fail(verb, code);
    expect(await channel.send(emailDelivery({ port: mail.port }))).toMatchObject({
      status: 'failed',
      error: expected,
      response: { statusCode: code },
    });
    // The connection that is kept is usable, or was given up: the next mail goes.
    expect(await channel.send(emailDelivery({ port: mail.port }))).toMatchObject({ status: 'succeeded' });
  });

  it.each([454, 535])('the credentials with %i may be corrected', async (code) => {
    withAuth.fail('auth', code);
    const delivery = emailDelivery(
      { port: withAuth.port, username: 'shop' },
      { credentials: { 'senders/smtp/password': 'open' } },
    );
    expect(await channel.send(delivery)).toMatchObject({
      status: 'failed',
      error: { code: 'smtp_auth_failed', retryable: true },
    });
    expect(await channel.send(delivery)).toMatchObject({ status: 'succeeded' });
  });
});

describe('an SMTP connection that breaks', () => {
  it.each<[Break, string, string]>([
    ['connect', 'failed', 'smtp_connection_failed'],
    ['ehlo', 'failed', 'smtp_connection_failed'],
    ['mail', 'failed', 'smtp_connection_failed'],
    ['rcpt', 'failed', 'smtp_connection_failed'],
    ['data', 'failed', 'smtp_connection_failed'],
    ['message', 'unknown', 'smtp_outcome_unknown'],
    ['final-dot', 'unknown', 'smtp_outcome_unknown'],
  ])('at %s is %s', async (at, outcome, code) => {
    const server = await startBreakingServer(at);
    expect(await channel.send(emailDelivery({ port: server.port }))).toMatchObject({
      status: outcome,
      error: { code, retryable: true },
    });
    expect(server.messages).toHaveLength(at === 'final-dot' ? 1 : 0);
    await server.close();
  });

  it.each<[Break, string, string]>([
    ['connect', 'failed', 'The session with the server failed'],
    ['mail', 'failed', 'The session with the server failed'],
    ['final-dot', 'unknown', 'The server did not answer within the time limit'],
  ])('or stops responding at %s within the time limit is %s', async (at, outcome, message) => {
    const server = await startBreakingServer(at, { how: 'hang' });
    const result = await channel.send(emailDelivery({ port: server.port }, { timeoutMs: 2_000 }));
    expect(result).toMatchObject({
      status: outcome,
      error: { retryable: true, message: expect.stringContaining(message) },
    });
    await server.close();
  });

  it.each<[Break, string, boolean]>([
    ['mail', 'smtp_sender_refused', true],
    ['rcpt', 'smtp_permanent_rejection', false],
  ])('with a refusal at %s and no reply to DATA is what it refused', async (at, code, retryable) => {
    const server = await startBreakingServer(at, { how: 'refuse' });
    const result = await channel.send(emailDelivery({ port: server.port }));
    expect(result).toMatchObject({
      status: 'failed',
      error: { code, retryable },
      response: { statusCode: 550, bodyExcerpt: '550 5.1.1 no such user' },
    });
    expect(result.bounces).toEqual(
      at === 'rcpt'
        ? [{ email: 'ada@example.com', permanent: true, reason: '550 5.1.1 no such user' }]
        : undefined,
    );
    await server.close();
  });

  it('never, but answers the mail with neither success nor refusal, is unknown', async () => {
    const server = await startBreakingServer('connect', { times: 0, taken: '354 again' });
    expect(await channel.send(emailDelivery({ port: server.port }))).toMatchObject({
      status: 'unknown',
      error: { code: 'smtp_outcome_unknown', message: expect.stringContaining('does not say whether') },
    });
    await server.close();
  });
});

describe('the queue id in the reply of the server', () => {
  const idOf = async (taken: string, credentials: Readonly<Record<string, string>> = {}) => {
    const server = await startBreakingServer('connect', { times: 0, taken });
    const result = await channel.send(emailDelivery({ port: server.port }, { credentials }));
    await server.close();
    expect(result).toMatchObject({ status: 'succeeded' });
    return result.providerMessageId;
  };

  it.each([
    ['of Postfix', '250 2.0.0 Ok: queued as 4Zx1kQ2n9Vz8sPT', '4Zx1kQ2n9Vz8sPT'],
    ['of Postfix with short ids', '250 2.0.0 Ok: queued as 9A1B2C3D4E', '9A1B2C3D4E'],
    ['of Exim', '250 OK id=1rW4Gk-0007Zb-2T', '1rW4Gk-0007Zb-2T'],
    ['of Exim 4.97 and newer', '250 OK id=1rW4Gk-00000007Zb1-2TXy', '1rW4Gk-00000007Zb1-2TXy'],
    ['of another server', '250 2.0.0 Message accepted', undefined],
  ])('%s is the id at the provider', async (_server, taken, id) => {
    expect(await idOf(taken)).toBe(id);
  });

  it('is never a password that the server repeats', async () => {
    const password = 'correcthorsebattery';
    expect(
      await idOf(`250 2.0.0 Ok: queued as ${password}`, { 'senders/smtp/password': password }),
    ).toBeUndefined();
  });
});

describe.each([
  ['an SMTP reply of more than 16 KiB', 'babble'],
  ['an SMTP server that sends blank lines', 'blank'],
] as const)('%s', (_what, how) => {
  it.each<[Break, string, string]>([
    ['connect', 'failed', 'smtp_connection_failed'],
    ['ehlo', 'failed', 'smtp_connection_failed'],
    ['final-dot', 'unknown', 'smtp_outcome_unknown'],
  ])('at %s ends the connection at once, as %s', async (at, outcome, code) => {
    const server = await startBreakingServer(at, { how });
    expect(await channel.send(emailDelivery({ port: server.port }, { timeoutMs: 30_000 }))).toMatchObject({
      status: outcome,
      error: { code, retryable: true, message: expect.stringContaining('EPROTOCOL') },
    });
    await server.close();
  });
});

describe('the kept connections', () => {
  it('are those of the channel as it is now', async () => {
    await channel.send(emailDelivery({ port: mail.port }));
    const moved = await startMailServer();
    await channel.send(emailDelivery({ port: moved.port }, { revision: 2 }));
    expect(moved.mails).toHaveLength(1);
    await moved.close();
  });

  it('that the server has closed do not fail an attempt', async () => {
    const server = await startBreakingServer('mail', { times: 0 });
    await channel.send(emailDelivery({ port: server.port }));
    server.dropConnections();
    expect(await channel.send(emailDelivery({ port: server.port }))).toMatchObject({ status: 'succeeded' });
    expect(server.messages).toHaveLength(2);
    await server.close();
  });
});
