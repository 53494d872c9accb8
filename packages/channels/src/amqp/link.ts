import type { Socket } from 'node:net';
import { createLane, type OpenLane } from './lane.ts';
import {
  createFraming,
  Fields,
  FRAME,
  type Frame,
  frame,
  long,
  longString,
  METHOD,
  method,
  PROTOCOL_HEADER,
  ProtocolError,
  short,
  shortString,
  table,
} from './wire.ts';

const HEARTBEAT_SECONDS = 30;
/** The largest frame, in bytes: RabbitMQ's default, and the smallest that the protocol allows. */
const MAX_FRAME_BYTES = 131_072;
const MIN_FRAME_BYTES = 4_096;
const MAX_CHANNELS = 65_535;
/**
 * Bytes that the broker may send in its handshake, and for each message besides returned messages: heartbeats, confirms,
 * error texts.
 */
const ALLOWED_BYTES = 65_536;
/** Time limit for the closing handshake. After it the socket is destroyed. */
const CLOSE_TIMEOUT_MS = 5_000;
const REPLY_SUCCESS = 200;

/** The broker ended the handshake. */
export class ConnectionRefusedError extends Error {
  override readonly name = 'ConnectionRefusedError';
  readonly code: number;
  readonly of: 'user' | 'vhost';

  constructor(code: number, of: ConnectionRefusedError['of']) {
    super(`the broker refused the ${of} (${code})`);
    this.code = code;
    this.of = of;
  }
}

interface Login {
  readonly username: string;
  readonly password: string;
  readonly vhost: string;
}

interface LinkListeners {
  /** Called with the broker's reason for accepting no messages, and with null when it accepts them again. */
  onBlocked(reason: string | null): void;
  /** Called once, when the connection can no longer be used. */
  onEnd(): void;
}

/** An established connection. */
export interface Link {
  /** `address:port`. */
  readonly address: string;
  /** Opens an AMQP channel in confirm mode. Rejects if the broker refuses it or the connection ends. */
  openLane(): Promise<OpenLane>;
  /** Raises the number of bytes that the broker may send by what it may return of a message of this size. */
  allow(bytes: number): void;
  /** Closes the connection, with all lanes. */
  close(): void;
  destroy(error: Error): void;
}

const CLIENT_PROPERTIES = {
  product: 'Postrider',
  connection_name: 'postrider',
  capabilities: {
    publisher_confirms: true,
    'basic.nack': true,
    'connection.blocked': true,
    authentication_failure_close: true,
  },
} as const;

function startOk(fields: Fields, { username, password }: Login): Buffer {
  fields.short();
  fields.skipTable();
  if (!fields.longString().split(' ').includes('PLAIN')) {
    throw new ProtocolError('the broker does not support login with a password');
  }
  const response = longString(`\0${username}\0${password}`);
  return method(
    0,
    METHOD.startOk,
    ...[table(CLIENT_PROPERTIES), shortString('PLAIN'), response, shortString('en_US')],
  );
}

/** The lower of two limits; 0 means no limit. */
const lower = (theirs: number, ours: number) => (theirs === 0 ? ours : Math.min(theirs, ours));

interface Tuning {
  readonly channelMax: number;
  readonly frameMax: number;
  readonly heartbeat: number;
}

function tuningOf(fields: Fields): Tuning {
  const channelMax = lower(fields.short(), MAX_CHANNELS);
  const frameMax = lower(fields.long(), MAX_FRAME_BYTES);
  if (frameMax < MIN_FRAME_BYTES) throw new ProtocolError('the frame size of the broker is too small');
  return { channelMax, frameMax, heartbeat: lower(fields.short(), HEARTBEAT_SECONDS) };
}

/**
 * The opening handshake on a connected socket, and then the connection. Its listeners are attached to the socket before
 * the broker can send a byte, and each frame is handled where it is read, so that no order or moment of frames is without
 * a handler. Rejects if the broker refuses, does not follow the protocol, or ends the connection. Its stages are:
 *
 * ## start
 *
 * The protocol header was sent. The broker names the ways to log in.
 *
 * ## tune
 *
 * The login was sent. The broker names its limits, or refuses the user.
 *
 * ## open
 *
 * The virtual host is asked for. The broker confirms it or refuses it.
 *
 * ## ready
 *
 * Lanes can be opened. The broker may block and unblock the connection.
 *
 * ## over
 *
 * The connection has failed, was refused or closed. Further frames are ignored.
 */
