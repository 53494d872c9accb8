import { type MailServer, startMailServer } from '@postrider/rig';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@postrider/testing';
import { simpleParser } from 'mailparser';
import type { EmailContent } from '../../src/email/index.ts';
import type { Sender } from '../../src/sender.ts';
import { createEmailChannel, emailDelivery, loopbackAllowed } from '../support/delivery.ts';

let mail: MailServer;
let channel: Sender<EmailContent>;
beforeAll(async () => {
  mail = await startMailServer();
  channel = createEmailChannel({ isAddressAllowed: loopbackAllowed });
});
afterEach(() => {
  mail.mails.length = 0;
});
afterAll(async () => {
  channel.close();
  await mail.close();
});

const send = (content: Partial<EmailContent>) =>
  channel.send(emailDelivery({ port: mail.port }, { content }));

describe('a mail with copies', () => {
  it('goes to all of them, and only cc is in a header', async () => {
    const cc = Array.from({ length: 12 }, (_, index) => `copy-${index}@example.com`);
    const result = await send({ cc, bcc: ['hidden@example.org'] });
    expect(result).toMatchObject({ status: 'succeeded' });
    const [received] = mail.mails;
    expect(received?.to).toEqual(['ada@example.com', ...cc, 'hidden@example.org']);
    expect(received?.raw).not.toContain('hidden@example.org');
    const parsed = await simpleParser(received?.raw ?? '');
    expect(parsed.cc).toMatchObject({ value: cc.map((address) => ({ address, name: '' })) });
  });

  it.each([
    [450, 'smtp_temporary_rejection', true],
    [550, 'smtp_permanent_rejection', false],
  ])(
    'whose recipient the server refuses with %i fails, even if the copies are accepted',
    async (status, code, retryable) => {
      mail.fail('rcpt', status);
      const result = await send({ cc: ['copy@example.com'] });
      expect(result).toMatchObject({
        status: 'failed',
        response: { statusCode: status },
        error: { code, retryable },
      });
      expect(mail.mails[0]?.to).toEqual(['copy@example.com']);
    },
  );

  it('tells which addresses do not exist, if the server says whose refusal it is', async () => {
    mail.fail('rcpt', 550, 1, '5.1.1 User unknown');
    const email = 'ada@example.com';
    const reason = '550 5.1.1 User unknown';
    expect((await send({ cc: ['copy@example.com'] })).bounces).toEqual([{ email, permanent: true, reason }]);
    mail.fail('rcpt', 552, 1, '5.2.2 Mailbox full');
    expect((await send({})).bounces).toMatchObject([{ email, permanent: false }]);
    mail.fail('rcpt', 550, 1, '5.7.1 Relay access denied');
    expect((await send({})).bounces).toBeUndefined();
    mail.fail('end', 550, 1, '5.1.1 User unknown');
    expect((await send({})).bounces).toMatchObject([{ email, permanent: true }]);
    mail.fail('end', 550, 1, '5.1.1 User unknown');
    expect((await send({ cc: ['copy@example.com'] })).bounces).toBeUndefined();
  });

  it('reports each copy that the server refuses, and suppresses what does not exist', async () => {
    mail.refuseRecipient('gone@example.com', 550, '5.1.1 User unknown');
    mail.refuseRecipient('busy@example.com', 450, '4.2.0 Greylisted');
    const cc = ['gone@example.com', 'well@example.com'];
    const result = await send({ cc, bcc: ['busy@example.com'] });
    const gone = { email: 'gone@example.com', reason: '550 5.1.1 User unknown' };
    const busy = { email: 'busy@example.com', reason: '450 4.2.0 Greylisted' };
    expect(result).toMatchObject({ status: 'succeeded', skippedCopies: [gone, busy] });
    expect(result.bounces).toEqual([
      { ...gone, permanent: true },
      { ...busy, permanent: false },
    ]);
    expect(mail.mails.at(-1)?.to).toEqual(['ada@example.com', 'well@example.com']);
    // A mail whose recipient is refused is sent again, so a temporary refusal is not a bounce.
    mail.fail('rcpt', 450, 1);
    const failed = await send({ cc });
    expect(failed).toMatchObject({ status: 'failed', skippedCopies: [gone], bounces: [gone] });
  });

  it('has neither in its envelope nor in its headers a copy that is suppressed', async () => {
    const content = { cc: ['Gone@Example.com', 'well@example.com'], bcc: ['hidden@example.com'] };
    const suppressedCopies = ['Gone@Example.com', 'hidden@example.com'];
    await channel.send({ ...emailDelivery({ port: mail.port }, { content }), suppressedCopies });
    expect(mail.mails[0]?.to).toEqual(['ada@example.com', 'well@example.com']);
    expect(mail.mails[0]?.raw).toMatch(/^Cc: well@example\.com\r$/m);
    expect(mail.mails[0]?.raw).not.toMatch(/gone@|hidden@/i);
  });

  it('has the reply address and the headers of its content before those of the channel', async () => {
    await send({ reply_to: 'agent@example.com', headers: { 'X-Ticket': '42', 'Auto-Submitted': 'no' } });
    expect(mail.mails[0]?.raw).toMatch(/^Reply-To: agent@example\.com\r$/m);
    expect(mail.mails[0]?.raw).toMatch(/^X-Ticket: 42\r$/m);
    expect(mail.mails[0]?.raw).toMatch(/^Auto-Submitted: no\r$/m);
  });
});

describe('a mail of a stream', () => {
  it('has the service’s unsubscribe headers, whatever its template says', async () => {
    const url = 'https://post.example.com/u/1';
    const headers = { 'list-unsubscribe': '<https://evil.example/>', 'auto-submitted': 'no' };
    await channel.send({
      ...emailDelivery({ port: mail.port }, { content: { headers } }),
      unsubscribeUrl: url,
    });
    const raw = mail.mails[0]?.raw ?? '';
    expect(raw.match(/^List-Unsubscribe:.*$/gim)).toEqual([`List-Unsubscribe: <${url}>`]);
    expect(raw.match(/^Auto-Submitted:.*$/gim)).toEqual(['Auto-Submitted: no']);
  });
});

describe('a mail with files', () => {
  it('has each of them byte for byte, and those with a cid inline', async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256));
    const text = Buffer.from('a,b\n1,2\r\n.\n\n');
    await send({
      html: '<img src="cid:logo" alt="Shop">',
      attachments: [
        { filename: 'Rechnung für "Ada"; 1.pdf', contentType: 'application/pdf', content: bytes },
        { filename: 'lines.csv', contentType: 'text/csv', content: text },
        { filename: 'logo.png', contentType: 'image/png', content: bytes, cid: 'logo' },
      ],
    });
    const { attachments } = await simpleParser(mail.mails[0]?.raw ?? '', { skipImageLinks: true });
    const found = new Map(attachments.map((file) => [file.filename, file]));
    expect(found.get('Rechnung für "Ada"; 1.pdf')).toMatchObject({
      contentType: 'application/pdf',
      contentDisposition: 'attachment',
      content: bytes,
    });
    expect(found.get('lines.csv')).toMatchObject({ contentType: 'text/csv', content: text });
    expect(found.get('logo.png')).toMatchObject({
      cid: 'logo',
      contentDisposition: 'inline',
      content: bytes,
    });
  });
});
