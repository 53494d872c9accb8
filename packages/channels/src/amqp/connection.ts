import { isIP, type Socket } from 'node:net';
import { type ChannelModel, type ConfirmChannel, connect, type Options } from 'amqplib';
import { type ResolveHost, toSocketLookup } from '../vetted-address.ts';
import { type AmqpConfig, portOf } from './config.ts';

/** What opening a connection may take, whichever deliveries wait for it. */
const CONNECT_TIMEOUT_MS = 10_000;
/** A connection that nothing is sent through is closed; below the broker's own heartbeat limit of 60 s. */
const IDLE_CONNECTION_MS = 30_000;
/** A broker that does not answer the closing is left. */
const CLOSE_TIMEOUT_MS = 5_000;
const HEARTBEAT_SECONDS = 30;
/** One frame of the broker, in bytes: what RabbitMQ offers. */
const MAX_FRAME_BYTES = 131_072;
/** What the broker may send besides messages that it returns: heartbeats, confirms, reasons. */
const ALLOWED_BYTES_PER_MESSAGE = 65_536;

/** What became of a message. */
export type Publication =
  | { readonly outcome: 'confirmed' }
  | { readonly outcome: 'nacked' }
  /** No queue took it, or the broker closed the AMQP channel because of it. */
  | { readonly outcome: 'returned' | 'refused'; readonly code: number; readonly text: string }
  /** The connection broke before the confirm. */
  | { readonly outcome: 'lost' };

export interface AmqpMessage {
  readonly exchange: string;
  readonly routingKey: string;
  readonly content: Buffer;
  readonly options: Options.Publish;
}

/** An AMQP channel in confirm mode, of which one delivery at a time has the use: what the broker says is about its message. */
export interface Lane {
  /** `address:port`. */
  readonly address: string;
  /** Why the broker takes no messages at present; null when it does. */
  readonly blocked: string | null;
  /** Resolves with what became of the message, or never: the caller ends the lane at its time limit. */
  publish(message: AmqpMessage): Promise<Publication>;
  /** Gives the lane back; `isClean` when its message was answered. Another AMQP channel replaces it otherwise. */
  release(isClean: boolean): void;
}

export interface AmqpConnection {
  /** Whether new deliveries may use it. */
  isUsable(): boolean;
  /** Rejects when there is no connection. The lane must be released. */
  acquire(): Promise<Lane>;
  /** Closes it as soon as no delivery uses it. */
  retire(): void;
}

const nothing = () => undefined;

/** amqplib has no types for its socket. */
const socketOf = (model: ChannelModel): Socket => (model.connection as unknown as { stream: Socket }).stream;

async function openModel(config: AmqpConfig, password: string, resolve: ResolveHost): Promise<ChannelModel> {
  const { host, tls, ca, vhost, username } = config;
  // Sockets connect to literal addresses without a look-up: they are checked here.
  if (isIP(host) !== 0) await resolve(host);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), CONNECT_TIMEOUT_MS);
  const socketOptions = {
    lookup: toSocketLookup(resolve),
    signal: limit.signal,
    noDelay: true,
    minVersion: 'TLSv1.2' as const,
    ...(ca === undefined ? {} : { ca }),
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
        // The library decodes it as a part of a URL.
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
 * Bounds what a broker can have this process collect: by what it was sent, which it may return. Returns the function that
 * allows more.
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

/** Has an AMQP channel publish one message after the other. */
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
  // The library keeps a list up to the number that a broker confirms. One that confirms what was never sent is left.
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
 * Opens a connection to a broker. Deliveries share it, each with an AMQP channel of its own, and it is closed when it was not
 * used for half a minute.
 */
export function openConnection(config: AmqpConfig, password: string, resolve: ResolveHost): AmqpConnection {
  const idle: OpenLane[] = [];
  let users = 0;
  let isOver = false;
  let isRetired = false;
  let blocked: string | null = null;
  let allow: (bytes: number) => void = nothing;
  let idleTimer: NodeJS.Timeout | undefined;

  const opening = openModel(config, password, resolve).then((model) => {
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
      // The library only ends its side.
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
