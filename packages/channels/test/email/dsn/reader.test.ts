import type { FeedbackEvent } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { readDsn } from '../../../src/email/dsn/reader.ts';
import { complaint, deliveryReport, openSmtpdReport } from './reports.ts';

const RUN = 'run_01kb2t5rwhffh8rkc5f0m1ek9r';
const TOKEN = `${'0'.repeat(41)}1`;
const NOW = Date.parse('2026-11-22T11:00:00Z');

async function read(body: Buffer, query: Record<string, string> = {}): Promise<readonly FeedbackEvent[]> {
  const reading = await readDsn({
    headers: {},
    query,
    body,
    settings: {},
    credentials: {},
    nowMs: NOW,
    runIdOfToken: async (token) => (token === TOKEN ? RUN : null),
    fetchDocument: async () => null,
  });
  if (!reading.ok) throw new Error(reading.message);
  return reading.events;
}

describe('delivery reports', () => {
  it('are read as a mail server writes them, for the run that the returned headers name', async () => {
    expect(await read(deliveryReport())).toEqual([
      {
        id: expect.stringMatching(/^sha256:/),
        type: 'bounced',
        permanent: true,
        email: 'ada@example.com',
        runId: RUN,
        providerMessageId: null,
        at: new Date('2026-11-22T10:15:02Z'),
        reason:
          '5.1.1 550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in virtual mailbox table',
      },
    ]);
  });

  it.each([
    ['550 5.1.1 <ada@example.com>: no such user', true, '5.1.1'],
    ['552 5.2.2 mailbox full', false, '5.2.2'],
  ])('of OpenSMTPD have the reply in the text for people: %s', async (reply, permanent, status) => {
    expect(await read(openSmtpdReport(reply))).toMatchObject([
      { type: 'bounced', permanent, email: 'ada@example.com', runId: RUN, reason: `${status} ${reply}` },
    ]);
  });

  const ofAnother = '<run_01kb2t5rwhffh8rkc5f0m1ek00@shop.example.com>';
  it.each([
    ['in To', { to: `<bounces+${TOKEN}@shop.example.com>` }, {}],
    ['in upper case', { to: `"B" <BOUNCES+${TOKEN.toUpperCase()}@SHOP.EXAMPLE.COM>` }, {}],
    ['as the whole local part', { to: `${TOKEN}@shop.example.com` }, {}],
    ['in the header of a delivering server', { to: `x@y\r\nX-Original-To: b=${TOKEN}@shop.example.com` }, {}],
    ['in the query', {}, { recipient: `bounces+${TOKEN}@shop.example.com` }],
  ])(
    'find their run by the token of the return path, without the Message-ID: %s',
    async (_where, report, query) => {
      expect(
        await read(deliveryReport({ messageId: '<other@mail.example>', ...report }), query),
      ).toMatchObject([{ runId: RUN, type: 'bounced' }]);
      expect(await read(deliveryReport({ messageId: ofAnother, ...report }), query)).toMatchObject([
        { runId: RUN },
      ]);
    },
  );

  it('with a forged token find their run by the Message-ID alone', async () => {
    const to = `bounces+${'0'.repeat(42)}@shop.example.com`;
    expect(await read(deliveryReport({ to }))).toMatchObject([{ runId: RUN }]);
    expect(await read(deliveryReport({ to, messageId: '<other@mail.example>' }))).toEqual([]);
    const longer = `bounces+0${TOKEN}@shop.example.com`;
    expect(await read(deliveryReport({ to: longer, messageId: '<other@mail.example>' }))).toEqual([]);
  });

  it.each([
    ['failed', '5.1.1', 'bounced', true],
    ['failed', '5.1.3', 'bounced', true],
    ['failed', '5.1.6', 'bounced', true],
    ['failed', '5.1.10', 'bounced', true],
    ['failed', '5.2.1', 'bounced', true],
    ['failed', '5.0.0', 'bounced', false],
    ['failed', '5.1.8', 'bounced', false],
    ['failed', '5.3.1', 'bounced', false],
    ['failed', '5.4.6', 'bounced', false],
    ['failed', '4.4.1', 'bounced', false],
    ['failed', '5.2.2', 'bounced', false],
    ['failed', '5.3.4', 'bounced', false],
    ['failed', '5.7.1', 'bounced', false],
    ['delayed', '4.4.1', 'deferred', false],
    ['delivered', '2.0.0', 'delivered', false],
    ['relayed', '2.0.0', 'delivered', false],
    ['', '5.1.2', 'bounced', true],
    ['', '4.2.0', 'deferred', false],
  ])(
    'are classified by action and status: %s %s is %s, permanent %s',
    async (action, status, type, permanent) => {
      const diagnostic = 'x-unix; no text';
      expect(await read(deliveryReport({ action, status, diagnostic }))).toMatchObject([{ type, permanent }]);
    },
  );

  it.each([
    ['smtp; 550 Service unavailable, client [192.0.2.1] blocked using Spamhaus', false],
    ['smtp; 550 5.7.1 rejected: 5.1.1.2 is listed', false],
    ['smtp; 550-5.1.1 The email account does not exist', true],
  ])(
    'with an unspecific status are classified by what the server said: %s',
    async (diagnostic, permanent) => {
      expect(await read(deliveryReport({ status: '5.0.0', diagnostic }))).toMatchObject([
        { type: 'bounced', permanent },
      ]);
    },
  );

  it('name each recipient, and of a forwarded mail the one that it was sent to', async () => {
    const more = ['', 'Final-Recipient: rfc822; bob@elsewhere.example', 'Action: failed', 'Status: 5.1.1'];
    const events = await read(
      deliveryReport({ recipient: 'ada@new.example', original: 'ada@old.example', more }),
    );
    expect(events.map(({ email }) => email)).toEqual(['ada@old.example', 'bob@elsewhere.example']);
    expect(new Set(events.map(({ id }) => id)).size).toBe(2);
  });

  it('name the recipient as the mail did where Sendmail escapes it', async () => {
    const recipient = 'ada+shop=eu@example.com';
    const events = await read(deliveryReport({ recipient, original: 'ada+2Bshop+3Deu@example.com' }));
    expect(events).toMatchObject([{ type: 'bounced', email: recipient }]);
  });

  it('name an address unchanged that only looks escaped', async () => {
    const recipient = '+2B4912345@example.com';
    expect(await read(deliveryReport({ recipient }))).toMatchObject([{ type: 'bounced', email: recipient }]);
  });

  it('are also read when only headers were returned, or the end was cut off', async () => {
    const whole = deliveryReport({ returned: 'text/rfc822-headers' });
    const [event] = await read(whole);
    expect(event).toMatchObject({ runId: RUN, type: 'bounced' });
    const returned = whole.indexOf('Subject: On its way');
    expect(await read(whole.subarray(0, returned))).toEqual([event]);
  });

  it('have the same id each time, and another one for another time of the same failure', async () => {
    const [one] = await read(deliveryReport());
    expect((await read(deliveryReport()))[0]?.id).toBe(one?.id);
    const more = ['Last-Attempt-Date: Sun, 22 Nov 2026 10:20:00 +0000'];
    const [later] = await read(deliveryReport({ more }));
    expect(later?.id).not.toBe(one?.id);
    expect(later?.at).toEqual(new Date('2026-11-22T10:20:00Z'));
  });

  it('are read with additional headers of other servers', async () => {
    const added = Array.from({ length: 400 }, (_, hop) =>
      [`Received: from mx${hop}.example.com`, '\tby mx.example.net with ESMTPS', 'To: a:b,c:d,'].join('\r\n'),
    );
    const passedOn = Buffer.concat([Buffer.from(`${added.join('\r\n')}\r\n`), deliveryReport()]);
    expect(await read(passedOn)).toEqual(await read(deliveryReport()));
    expect(passedOn.indexOf('\r\n\r\n')).toBeGreaterThan(16 * 1024);
  });

  it('with an invalid date have the same id each time', async () => {
    const undated = Buffer.from(
      deliveryReport()
        .toString()
        .replace(/^Date: .*$/m, 'Date: some day'),
    );
    const [one] = await read(undated);
    expect(one).toMatchObject({ type: 'bounced' });
    expect((await read(undated))[0]?.id).toBe(one?.id);
  });

  it('do not take the run from the body of the returned mail', async () => {
    expect(await read(deliveryReport({ messageId: '<other@example.com>' }))).toEqual([]);
  });
});

