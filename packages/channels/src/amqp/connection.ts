import { isIP, type Socket } from 'node:net';
import { type ChannelModel, type ConfirmChannel, connect, type Options } from 'amqplib';
import type { TlsIdentity } from '../broker/tls.ts';
import { type ResolveHost, toSocketLookup } from '../vetted-address.ts';
import { type AmqpConfig, portOf } from './config.ts';

/** Time limit for opening a connection, independent of the deliveries that wait for it. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Idle connections are closed after this time, which is shorter than RabbitMQ's heartbeat of 60 s. */
const IDLE_CONNECTION_MS = 30_000;
/** Time limit for the closing handshake. After it the socket is destroyed. */
const CLOSE_TIMEOUT_MS = 5_000;
const HEARTBEAT_SECONDS = 30;
/** The largest frame of the broker, in bytes: RabbitMQ's default. */
const MAX_FRAME_BYTES = 131_072;
/** Bytes that the broker may send for each message besides returned messages: heartbeats, confirms, error texts. */
const ALLOWED_BYTES_PER_MESSAGE = 65_536;

/** The result of publishing one message. */
export type Publication =
  | { readonly outcome: 'confirmed' }
  | { readonly outcome: 'nacked' }
  /** `returned`: no queue took the message. `refused`: the broker closed the AMQP channel because of it. */
  | { readonly outcome: 'returned' | 'refused'; readonly code: number; readonly text: string }
  /** The connection broke before the confirm arrived. */
  | { readonly outcome: 'lost' };

export interface AmqpMessage {
  readonly exchange: string;
  readonly routingKey: string;
  readonly content: Buffer;
  readonly options: Options.Publish;
}

/**
 * An AMQP channel in confirm mode. One delivery at a time uses it, so each confirm belongs to that delivery's
 * message.
 */
export interface Lane {
  /** `address:port`. */
  readonly address: string;
  /** The broker's reason for accepting no messages at present, or null. */
  readonly blocked: string | null;
  /** Resolves with the result, or never: the caller releases the lane at its time limit. */
  publish(message: AmqpMessage): Promise<Publication>;
  /** Returns the lane. With `isClean` false (its message was not answered) the AMQP channel is replaced. */
  release(isClean: boolean): void;
}

export interface AmqpConnection {
  /** Whether new deliveries may use the connection. */
  isUsable(): boolean;
  /** Rejects if there is no connection. The caller must release the lane. */
  acquire(): Promise<Lane>;
  /** Closes the connection as soon as no delivery uses it. */
  retire(): void;
}

const nothing = () => undefined;

/** The types of amqplib do not have its socket. */
const socketOf = (model: ChannelModel): Socket => (model.connection as unknown as { stream: Socket }).stream;

/** The credentials, and the authorities that the broker's certificate is checked with. */
export interface AmqpLogin {
  readonly password: string;
  readonly identity: TlsIdentity;
}

