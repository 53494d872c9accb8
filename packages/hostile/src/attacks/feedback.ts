import { randomBytes } from 'node:crypto';
import { FEEDBACK_TOKENS } from '@postrider/domain';
import type { Attack, AttackContext, Outcome } from '../attack.ts';
import { openFeedback, TOPIC } from '../target/feedback.ts';
import { writeForever } from '../target/peer.ts';
import { isFitting, postBytes } from '../target/post-event.ts';
import { dropAll, heldOpen, openSockets } from '../target/sockets.ts';
import { drip } from './connections.ts';

const AT_ONCE = 8;
const MIB = 1024 * 1024;

const random = (bytes: number) => randomBytes(bytes).toString('base64url');

interface Post {
  readonly what: string;
  readonly path: string;
  readonly body: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Posts all of them, some at a time, and returns every answer that no provider may get. */
async function postAll({ target }: AttackContext, posts: readonly Post[]): Promise<Outcome> {
  const figures: Record<string, number> = {};
  const violations = new Set<string>();
  const waiting = posts.values();
  async function lane(): Promise<void> {
    for (const { what, ...post } of waiting) {
      const { status } = await postBytes(target, post);
      figures[`status_${status}`] = (figures[`status_${status}`] ?? 0) + 1;
      if (!isFitting(status)) violations.add(`${what} was answered ${status}`);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return { figures, violations: [...violations] };
}

const repeated = <Value>(times: number, values: readonly Value[]) =>
  Array.from({ length: times }, () => values).flat();

/** Requests of the maximum size in the format of each provider, with forged signatures. */
function forgeries(path: string): Post[] {
  const nowS = Math.trunc(Date.now() / 1_000);
  const event = { event: 'bounce', email: 'ada@example.com', reason: 'x'.repeat(40) };
  const events = Array.from({ length: 9_000 }, (_, at) => ({ ...event, sg_event_id: `${at}` }));
  const text = random(200_000);
  const signature = randomBytes(256).toString('base64');
  // For another topic, so that no certificate is fetched from another machine.
  const sns = {
    ...{ Type: 'Notification', MessageId: 'm', TopicArn: `${TOPIC}s`, Message: text, SignatureVersion: '2' },
    ...{ Timestamp: new Date().toISOString(), Signature: signature },
    SigningCertURL: 'https://sns.us-west-2.amazonaws.com/SimpleNotificationService-0.pem',
  };
  const mailgun = {
    signature: { timestamp: `${nowS}`, token: 'a'.repeat(50), signature: 'b'.repeat(64) },
    'event-data': { text },
  };
  const of = (source: string, body: unknown, headers: Post['headers'] = {}): Post => ({
    ...{ what: `a forged report of ${source}`, path: path + source, headers },
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  });
  return [
    of('sendgrid', events, {
      'x-twilio-email-event-webhook-signature': signature,
      'x-twilio-email-event-webhook-timestamp': `${nowS}`,
    }),
    of('mailgun', mailgun),
    of('postmark', { RecordType: 'Bounce', text }, { authorization: `Basic ${btoa('postmark:wrong')}` }),
    of(
      'resend',
      { type: 'email.bounced', data: { text } },
      {
        ...{ 'svix-id': 'm', 'svix-timestamp': `${nowS}` },
        'svix-signature': repeated(200, [`v1,${randomBytes(32).toString('base64')}`]).join(' '),
      },
    ),
    of('ses', sns),
    ...['sendgrid', 'mailgun', 'postmark', 'resend', 'ses'].flatMap((source) => [
      of(source, '['.repeat(MIB - 1)),
      of(source, `{"a":${'9'.repeat(MIB - 100)}}`),
      of(
        source,
        Buffer.alloc(MIB, 0xff)
          .toString('latin1')
          .slice(0, MIB / 2),
      ),
    ]),
  ];
}

const REPORT_BYTES = 256 * 1024;
const filled = (head: string, piece: string, size = REPORT_BYTES) =>
  Buffer.from((head + piece.repeat(Math.ceil(size / piece.length))).slice(0, size));
const IN_PARTS = 'Content-Type: multipart/report; boundary=b\r\n\r\n';
/** The same part repeatedly. */
const parts = (head: string, piece: string, size: number) =>
  filled(IN_PARTS, `--b\r\n${filled(head, piece, size)}\r\n\r\nx\r\n`);

/** Mails that are expensive for a careless parser. */
const REPORTS: Readonly<Record<string, Buffer>> = {
  'addresses in groups': filled('To: ', 'a:b,', 60_000),
  'addresses with quoted names': filled('To: ', '"a\\"" <a@b>, ', 60_000),
  'open comments': filled('To: ', '(', 60_000),
  'encoded words': filled('Subject: ', '=?utf-8?q?=41?= ', 60_000),
  'continued parameters': filled('Content-Type: text/plain; ', "a*0*=utf-8''%41; ", 60_000),
  'parameters that are read': filled('Content-Type: text/plain; ', "a*0*=utf-8''%41; ", 2_000),
  'parts with groups': parts('To: ', 'a:b,', 2_000),
  'parts with parameters': parts('Content-Type: text/plain; ', "a*0*=utf-8''%41; ", 2_000),
  'parts without end': parts('', '', 0),
  'parts within parts': Buffer.from(
    Array.from(
      { length: 4_000 },
      (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}\r\n`,
    )
      .join('')
      .slice(0, REPORT_BYTES),
  ),
  'folded lines': filled('Subject: a', '\r\n a'),
  'base64 without end': filled('Content-Transfer-Encoding: base64\r\n\r\n', 'QUJD'),
  'recipients without end': filled(
    `${IN_PARTS}--b\r\nContent-Type: message/delivery-status\r\n\r\n`,
    '\r\nFinal-Recipient: rfc822; a@b.c\r\nAction: failed\r\n',
  ),
  'bytes that are no text': Buffer.alloc(REPORT_BYTES, 0xff),
};

const headOf = (path: string, length: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: message/rfc822\r\n${length}\r\n\r\n`;

/** Bodies that never end: sent as fast as they are read, and byte by byte. */
async function endless(context: AttackContext): Promise<Outcome> {
  const { target, amount, holdMs } = context;
  const path = await openFeedback(context.target);
  const fast = await openSockets(target.api.url, amount(10, 50));
  for (const [index, socket] of fast.entries()) {
    socket.resume().once('end', () => socket.destroy());
    const length = index % 2 === 0 ? 'Transfer-Encoding: chunked' : `Content-Length: ${100 * MIB}`;
    socket.write(headOf(`${path}${index % 3 === 0 ? 'dsn' : 'sendgrid'}`, length));
    writeForever(socket, Buffer.from(`1000\r\n${'x'.repeat(0x1000)}\r\n`));
  }
  const slow = await openSockets(target.api.url, amount(50, 300));
  for (const socket of slow) socket.write(headOf(`${path}dsn`, 'Content-Length: 200000'));
  const dripped = await drip(slow, holdMs, (socket) => socket.write('x'));
  const open = await heldOpen(fast, holdMs);
  dropAll(fast);
  return { figures: { ...dripped.figures, fast: fast.length, fast_open: open } };
}

async function unknownTokens({ target, amount, holdMs }: AttackContext): Promise<Outcome> {
  const sockets = await openSockets(target.api.url, amount(5, 20));
  const requests = amount(200, 2_000);
  for (const socket of sockets) {
    socket.resume().once('end', () => socket.destroy());
    const paths = Array.from({ length: requests }, () => `/feedback/v1/${FEEDBACK_TOKENS.create()}/sendgrid`);
    socket.write(paths.map((path) => `${headOf(path, 'Content-Length: 2')}[]`).join(''));
  }
  const open = await heldOpen(sockets, holdMs);
  dropAll(sockets);
  return { figures: { requests: sockets.length * requests, open } };
}

export const FEEDBACK_ATTACKS: readonly Attack[] = [
  { name: 'feedback with unknown tokens', run: unknownTokens },
  { name: 'feedback without end, fast and byte by byte', run: endless },
  {
    name: 'forged feedback of every provider',
    run: async (context) => {
      const path = await openFeedback(context.target);
      return postAll(context, repeated(context.amount(1, 20), forgeries(path)));
    },
  },
  {
    name: 'delivery reports that are bombs',
    run: async (context) => {
      const path = `${await openFeedback(context.target)}dsn`;
      const posts = Object.entries(REPORTS).map(([name, body]) => ({
        what: `a report of ${name}`,
        path,
        body,
      }));
      return postAll(context, repeated(context.amount(2, 40), posts));
    },
  },
];
