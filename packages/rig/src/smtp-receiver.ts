import { buffer } from 'node:stream/consumers';
import { simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { type Listening, listenOnLoopback } from './loopback.ts';
import { monotonicMs } from './time.ts';

/** A completely received message. */
export interface ReceivedMessage {
  /** Envelope sender and recipients. */
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: Buffer;
  /** When its data began: milliseconds of the machine's monotonic clock. */
  readonly monotonicAt: number;
}

/** The steps of an SMTP session at which the receiver can refuse. */
export type SmtpStep = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data' | 'end';

export interface SmtpReceiver extends Pick<Listening, 'port' | 'close'> {
  /** Refuses the next `times` uses of a step with a reply code and a text. */
  fail(step: SmtpStep, code: number, times?: number, text?: string): void;
  /** Refuses one recipient from now on. */
  refuseRecipient(address: string, code: number, text?: string): void;
}

/** How a receiver takes logins with access tokens (XOAUTH2). */
interface TokenLogins {
  accepts(user: string, token: string): boolean;
  /** Whether it answers a refused token with a challenge, as Gmail does, or at once with 535, as Microsoft 365 does. */
  readonly challenges?: boolean;
}

interface Logins {
  readonly password?: string | undefined;
  readonly tokens?: TokenLogins | undefined;
}

const refusal = (code: number, text = 'refused') => Object.assign(new Error(text), { responseCode: code });

/** How many milliseconds open connections have to end when the receiver closes. */
const CLOSE_TIMEOUT_MS = 100;

/**
 * Receives mail on 127.0.0.1. `receive` returns a reply code to refuse a message, and nothing to accept it. If there is
 * a password or `tokens`, clients must authenticate with one; otherwise they cannot authenticate.
 */
export async function startSmtpReceiver(
  receive: (message: ReceivedMessage) => Promise<number | undefined> | number | undefined,
  { password, tokens }: Logins = {},
): Promise<SmtpReceiver> {
  const refusals = new Map<SmtpStep, { code: number; times: number; text?: string | undefined }>();

  const refusedRecipients = new Map<string, Error>();

  function refusedAt(step: SmtpStep): Error | null {
    const planned = refusals.get(step);
    if (!planned || planned.times === 0) return null;
    planned.times -= 1;
    return refusal(planned.code, planned.text);
  }

  async function takeMessage(
    stream: SMTPServerDataStream,
    { envelope }: SMTPServerSession,
  ): Promise<Error | null> {
    const monotonicAt = monotonicMs();
    const raw = await buffer(stream);
    const from = envelope.mailFrom ? envelope.mailFrom.address : '';
    const to = envelope.rcptTo.map(({ address }) => address);
    const code = await receive({ from, to, raw, monotonicAt });
    return code === undefined ? refusedAt('end') : refusal(code);
  }

  const isOpen = password === undefined && tokens === undefined;
  const server = new SMTPServer({
    authOptional: isOpen,
    disabledCommands: isOpen ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
    // As Microsoft 365 lists them. A client with a token must not use the first one.
    authMethods: tokens ? ['LOGIN', 'XOAUTH2'] : ['LOGIN', 'PLAIN'],
    allowInsecureAuth: true,
    closeTimeout: CLOSE_TIMEOUT_MS,
    onConnect: (_session, done) => done(refusedAt('connect')),
    onAuth(login, _session, done) {
      const { method, username = '', accessToken = '' } = login;
      const isTaken =
        method === 'XOAUTH2' ? tokens?.accepts(username, accessToken) : login.password === password;
      const refused = refusedAt('auth') ?? (isTaken || tokens?.challenges ? null : refusal(535));
      if (refused) done(refused);
      else if (isTaken) done(null, { user: username });
      else done(null, { data: { status: '400', schemes: 'Bearer', scope: 'https://mail.google.com/' } });
    },
    onMailFrom: (_address, _session, done) => done(refusedAt('mail')),
    onRcptTo: ({ address }, _session, done) => done(refusedRecipients.get(address) ?? refusedAt('rcpt')),
    onData(stream, session, done) {
      takeMessage(stream, session).then(done, done);
    },
  });
  // Ignores broken connections, such as those of killed workers.
  server.on('error', () => undefined);
  const { port } = await listenOnLoopback(server.server);
  return {
    port,
    fail: (step, code, times = 1, text) => {
      refusals.set(step, { code, times, text });
    },
    refuseRecipient: (address, code, text) => {
      refusedRecipients.set(address, refusal(code, text));
    },
    close: () => new Promise((done) => server.close(() => done())),
  };
}

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly messageId: string | null;
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  /** Parsed headers by their names in lower case; those that start with `List-` are together under `list`. */
  readonly headers: ReadonlyMap<string, unknown>;
  readonly raw: string;
}

export interface MailServer extends SmtpReceiver {
  readonly mails: ReceivedMail[];
  /** Stops answering messages until the returned function is called. */
  hold(): () => void;
}

/** An SMTP server on 127.0.0.1 that stores and parses mail. With `auth`, the password of its user is `open`. */
export async function startMailServer({
  auth = false,
  tokens,
}: { auth?: boolean } & Pick<Logins, 'tokens'> = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let held: Promise<void> = Promise.resolve();
  const receiver = await startSmtpReceiver(
    async ({ from, to, raw }) => {
      const { messageId = null, subject = null, html, text = null, headers } = await simpleParser(raw);
      mails.push({ from, to, messageId, subject, html: html || null, text, headers, raw: raw.toString() });
      await held;
      return undefined;
    },
    { password: auth ? 'open' : undefined, tokens },
  );
  return {
    ...receiver,
    mails,
    hold() {
      let answer = (): void => undefined;
      held = new Promise((resolve) => {
        answer = resolve;
      });
      return answer;
    },
  };
}
