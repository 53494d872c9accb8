import { onOneLine } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { type AddressObject, simpleParser } from 'mailparser';
import { createTransport } from 'nodemailer';
import { anyCharacter } from '../../../domain/test/any-character.ts';
import { emailMessage } from '../../src/email/message.ts';
import { composeEmail, writeOwnHeaders } from '../../src/email/providers/smtp/compose.ts';
import { emailDelivery } from '../support/delivery.ts';

const transport = createTransport({ streamTransport: true, buffer: true });
transport.use('stream', writeOwnHeaders);
/** The message of a delivery as it leaves, and as a mail program reads it. */
async function sent({
  subject = 'Hello',
  name = 'Ada',
  from = 'Shop',
  to = 'ada@example.com',
  headers = {},
}: Partial<Record<'subject' | 'name' | 'from' | 'to', string>> & { headers?: Record<string, string> }) {
  const content = { subject, headers };
  const delivery = emailDelivery({ port: 25 }, { message: { recipient: { email: to, name } }, content });
  const comesFrom = { email: 'shop@example.com', name: from, replyTo: 'help@example.com' };
  const composed = emailMessage(delivery, comesFrom);
  if (!composed) throw new Error(`no mail can be sent to ${to}`);
  const raw = String((await transport.sendMail(composeEmail(composed))).message);
  const [head = ''] = raw.split('\r\n\r\n', 1);
  const mail = await simpleParser(raw);
  const [sender, recipient] = [mail.from, mail.to as AddressObject].map((header) => header?.value[0]);
  return { lines: head.split('\r\n'), mail, sender, recipient };
}

const LONG = 'x'.repeat(3_000);
const WORDS = `${'An order of many words '.repeat(100)}ends`;

const TEXTS = [
  ['an encoded word', '=?utf-8?b?SGVsbG8NCkJjYzogZXZlQGV4YW1wbGUuY29t?='],
  ['an encoded word with the end of a direction', 'Pay =?UTF-8?Q?=E2=80=AEmoc=2Eknab?= now'],
  ['text that a lenient decoder treats as one', '=?utf-8?Q?a b?= and =?x?='],
  ['3,000 characters without a space', LONG],
  ['3,000 characters of Greek', 'π'.repeat(3_000)],
  ['2,300 characters of words', WORDS],
  ['quotes and brackets', 'Ada, "A" <b@c.de> \\ (x)'],
  ['several spaces', 'a   b'],
  ['Hebrew with its marks', '\u200fשלום\u200e (1)'],
  ['Arabic', 'تم شحن طلبك رقم 42'],
  ['emoji', '🏳️‍🌈'.repeat(60)],
  ['Japanese', '注文を発送しました'.repeat(20)],
] as const;

/** A header as a mail program shows it. The parser decodes a subject, and no header that it does not know. */
async function readHeader(lines: readonly string[], name: string): Promise<string | undefined> {
  const head = lines.join('\r\n').replace(/\r\n(?=[ \t])/g, '');
  const line = head.split('\r\n').find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return (await simpleParser(`Subject:${line?.slice(name.length + 1)}\r\n\r\n`)).subject;
}

/** Templates have no longer headers, and none with several spaces. */
const HEADER_TEXTS = TEXTS.filter(([, text]) => text.length <= 900 && !text.includes('  '));

describe('the text headers of a template', () => {
  it.each(HEADER_TEXTS)('arrive unchanged: %s', async (_, text) => {
    const headers = { 'X-Note': text, Organization: text, comments: text };
    const { lines } = await sent({ headers });
    for (const name of Object.keys(headers)) expect(await readHeader(lines, name)).toBe(text);
    expect(lines.filter((line) => /[^ -~]/.test(line) || line.length > 78)).toEqual([]);
  });

  it('keep long words and quotes of ASCII, which programs read', async () => {
    const token = 'a1'.repeat(200);
    const { lines } = await sent({ headers: { 'X-Token': token, 'X-Json': '{"a": "b"}' } });
    expect(lines).toEqual(expect.arrayContaining([`X-Token: ${token}`, 'X-Json: {"a": "b"}']));
  });
});

describe('a subject and a display name', () => {
  it.each(TEXTS)('arrive unchanged: %s', async (_, text) => {
    const { mail, sender, recipient } = await sent({ subject: text, name: text, from: text });
    expect(mail.subject).toBe(text);
    expect(recipient).toEqual({ address: 'ada@example.com', name: text });
    expect(sender).toEqual({ address: 'shop@example.com', name: text });
  });

  it('arrive unchanged for any text, in lines of at most 76 octets', async () => {
    const part = fc.oneof(
      fc.constantFrom(
        '=?',
        '?=',
        '=?utf-8?q?',
        '=?utf-8?b?',
        'x'.repeat(90),
        ' ',
        '"',
        '\\',
        '\u200f',
        ',',
        '<',
      ),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.string({ unit: anyCharacter, maxLength: 20 }),
    );
    const text = fc.array(part, { maxLength: 12 }).map((parts) => onOneLine(parts.join('')));
    await fc.assert(
      fc.asyncProperty(text, text, async (subject, name) => {
        const { mail, lines, recipient } = await sent({ subject, name });
        expect(mail.subject ?? '').toBe(subject);
        expect(recipient).toEqual({ address: 'ada@example.com', name });
        expect(lines.filter((line) => Buffer.byteLength(line) > 76)).toEqual([]);
        expect(lines.filter((line) => /[^ -~]/.test(line) || line.trim() === '')).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['ESC and other controls', 'a\u001b[2Jb\u0000c\u009bd\u007f', 'a[2Jbcd'],
    ['line breaks, also those of Unicode', 'a\r\nBcc: x\u2028b\u0085c', 'a Bcc: x b c'],
    ['characters that change the direction of text', 'a\u202emoc.knab\u202c \u2067b\u2069', 'amoc.knab b'],
    ['half a character', 'a\ud83d', 'a\ufffd'],
  ])('do without %s', async (_, given, expected) => {
    const { mail, recipient, lines } = await sent({ subject: given, name: given });
    expect(mail.subject).toBe(expected);
    expect(recipient?.name).toBe(expected);
    expect(lines.filter((line) => /^bcc/i.test(line))).toEqual([]);
  });

  it('are legible in the source if they are plain', async () => {
    const { lines } = await sent({ subject: 'Your order A-1001 has left', name: 'Ada L. Byron' });
    expect(lines).toEqual(
      expect.arrayContaining([
        'Subject: Your order A-1001 has left',
        'To: "Ada L. Byron" <ada@example.com>',
        'From: Shop <shop@example.com>',
        'Reply-To: help@example.com',
      ]),
    );
  });

  it('are on another line than an address of the maximum length', async () => {
    const to = `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}${'c'.repeat(6)}`;
    const { recipient, lines } = await sent({ to, name: 'Ada '.repeat(40).trim() });
    expect(recipient).toEqual({ address: to, name: 'Ada '.repeat(40).trim() });
    expect(lines).toContain(` <${to}>`);
  });
});
