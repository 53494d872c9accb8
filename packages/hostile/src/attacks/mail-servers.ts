import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Attack, AttackContext, Outcome } from '../attack.ts';
import { drip, type Peer, startPeer, writeForever } from '../target/peer.ts';
import { deliver, eventOf } from './deliveries.ts';

type Behaviour = (socket: Socket) => void;

const EVENT_KEY = 'order.shipped';
const TIMEOUT_MS = 1_000;
const USERNAME = 'postmaster';
/** Contains a character beyond ASCII, because a server may repeat it as bytes, as text or in base64. */
const PASSWORD = 'geheim-§-secret-4711';

/** The replies of an SMTP server to each command of a normal delivery. */
const REPLIES: readonly (readonly [RegExp, string])[] = [
  [/^(ehlo|helo)/i, '250-localhost\r\n250 AUTH PLAIN LOGIN'],
  [/^auth/i, '235 ok'],
  [/^mail/i, '250 ok'],
  [/^rcpt/i, '250 ok'],
  [/^data/i, '354 go on'],
  [/^\.$/, '250 taken'],
  [/^quit/i, '221 bye'],
];

const replyTo = (line: string) => REPLIES.find(([command]) => command.test(line))?.[1] ?? null;

/** Serves SMTP line by line. `reply` gets each line and its number; null closes the connection. */
const speaking =
  (
    reply: (line: string, number: number, socket: Socket) => string | null | undefined,
    banner = '220 localhost',
  ): Behaviour =>
  (socket) => {
    let rest = '';
    let number = 0;
    socket.write(`${banner}\r\n`);
    socket.on('data', (chunk) => {
      rest += chunk.toString('latin1');
      const lines = rest.split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const answer = reply(line, number, socket);
        number += 1;
        if (answer === null) socket.destroy();
        else if (answer) socket.write(`${answer}\r\n`);
      }
    });
  };

/** Behaves normally until a command, and then calls `instead`. */
const soundUntil = (command: RegExp, instead: (socket: Socket, line: string) => void): Behaviour =>
  speaking((line, _number, socket) => {
    if (!command.test(line)) return replyTo(line) ?? undefined;
    instead(socket, line);
    return undefined;
  });

const sendingForever = (text: string) => (socket: Socket) =>
  writeForever(socket, Buffer.from(text.repeat(1_000)));

/** The credentials of an AUTH line, in every form in which a server may repeat them. */
const repeatedly = (line: string) => {
  const secret = line.split(' ').at(-1) ?? '';
  const decoded = Buffer.from(secret, 'base64');
  return `535 ${line} ${secret} ${decoded.toString('latin1').replaceAll('\0', ' ')}`;
};

const DROPS: readonly (readonly [string, RegExp])[] = [
  ['EHLO', /^ehlo/i],
  ['AUTH', /^auth/i],
  ['MAIL', /^mail/i],
  ['RCPT', /^rcpt/i],
  ['DATA', /^data/i],
  ['the final dot', /^\.$/],
];

const MAIL_SERVERS: Readonly<Record<string, Behaviour>> = {
  'never greet': (socket) => socket.resume(),
  'greet without end': sendingForever('220-hello\r\n'),
  'greet in one line without end': sendingForever('220 hello '),
  'drip the greeting': (socket) => drip(socket.resume(), Buffer.from('220-hello\r\n')),
  'send garbage of 8 bits': (socket) => writeForever(socket.resume(), randomBytes(4_096)),
  'answer EHLO without end': soundUntil(/^ehlo/i, sendingForever('250-SIZE 1\r\n')),
  'answer EHLO with blank lines without end': soundUntil(/^ehlo/i, sendingForever('\r\n')),
  'answer MAIL in one line without end': soundUntil(/^mail/i, sendingForever('250 ok ')),
  'answer the final dot with drips': soundUntil(/^\.$/, (socket) => drip(socket, Buffer.from('250-ok\r\n'))),
  'offer STARTTLS and go on in plain text': speaking((line) => {
    if (/^ehlo/i.test(line)) return '250-localhost\r\n250 STARTTLS';
    return /^starttls/i.test(line) ? '220 go on\r\n250 injected' : (replyTo(line) ?? undefined);
  }),
  'repeat the credentials': soundUntil(/^(auth|[a-z0-9+/=]{8,}$)/i, (socket, line) => {
    // As Latin-1, so that each byte is repeated unchanged.
    socket.write(`${repeatedly(line)}\r\n`, 'latin1');
  }),
  'accept the connection and hang up': (socket) => socket.destroy(),
  ...Object.fromEntries(
    DROPS.map(([name, command]): [string, Behaviour] => [
      `hang up at ${name}`,
      soundUntil(command, (socket) => socket.destroy()),
    ]),
  ),
};