async function openModel(
  config: AmqpConfig,
  { password, identity }: AmqpLogin,
  resolve: ResolveHost,
): Promise<ChannelModel> {
  const { host, tls, vhost, username } = config;
  // Sockets connect to literal addresses without a look-up, so they are checked here.
  if (isIP(host) !== 0) await resolve(host);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), CONNECT_TIMEOUT_MS);
  const socketOptions = {
    lookup: toSocketLookup(resolve),
    signal: limit.signal,
    noDelay: true,
    minVersion: 'TLSv1.2' as const,
    ...(tls ? identity : {}),
    clientProperties: { connection_name: 'postrider' },
  };
  try {
    return await connect(
      {
        protocol: tls ? 'amqps' : 'amqp',
        hostname: host,
        port: portOf(config),
        username,
        password,
        // amqplib decodes the virtual host as a part of a URL.
        vhost: encodeURIComponent(vhost),
        frameMax: MAX_FRAME_BYTES,
        maxFrameSize: MAX_FRAME_BYTES,
        heartbeat: HEARTBEAT_SECONDS,
      },
      socketOptions,
    );
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Limits what a broker can make this process buffer. Returns the function that raises the limit by what was
 * published, because the broker may return that.
 */
function limitReading(socket: Socket): (bytes: number) => void {
  let allowed = socket.bytesRead + ALLOWED_BYTES_PER_MESSAGE;
  socket.on('readable', () => {
    if (socket.bytesRead > allowed) socket.destroy(new Error('the broker sends more than it was asked for'));
  });
  return (bytes) => {
    allowed += ALLOWED_BYTES_PER_MESSAGE + 2 * bytes;
  };
}

/** Publishes on one AMQP channel, one message at a time. */
function createPublish(
  channel: ConfirmChannel,
  socket: Socket,
  allow: (bytes: number) => void,
): Lane['publish'] {
  let published = 0;
  let refusal: { code: number; text: string } | null = null;
  let returned: { code: number; text: string } | null = null;
  channel.on('error', (error: Error & { code?: number }) => {
    refusal = { code: error.code ?? 0, text: error.message };
  });
  channel.on('return', ({ fields }: { fields: object }) => {
    const { replyCode = 0, replyText = '' } = fields as { replyCode?: number; replyText?: string };
    returned = { code: replyCode, text: replyText };
  });
  // amqplib keeps a list up to the confirmed number. Ignore confirms of messages that were never sent.
  const check = ({ deliveryTag }: { deliveryTag: number }) => {
    if (deliveryTag === published) return;
    socket.destroy();
    throw new Error('the broker confirms a message that it was not sent');
  };
  channel.prependListener('ack', check);
  channel.prependListener('nack', check);

  return ({ exchange, routingKey, content, options }) =>
    new Promise((resolve) => {
      published += 1;
      returned = null;
      allow(content.length);
      const settle = (error: Error | null) => {
        if (error === null)
          resolve(returned ? { outcome: 'returned', ...returned } : { outcome: 'confirmed' });
        else if (refusal) resolve({ outcome: 'refused', ...refusal });
        else resolve({ outcome: error.message === 'message nacked' ? 'nacked' : 'lost' });
      };
      channel.publish(exchange, routingKey, content, { ...options, mandatory: true }, settle);
    });
}

interface OpenLane {
  readonly channel: ConfirmChannel;
  readonly publish: Lane['publish'];
}

/**
 * Opens a connection to a broker. Deliveries share it, each with its own AMQP channel. It closes after 30 seconds
 * without use.
 */
export function openConnection(config: AmqpConfig, login: AmqpLogin, resolve: ResolveHost): AmqpConnection {
  const idle: OpenLane[] = [];
  let users = 0;
  let isOver = false;
  let isRetired = false;
  let blocked: string | null = null;
  let allow: (bytes: number) => void = nothing;
  let idleTimer: NodeJS.Timeout | undefined;

  const opening = openModel(config, login, resolve).then((model) => {
    const socket = socketOf(model);
    allow = limitReading(socket);
    model.on('error', nothing);
    model.on('blocked', (reason) => {
      blocked = reason;
    });
    model.on('unblocked', () => {
      blocked = null;
    });
    model.on('close', () => {
      isOver = true;
      clearTimeout(idleTimer);
      // amqplib only half-closes the socket.
      setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
    });
    return model;
  });
  opening.catch(() => {
    isOver = true;
  });

  const close = () => {
    isOver = true;
    clearTimeout(idleTimer);
    opening
      .then((model) => {
        const socket = socketOf(model);
        setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
        return model.close();
      }, nothing)
      .catch(nothing);
  };
  const leave = () => {
    users -= 1;
    if (users > 0 || isOver) return;
    if (isRetired) close();
    else idleTimer = setTimeout(close, IDLE_CONNECTION_MS).unref();
  };

  async function openLane(): Promise<OpenLane> {
    const kept = idle.pop();
    if (kept) return kept;
    const model = await opening;
    allow(0);
    const channel = await model.createConfirmChannel();
    return { channel, publish: createPublish(channel, socketOf(model), allow) };
  }

  return {
    isUsable: () => !isOver && !isRetired,
    async acquire() {
      users += 1;
      clearTimeout(idleTimer);
      try {
        const socket = socketOf(await opening);
        const lane = await openLane();
        return {
          address: `${socket.remoteAddress}:${socket.remotePort}`,
          get blocked() {
            return blocked;
          },
          publish: lane.publish,
          release(isClean) {
            if (isClean && !isOver) idle.push(lane);
            else
              Promise.resolve()
                .then(() => lane.channel.close())
                .catch(nothing);
            leave();
          },
        };
      } catch (error) {
        leave();
        throw error;
      }
    },
    retire() {
      if (isRetired) return;
      isRetired = true;
      if (users === 0) close();
    },
  };
}
