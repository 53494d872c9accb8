import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

export type Verb = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data' | 'end';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly messageId: string | null;
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  readonly raw: string;
}

export interface MailServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** Answers the next `times` uses of a verb with a reply code. */
  fail(verb: Verb, code: number, times?: number): void;
  /** Answers no message any more until the returned function is called. */
  hold(): () => void;
  close(): Promise<void>;
}

const rejection = (code: number) => Object.assign(new Error('as the test says'), { responseCode: code });

/**
 * An SMTP server on loopback that keeps what it gets and can be told to refuse at any step. Its user's
 * password is `open`.
 */
export async function startMailServer({ auth = false }: { auth?: boolean } = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let held: Promise<void> = Promise.resolve();
  const refusals = new Map<Verb, { code: number; times: number }>();

  function refusalOf(verb: Verb): Error | null {
    const refusal = refusals.get(verb);
    if (!refusal || refusal.times === 0) return null;
    refusal.times -= 1;
    return rejection(refusal.code);
  }

  const server = new SMTPServer({
    authOptional: !auth,
    disabledCommands: auth ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    allowInsecureAuth: true,
    logger: false,
    closeTimeout: 100,
    onConnect: (_session, done) => done(refusalOf('connect')),
    onAuth(login, _session, done) {
      const refusal = refusalOf('auth');
      if (refusal) return done(refusal);
      return login.password === 'open' ? done(null, { user: login.username }) : done(rejection(535));
    },
    onMailFrom: (_address, _session, done) => done(refusalOf('mail')),
    onRcptTo: (_address, _session, done) => done(refusalOf('rcpt')),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        const parsed = await simpleParser(raw);
        mails.push({
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
          to: session.envelope.rcptTo.map(({ address }) => address),
          messageId: parsed.messageId ?? null,
          subject: parsed.subject ?? null,
          html: parsed.html || null,
          text: parsed.text ?? null,
          raw,
        });
        await held;
        done(refusalOf('end'));
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));

  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    fail: (verb, code, times = 1) => refusals.set(verb, { code, times }),
    hold() {
      let answer = (): void => undefined;
      held = new Promise((resolve) => {
        answer = resolve;
      });
      return answer;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