const TEMPLATE = {
  eventKey: EVENT_KEY,
  channelKind: 'email',
  subject: 'Order',
  html: null,
  text: 'Shipped.',
  activate: true,
} as const;

function mailChannel(name: string, { port }: Peer) {
  const smtp = { host: '127.0.0.1', port, secure: false, username: USERNAME };
  return {
    kind: 'email' as const,
    name,
    eventKeys: [EVENT_KEY],
    config: { smtp, from: { email: 'shop@example.com' }, timeout_ms: TIMEOUT_MS },
    secret: PASSWORD,
    retry: { max_attempts: 1, delays_seconds: [1] },
  };
}

/** Forms of the password that must not be stored with an attempt. */
const FORMS_OF_PASSWORD = [
  PASSWORD,
  Buffer.from(PASSWORD).toString('latin1'),
  Buffer.from(PASSWORD).toString('base64').replace(/=+$/, ''),
  Buffer.from(`\0${USERNAME}\0${PASSWORD}`).toString('base64').replace(/=+$/, ''),
];

async function storedPasswords({ target }: AttackContext, environmentId: string): Promise<string[]> {
  const attempts = await target.db.attempt.findMany({
    where: { run: { environmentId } },
    select: { errorMessage: true, responseExcerpt: true },
  });
  const isShown = (text: string | null) => FORMS_OF_PASSWORD.some((form) => text?.includes(form));
  return attempts
    .filter(({ errorMessage, responseExcerpt }) => isShown(errorMessage) || isShown(responseExcerpt))
    .map(() => 'an attempt shows the SMTP password');
}

async function sendMail(context: AttackContext, names: readonly string[]): Promise<Outcome> {
  const peers: Peer[] = [];
  try {
    const channels = [];
    for (const name of names) {
      const peer = await startPeer(MAIL_SERVERS[name] ?? (() => undefined));
      peers.push(peer);
      channels.push(mailChannel(name, peer));
    }
    const events = Array.from({ length: context.amount(2, 10) }, () => eventOf(EVENT_KEY));
    const outcome = await deliver(context, { channels, templates: [TEMPLATE], events });
    const shown = await storedPasswords(context, outcome.environmentId);
    const uncalled = names.filter((_, index) => peers[index]?.connections() === 0);
    return {
      figures: outcome.figures ?? {},
      violations: [
        ...(outcome.violations ?? []),
        ...new Set(shown),
        ...uncalled.map((name) => `never called: ${name}`),
      ],
    };
  } finally {
    await Promise.all(peers.map((peer) => peer.close()));
  }
}

/** All at once in the short form; in the long form also each alone, many times. */
export const MAIL_SERVER_ATTACKS: readonly Attack[] = [
  { name: 'mail servers of every kind', run: (context) => sendMail(context, Object.keys(MAIL_SERVERS)) },
  ...Object.keys(MAIL_SERVERS).map((name) => ({
    name: `mail servers that ${name}`,
    isLong: true as const,
    run: (context: AttackContext) =>
      sendMail(
        context,
        Array.from({ length: 5 }, () => name),
      ),
  })),
];
