import {
  Fields,
  FRAME,
  FRAME_OVERHEAD,
  frame,
  longLong,
  METHOD,
  method,
  octet,
  ProtocolError,
  short,
  shortString,
  table,
} from './wire.ts';

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
  readonly properties: {
    readonly messageId: string;
    readonly type: string;
    /** Seconds since the epoch. */
    readonly timestamp: number;
    readonly contentType: string;
    readonly appId: string;
    readonly persistent: boolean;
  };
  readonly headers: Readonly<Record<string, string>>;
}

/** The properties that {@link contentHeader} writes: section 4.2.6.1, one bit each from the highest. */
const PROPERTIES = 0b1011_0000_1110_1000;
const MANDATORY = 1;

function contentHeader({ properties, headers, content }: AmqpMessage): Buffer {
  const { contentType, persistent, messageId, timestamp, type, appId } = properties;
  const CLASS_BASIC = 60;
  return Buffer.concat([
    ...[short(CLASS_BASIC), short(0), longLong(content.length), short(PROPERTIES)],
    ...[shortString(contentType), table(headers), octet(persistent ? 2 : 1)],
    ...[shortString(messageId), longLong(timestamp), shortString(type), shortString(appId)],
  ]);
}

/** The frames of a message: the method, its header, and its content in parts of the negotiated size. */
function messageFrames(number: number, message: AmqpMessage, frameMax: number): Buffer {
  const { exchange, routingKey, content } = message;
  const target = [shortString(exchange), shortString(routingKey)];
  const frames = [
    method(number, METHOD.publish, short(0), ...target, octet(MANDATORY)),
    frame(FRAME.header, number, contentHeader(message)),
  ];
  const size = frameMax - FRAME_OVERHEAD;
  for (let at = 0; at < content.length; at += size) {
    frames.push(frame(FRAME.body, number, content.subarray(at, at + size)));
  }
  return Buffer.concat(frames);
}

/** What an AMQP channel needs of its connection. */
interface Wire {
  readonly number: number;
  readonly frameMax: number;
  send(bytes: Buffer): void;
  /** Called when the AMQP channel is closed and its number is free. */
  onClosed(): void;
}

/**
 * An AMQP channel in confirm mode, for one message at a time. It has these states:
 *
 * ## Opening
 *
 * The broker is asked to open it, and then for confirms.
 *
 * ## Ready
 *
 * It can publish a message.
 *
 * ## Publishing
 *
 * A message was sent, and the broker has neither confirmed nor refused it.
 *
 * ## Closed
 *
 * The broker has closed it, or the connection has ended. Nothing more is sent.
 */
export interface OpenLane {
  isClosed(): boolean;
  /** Rejects if the broker refuses it or the connection ends. */
  open(): Promise<void>;
  /** Resolves with the result, or never. Rejects if the AMQP channel is closed: nothing was sent. */
  publish(message: AmqpMessage): Promise<Publication>;
  /** Takes a method of the broker. Throws a {@link ProtocolError} for one that nobody waits for. */
  onMethod(payload: Buffer): void;
  /** The connection has ended. */
  onEnd(error: Error): void;
}

export function createLane({ number, frameMax, send, onClosed }: Wire): OpenLane {
  /** The reply to the last request. */
  let wanted: { readonly id: number; resolve(): void; reject(error: Error): void } | null = null;
  let settle: ((publication: Publication) => void) | null = null;
  let published = 0n;
  let returned: { code: number; text: string } | null = null;
  let isClosed = false;

  const end = (error: Error, publication: Publication) => {
    isClosed = true;
    wanted?.reject(error);
    settle?.(publication);
    wanted = null;
    settle = null;
  };
  const ask = (id: number, field: Buffer, reply: number) =>
    new Promise<void>((resolve, reject) => {
      if (isClosed) return reject(new Error('the AMQP channel is closed'));
      wanted = { id: reply, resolve, reject };
      send(method(number, id, field));
    });
  const confirm = (fields: Fields, publication: Publication) => {
    if (!settle || fields.longLong() !== published) {
      throw new ProtocolError('the broker confirmed a message that was not sent');
    }
    const resolve = settle;
    settle = null;
    resolve(publication);
  };

  return {
    isClosed: () => isClosed,
    async open() {
      await ask(METHOD.channelOpen, shortString(''), METHOD.channelOpenOk);
      await ask(METHOD.confirmSelect, octet(0), METHOD.confirmSelectOk);
    },
    publish: (message) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error('the AMQP channel is closed'));
        published += 1n;
        returned = null;
        settle = resolve;
        send(messageFrames(number, message, frameMax));
      }),
    onMethod(payload) {
      const fields = new Fields(payload);
      const id = fields.long();
      switch (id) {
        case wanted?.id: {
          const { resolve } = wanted as NonNullable<typeof wanted>;
          wanted = null;
          return resolve();
        }
        case METHOD.ack:
          return confirm(fields, returned ? { outcome: 'returned', ...returned } : { outcome: 'confirmed' });
        case METHOD.nack:
          return confirm(fields, { outcome: 'nacked' });
        case METHOD.return:
          returned = { code: fields.short(), text: fields.shortString() };
          return;
        case METHOD.channelClose: {
          const refusal = { code: fields.short(), text: fields.shortString() };
          send(method(number, METHOD.channelCloseOk));
          end(new Error(`the broker closed the AMQP channel (${refusal.code})`), {
            outcome: 'refused',
            ...refusal,
          });
          return onClosed();
        }
        default:
          throw new ProtocolError('the broker sent an unexpected method');
      }
    },
    onEnd: (error) => end(error, { outcome: 'lost' }),
  };
}
