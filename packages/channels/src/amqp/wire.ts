/**
 * The encoding of AMQP 0-9-1: frames, methods, and the types that a publisher needs.
 * @see https://www.rabbitmq.com/resources/specs/amqp0-9-1.pdf sections 4.2.3 to 4.2.6
 */

/** The broker does not follow the protocol. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

export const FRAME = { method: 1, header: 2, body: 3, heartbeat: 8 } as const;
const FRAME_TYPES: ReadonlySet<number> = new Set(Object.values(FRAME));
const FRAME_END = 0xce;
const HEADER_BYTES = 7;
/** What a frame has besides its payload. */
export const FRAME_OVERHEAD = HEADER_BYTES + 1;

export const PROTOCOL_HEADER = Buffer.from('AMQP\0\0\x09\x01', 'latin1');

/** The methods that a publisher sends or gets, as class and method in one number. */
export const METHOD = {
  start: 0x0a000a,
  startOk: 0x0a000b,
  tune: 0x0a001e,
  tuneOk: 0x0a001f,
  open: 0x0a0028,
  openOk: 0x0a0029,
  close: 0x0a0032,
  closeOk: 0x0a0033,
  blocked: 0x0a003c,
  unblocked: 0x0a003d,
  channelOpen: 0x14000a,
  channelOpenOk: 0x14000b,
  channelClose: 0x140028,
  channelCloseOk: 0x140029,
  confirmSelect: 0x55000a,
  confirmSelectOk: 0x55000b,
  publish: 0x3c0028,
  return: 0x3c0032,
  ack: 0x3c0050,
  nack: 0x3c0078,
} as const;

function filled(size: number, write: (buffer: Buffer) => void): Buffer {
  const buffer = Buffer.allocUnsafe(size);
  write(buffer);
  return buffer;
}

export const octet = (value: number) => Buffer.from([value]);
export const short = (value: number) => filled(2, (buffer) => buffer.writeUInt16BE(value));
export const long = (value: number) => filled(4, (buffer) => buffer.writeUInt32BE(value));
export const longLong = (value: number) => filled(8, (buffer) => buffer.writeBigUInt64BE(BigInt(value)));

/** At most 255 bytes. */
export function shortString(value: string): Buffer {
  const text = Buffer.from(value, 'utf8');
  return Buffer.concat([octet(text.length), text]);
}

export function longString(value: string): Buffer {
  const text = Buffer.from(value, 'utf8');
  return Buffer.concat([long(text.length), text]);
}

export type Table = { readonly [name: string]: string | true | Table };

export function table(entries: Table): Buffer {
  const fields = Object.entries(entries).map(([name, value]) => {
    if (value === true) return [shortString(name), Buffer.from('t\x01')];
    if (typeof value === 'string') return [shortString(name), Buffer.from('S'), longString(value)];
    return [shortString(name), Buffer.from('F'), table(value)];
  });
  const content = Buffer.concat(fields.flat());
  return Buffer.concat([long(content.length), content]);
}

export function frame(type: number, channel: number, ...payload: readonly Buffer[]): Buffer {
  const size = payload.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([octet(type), short(channel), long(size), ...payload, octet(FRAME_END)]);
}

export const method = (channel: number, id: number, ...fields: readonly Buffer[]) =>
  frame(FRAME.method, channel, long(id), ...fields);

/** Reads the fields of a method. Every call throws a {@link ProtocolError} at the end of the bytes. */
export class Fields {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  #take(size: number): number {
    const at = this.#at;
    if (size > this.#buffer.length - at) throw new ProtocolError('a method ends too early');
    this.#at += size;
    return at;
  }

  #text(size: number): string {
    const at = this.#take(size);
    return this.#buffer.toString('utf8', at, at + size);
  }

  octet = (): number => this.#buffer.readUInt8(this.#take(1));
  short = (): number => this.#buffer.readUInt16BE(this.#take(2));
  long = (): number => this.#buffer.readUInt32BE(this.#take(4));
  longLong = (): bigint => this.#buffer.readBigUInt64BE(this.#take(8));
  shortString = (): string => this.#text(this.octet());
  longString = (): string => this.#text(this.long());
  skipTable = (): void => void this.#take(this.long());
}

export interface Frame {
  readonly type: number;
  readonly channel: number;
  readonly payload: Buffer;
}

/** Splits received bytes into frames. Buffers at most one, none larger than `maxBytes`. Throws a {@link ProtocolError}. */
export function createFraming(maxBytes: number, onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= HEADER_BYTES) {
      const size = rest.readUInt32BE(3);
      if (!FRAME_TYPES.has(rest.readUInt8(0)) || size > maxBytes - FRAME_OVERHEAD) {
        throw new ProtocolError('the broker sent an invalid or too long AMQP 0-9-1 frame');
      }
      if (rest.length < size + FRAME_OVERHEAD) return;
      if (rest.readUInt8(HEADER_BYTES + size) !== FRAME_END) {
        throw new ProtocolError('a frame has no end marker');
      }
      const payload = rest.subarray(HEADER_BYTES, HEADER_BYTES + size);
      const received = { type: rest.readUInt8(0), channel: rest.readUInt16BE(1), payload };
      rest = rest.subarray(size + FRAME_OVERHEAD);
      onFrame(received);
    }
  };
}
