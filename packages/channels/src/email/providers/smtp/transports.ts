import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { KIND_FACTS } from '@postrider/domain';
import { createTransport, type Mail, type SMTPPoolOptions, type SMTPPoolSentMessageInfo } from 'nodemailer';
import { TLS_OPTIONS, tlsIdentityOf } from '../../../certificates.ts';
import { connectInTime, createConnectionCache } from '../../../connections.ts';
import { isLoopbackAddress, type ResolveHost } from '../../../host.ts';
import type { EmailToSend } from '../../provider.ts';
import { writeOwnHeaders } from './compose.ts';
import { type DkimKey, signMail } from './dkim.ts';
import { createEarlyRefusals, type EarlyRefusal } from './early-refusals.ts';
import { limitInput } from './limit-input.ts';
import type { SmtpSettings } from './settings.ts';

/** One connection for each of the deliveries that a channel may have at once. */
const CONNECTIONS_PER_CHANNEL = KIND_FACTS.email.maxConcurrentPerChannel;
/** Transports that a process keeps; the least recently used one is closed first. */
const MAX_TRANSPORTS = 200;
const IDLE_CONNECTION_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;
const GREETING_TIMEOUT_MS = 10_000;
/**
 * The reply to the final dot may take long (RFC 5321 section 4.5.3.2.6 allows 10 minutes). The attempt's own deadline
 * ends before the lease.
 */
const SOCKET_TIMEOUT_MS = 60_000;
/**
 * The longest response of the server, in bytes. RFC 5321 section 4.5.3.1.5 allows 512 per line, and EHLO has about
 * thirty lines. nodemailer keeps the refusals of a mail, of up to 51 recipients, with the idle connection.
 */
const MAX_RESPONSE_BYTES = 16 * 1024;
/**
 * If a kept connection turns out to be closed before a byte was sent, the message is sent once through another.
 * nodemailer does so in no other case.
 */
const MAX_REQUEUES = 1;

limitInput();

/** Connects by TCP to one of the host's allowed addresses. TLS is up to the library. */
export function connectToServer(host: string, port: number, resolve: ResolveHost): Promise<Socket> {
  const error = Object.assign(new Error('the connection timed out'), { code: 'ETIMEDOUT' });
  const limit = { ms: CONNECT_TIMEOUT_MS, error };
  return connectInTime({ host, port }, { tls: null, resolve, limit }, async (socket) => socket);
}

/** The kind of the error for a mail whose SMTP envelope the library would change. */
export const NOT_COMPOSED = 'POSTRIDER_NOT_COMPOSED';

/** The access tokens that a transport logs in with. */
interface TokenLogin {
  /** The token of the next connections. */
  current: string;
  /** The token that the server refused last; null if it refused none. */
  refused: string | null;
}

/**
 * Logs in with the current token, once for each connection. The library's own login repeats a refused token if the server
 * answers with a challenge.
 */
const xoauth2Handler = (login: TokenLogin): NonNullable<SMTPPoolOptions['customAuth']> => ({
  async XOAUTH2({ auth, sendCommand }) {
    const token = login.current;
    const credentials = `user=${auth.credentials.user}\x01auth=Bearer ${token}\x01\x01`;
    const first = await sendCommand(`AUTH XOAUTH2 ${Buffer.from(credentials).toString('base64')}`);
    // The challenge has the reason in base64. The server refuses the login after an empty response.
    const { response } = first.response.startsWith('334') ? await sendCommand('') : first;
    if (response.startsWith('235')) return;
    if (response.startsWith('535')) login.refused = token;
    throw new Error('the server refused the access token');
  },
});

export interface SmtpTransport {
  readonly transporter: Mail<SMTPPoolSentMessageInfo, SMTPPoolOptions>;
  /** Null if it does not log in with access tokens. */
  readonly login: TokenLogin | null;
  /** Lets it finish its current deliveries. */
  close(): void;
  /** Whether sending has begun for the message with this signal. */
  messageStarted(signal: AbortSignal): boolean;
  /** What the server refused before it ended the connection with this error. */
  earlyRefusals(error: unknown): readonly EarlyRefusal[];
}