describe('complaints', () => {
  it.each([
    ['abuse', 'complained'],
    ['fraud', 'complained'],
    ['opt-out', 'unsubscribed'],
  ])('of the type %s are %s', async (type, expected) => {
    expect(await read(complaint({ type }))).toMatchObject([
      { type: expected, permanent: false, email: 'ada@example.com', runId: RUN, reason: type },
    ]);
  });

  it('find their run by the return path that they name, without the Message-ID', async () => {
    const mailFrom = `bounces+${TOKEN}@shop.example.com`;
    const messageId = '<other@mail.example>';
    expect(await read(complaint({ mailFrom, messageId }))).toMatchObject([
      { type: 'complained', runId: RUN },
    ]);
    expect(await read(complaint({ messageId }))).toEqual([]);
  });

  it('are none when the recipient says that the mail was no spam', async () => {
    expect(await read(complaint({ type: 'not-spam' }))).toEqual([]);
    // Names that every object has.
    for (const type of ['constructor', '__proto__']) expect(await read(complaint({ type }))).toEqual([]);
  });
});

const SIZE = 256 * 1024;
const filled = (head: string, piece: string, size = SIZE) =>
  Buffer.from((head + piece.repeat(Math.ceil(size / piece.length))).slice(0, size));
/** As many headers as a mail may have, and, of those that are read, a mail or a part. */
const HEAD = 63 * 1024;
const READ = 2_000;
/** The same head for each of as many parts as there may be. */
const parts = (head: string, piece: string) => {
  const part = filled(`--b\r\n${head}`, piece, READ).toString();
  return Buffer.from(
    `Content-Type: multipart/report; boundary=b\r\n\r\n${`${part}\r\n\r\nx\r\n`.repeat(31)}`,
  );
};
const nested = (levels: number) => {
  let text = '';
  for (let level = 0; level < levels; level += 1) {
    text += `Content-Type: multipart/report; boundary="b${level}"\r\n\r\n--b${level}\r\n`;
  }
  return Buffer.from(text.slice(0, SIZE));
};
const status =
  'Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n';

