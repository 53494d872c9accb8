import { type BrokerProtocol, sized, splitting, u8, u16, u32, u64 } from './protocol.ts';

const HEADER_BYTES = 8;
const FRAME = { method: 1, header: 2, body: 3 } as const;

const frame = (type: number, channel: number, payload: Buffer) =>
  Buffer.concat([u8(type), u16(channel), sized(u32, payload), u8(0xce)]);
const method = (channel: number, [group, id]: readonly [number, number], ...fields: Buffer[]) =>
  frame(FRAME.method, channel, Buffer.concat([u16(group), u16(id), ...fields]));

const EMPTY = Buffer.alloc(0);
const START = [u8(0), u8(9), sized(u32, EMPTY), sized(u32, 'PLAIN'), sized(u32, 'en_US')];
const ack = (channel: number, tag: number) => method(channel, [60, 80], u64(tag), u8(0));

/** The answers by step, for an AMQP channel and the number of its message. */
const ANSWERS: Readonly<Record<string, (channel: number, tag: number) => Buffer>> = {
  'connection.start': () => method(0, [10, 10], ...START),
  'connection.tune': () => method(0, [10, 30], u16(2_047), u32(131_072), u16(60)),
  'connection.open-ok': () => method(0, [10, 41], sized(u8, EMPTY)),
  'channel.open-ok': (channel) => method(channel, [20, 11], u32(0)),
  'confirm.select-ok': (channel) => method(channel, [85, 11]),
  'basic.ack': ack,
  'connection.close-ok': () => method(0, [10, 51]),
};

/** The step that answers a method of the client. */
const REPLIES: Readonly<Record<string, string>> = {
  '10.11': 'connection.tune',
  '10.40': 'connection.open-ok',
  '20.10': 'channel.open-ok',
  '85.10': 'confirm.select-ok',
  '10.50': 'connection.close-ok',
};

/** AMQP 0-9-1 without TLS, for a publisher with confirms. It takes every login and every message. */
export const amqpBroker: BrokerProtocol = {
  steps: Object.keys(ANSWERS),
  foretell: (step) => ANSWERS[step]?.(1, 1) ?? EMPTY,
  // Confirms a message that is far beyond what was sent.
  stray: ack(1, 0xffff_fffe),
  huge: Buffer.concat([u8(FRAME.method), u16(0), u32(0xffff_ffff)]),
  converse() {
    const messages = new Map<number, number>();
    let hasGreeted = false;
    let left = 0;
    const answer = (step: string, channel: number) => {
      const bytes = ANSWERS[step]?.(channel, messages.get(channel) ?? 1);
      return bytes ? [{ step, bytes }] : [];
    };
    const confirmed = (channel: number) => {
      messages.set(channel, (messages.get(channel) ?? 0) + 1);
      return answer('basic.ack', channel);
    };
    const take = (bytes: Buffer) => {
      if (!hasGreeted) return HEADER_BYTES;
      return bytes.length < 7 ? null : bytes.readUInt32BE(3) + 8;
    };
    return splitting(take, (request) => {
      if (!hasGreeted) {
        hasGreeted = true;
        return answer('connection.start', 0);
      }
      const [type, channel] = [request.readUInt8(0), request.readUInt16BE(1)];
      if (type === FRAME.method) {
        return answer(REPLIES[`${request.readUInt16BE(7)}.${request.readUInt16BE(9)}`] ?? '', channel);
      }
      if (type === FRAME.header) left = Number(request.readBigUInt64BE(11));
      else if (type === FRAME.body) left -= request.length - 8;
      else return [];
      return left === 0 ? confirmed(channel) : [];
    });
  },
};