type ServerOfChannel = Pick<EmailToSend, 'channel' | 'account' | 'credentials'> & {
  readonly settings: SmtpSettings;
  /** Whether it logs in with access tokens instead of a password. */
  readonly usesTokens: boolean;
  /** The keys that sign its mail. */
  readonly signedBy: readonly DkimKey[];
};

function openTransport(server: ServerOfChannel, resolve: ResolveHost): SmtpTransport {
  const { settings, credentials, usesTokens, signedBy } = server;
  const { host, port, secure = false, username, ehlo_name: name } = settings;
  const identity = tlsIdentityOf(settings, credentials) ?? {};
  const { password } = credentials;
  const login: TokenLogin | null = usesTokens ? { current: '', refused: null } : null;
  const withPassword =
    username !== undefined && password !== undefined ? { user: username, pass: password } : undefined;
  const auth = login ? { type: 'OAuth2', user: username ?? '' } : withPassword;
  const refusals = createEarlyRefusals();
  const options: SMTPPoolOptions & { pool: true } = {
    pool: true,
    logger: refusals.logger,
    transactionLog: true,
    host,
    port,
    secure,
    ...(auth ? { auth } : {}),
    ...(login ? { customAuth: xoauth2Handler(login) } : {}),
    // By default the host name of this machine.
    ...(name === undefined ? {} : { name }),
    tls: { ...TLS_OPTIONS, ...identity },
    maxConnections: CONNECTIONS_PER_CHANNEL,
    maxRequeues: MAX_REQUEUES,
    idleTimeout: IDLE_CONNECTION_MS,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    maxResponseSize: MAX_RESPONSE_BYTES,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket(_options, callback) {
      connectToServer(host, port, resolve).then(
        // A password or token is never sent unencrypted over a network, even if the server does not offer TLS. A client
        // certificate needs TLS, too.
        (connection) =>
          callback(null, {
            connection,
            requireTLS:
              Object.keys(identity).length > 0 ||
              (auth !== undefined && !isLoopbackAddress(connection.remoteAddress ?? '')),
          }),
        (error: Error) => callback(error),
      );
    },
  };
  const transporter = createTransport(options);
  transporter.use('stream', writeOwnHeaders);
  const streams = new WeakMap<AbortSignal, Readable[]>();
  transporter.use('stream', (mail, done) => {
    const { signal, envelope } = mail.data;
    if (!isDeepStrictEqual(mail.message.getEnvelope(), envelope)) {
      return done(
        Object.assign(new Error('the envelope is not the one that was asked for'), { code: NOT_COMPOSED }),
      );
    }
    if (signedBy.length > 0) mail.message.processFunc((input: Readable) => signMail(input, signedBy));
    const create = mail.message.createReadStream.bind(mail.message);
    mail.message.createReadStream = (options) => {
      const stream = create(options);
      if (signal) streams.set(signal, [...(streams.get(signal) ?? []), stream]);
      return stream;
    };
    done();
  });
  return {
    transporter,
    login,
    close: () => transporter.close(),
    earlyRefusals: refusals.of,
    messageStarted: (signal) => (streams.get(signal) ?? []).some((stream) => stream.readableDidRead),
  };
}

/** Keeps one pooled transport per account of a channel. One that is replaced or dropped finishes its current deliveries. */
export function createSmtpTransports(resolve: ResolveHost) {
  const open = createConnectionCache<SmtpTransport>(MAX_TRANSPORTS);
  return {
    get(server: ServerOfChannel): SmtpTransport {
      const { channel, account } = server;
      const owner = { id: `${channel.id} ${account}`, revision: channel.revision };
      return open.get(owner, () => openTransport(server, resolve));
    },
    close: open.close,
  };
}