const HOSTILE: readonly (readonly [string, Buffer])[] = [
  ['nothing', Buffer.alloc(0)],
  ['bytes that are not text', Buffer.alloc(SIZE, 0xff)],
  ['line ends alone', Buffer.alloc(SIZE, '\r\n')],
  ['one endless header', filled('Subject: ', 'a')],
  ['one endless folded header', filled('Subject: a', '\r\n a')],
  ['headers without end', filled('', 'Message-ID: <run_01kb2t5rwhffh8rkc5f0m1ek9r@a>\r\n')],
  ['encoded words without end', filled('Subject: ', '=?utf-8?q?=41?= ')],
  ['addresses without end', filled('To: ', '"a\\"" <a@b>, ')],
  ['parameters without end', filled('Content-Type: text/plain; ', "a*0*=utf-8''%41; ")],
  ['as many encoded words as there may be', filled('Subject: ', '=?utf-8?q?=41?= ', HEAD)],
  ['as many addresses as there may be', filled('To: ', '"a\\"" <a@b>, ', HEAD)],
  ['as many open comments as there may be', filled('To: ', '(', HEAD)],
  ['as many groups as there may be', filled('To: ', 'a:b,', HEAD)],
  ['as many folds as there may be', filled('To: a', '\r\n ', HEAD)],
  ['as many headers as there may be', filled('', 'A: b\r\n', HEAD)],
  ['as many parameters as there may be', filled('Content-Type: text/plain; ', "a*0*=utf-8''%41; ", READ)],
  ['parts with as many parameters as there may be', parts('Content-Type: text/plain; ', "a*0*=utf-8''%41; ")],
  ['parts with as many groups as there may be', parts('To: ', 'a:b,')],
  ['parts with as many addresses as there may be', parts('To: ', '"a\\"" <a@b>, ')],
  ['parts with as many encoded words as there may be', parts('Subject: ', '=?utf-8?q?=41?= ')],
  ['as many references as there may be', filled('References: ', '<a@b> ', HEAD)],
  ['as much spam information as there may be', filled('Authentication-Results: ', 'a=b; ', HEAD)],
  ['parts within parts', nested(10_000)],
  ['parts without end', filled('Content-Type: multipart/report; boundary=b\r\n\r\n', '--b\r\n\r\na\r\n')],
  ['HTML without end', filled('Content-Type: text/html\r\n\r\n', '<div>')],
  ['links without end', filled('Content-Type: text/plain\r\n\r\n', 'http://a.b@c.d/ ')],
  ['recipients without end', filled(status, '\r\nFinal-Recipient: rfc822; a@b.c\r\nAction: failed\r\n')],
  ['fields of spaces', filled(`${status}Action: `, ' \t')],
  ['folds without end', filled(`${status}Action: a`, '\r\n ')],
  ['a base64 text without end', filled('Content-Transfer-Encoding: base64\r\n\r\n', 'QUJD')],
];

describe('hostile mail', () => {
  it.each(HOSTILE)('has no events, and is read within the bounds: %s', async (_name, body) => {
    expect(await read(body)).toEqual([]);
  });

  it('of any bytes neither throws nor returns an unknown run', async () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '',
        '--b',
        '--b--',
        'Content-Type: message/delivery-status',
        'Content-Type: message/rfc822',
      ),
      fc.constantFrom('Content-Type: multipart/report; boundary=b', 'Action: failed', 'Status: 5.1.1'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 40 }), async (lines) => {
        expect(await read(Buffer.from(lines.join('\r\n')))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