export function openLink(socket: Socket, login: Login, { onBlocked, onEnd }: LinkListeners): Promise<Link> {
  const lanes = new Map<number, OpenLane>();
  let stage: 'start' | 'tune' | 'open' | 'ready' | 'over' = 'start';
  let tuning: Tuning = { channelMax: 0, frameMax: 0, heartbeat: HEARTBEAT_SECONDS };
  let received = 0;
  let allowed = ALLOWED_BYTES;
  let beat: NodeJS.Timeout | undefined;
  let settle: { opened(link: Link): void; failed(error: Error): void };
  const opening = new Promise<Link>((opened, failed) => {
    settle = { opened, failed };
  });
  const send = (bytes: Buffer) => {
    if (socket.writable) socket.write(bytes);
  };
  const end = (error: Error) => {
    if (stage === 'over') return;
    stage = 'over';
    clearInterval(beat);
    settle.failed(error);
    for (const lane of lanes.values()) lane.onEnd(error);
    lanes.clear();
    onEnd();
  };
  const destroy = (error: Error) => {
    end(error);
    socket.destroy();
  };
  /** After the last frame of the closing handshake. */
  const hangUp = (error: Error) => {
    end(error);
    socket.end();
    setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
  };

  function openLane(): Promise<OpenLane> {
    let number = 1;
    while (lanes.has(number)) number += 1;
    if (stage !== 'ready' || number > tuning.channelMax) {
      return Promise.reject(new Error('the broker allows no more AMQP channels'));
    }
    const onClosed = () => lanes.delete(number);
    const lane = createLane({ number, frameMax: tuning.frameMax, send, onClosed });
    lanes.set(number, lane);
    return lane.open().then(() => lane);
  }
  function close() {
    if (stage !== 'ready') return;
    send(method(0, METHOD.close, ...[short(REPLY_SUCCESS), shortString('done'), long(0)]));
    hangUp(new Error('the connection is closed'));
  }
  const link = (): Link => ({
    address: `${socket.remoteAddress}:${socket.remotePort}`,
    openLane,
    allow(bytes) {
      allowed += ALLOWED_BYTES + 2 * bytes;
    },
    close,
    destroy,
  });

  /** Connection methods. Those of the handshake are only valid at their stage. */
  function onMethod(payload: Buffer) {
    const fields = new Fields(payload);
    const id = fields.long();
    if (id === METHOD.start && stage === 'start') {
      stage = 'tune';
      return send(startOk(fields, login));
    }
    if (id === METHOD.tune && stage === 'tune') {
      stage = 'open';
      tuning = tuningOf(fields);
      const { channelMax, frameMax, heartbeat } = tuning;
      send(method(0, METHOD.tuneOk, ...[short(channelMax), long(frameMax), short(heartbeat)]));
      return send(method(0, METHOD.open, ...[shortString(login.vhost), shortString(''), Buffer.alloc(1)]));
    }
    if (id === METHOD.openOk && stage === 'open') {
      stage = 'ready';
      beat = setInterval(() => send(frame(FRAME.heartbeat, 0)), tuning.heartbeat * 500).unref();
      return settle.opened(link());
    }
    if (id === METHOD.blocked && stage === 'ready') return onBlocked(fields.shortString());
    if (id === METHOD.unblocked && stage === 'ready') return onBlocked(null);
    if (id !== METHOD.close) throw new ProtocolError('the broker sent an unexpected method');
    send(method(0, METHOD.closeOk));
    hangUp(new ConnectionRefusedError(fields.short(), stage === 'open' ? 'vhost' : 'user'));
  }
  function onFrame({ type, channel, payload }: Frame) {
    if (stage === 'over' || type === FRAME.heartbeat) return;
    if (channel === 0 && type === FRAME.method) return onMethod(payload);
    const lane = lanes.get(channel);
    if (!lane) throw new ProtocolError('the broker sent a frame for an unknown AMQP channel');
    // Headers and bodies are of returned messages.
    if (type === FRAME.method) lane.onMethod(payload);
  }

  const read = createFraming(MAX_FRAME_BYTES, onFrame);
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > allowed) return destroy(new ProtocolError('the broker sent more data than allowed'));
    try {
      if (stage !== 'over') read(chunk);
    } catch (error) {
      destroy(error as Error);
    }
  });
  socket.on('error', destroy);
  socket.on('end', () => destroy(new Error('the broker closed the connection')));
  socket.on('close', () => end(new Error('the connection broke')));
  send(PROTOCOL_HEADER);
  return opening;
}
