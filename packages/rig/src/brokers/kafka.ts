import { type BrokerProtocol, sized, splitting, u8, u16, u32, u64 } from './protocol.ts';

/** The topic that the broker has, with one partition. */
export const KAFKA_TOPIC = 'orders';

const list = (...items: Buffer[]) => Buffer.concat([u32(items.length), ...items]);
const OK = u16(0);
const NULL_TEXT = u16(0xffff);
const KEYS = [0, 3, 17, 18, 22, 36];

const broker = (port: number) => Buffer.concat([u32(0), sized(u16, '127.0.0.1'), u32(port), NULL_TEXT]);
const PARTITION = Buffer.concat([OK, u32(0), u32(0), list(u32(0)), list(u32(0))]);
const TOPIC = Buffer.concat([OK, sized(u16, KAFKA_TOPIC), u8(0), list(PARTITION)]);
const STORED = Buffer.concat([u32(0), OK, u64(7), u64(-1)]);

/** The requests in the order of a producer's first record: number, and the body of the answer. */
const ANSWERS: Readonly<Record<string, { key: number; body: (port: number) => Buffer }>> = {
  ApiVersions: {
    key: 18,
    body: () => Buffer.concat([OK, list(...KEYS.map((key) => Buffer.concat([u16(key), u16(0), u16(4)])))]),
  },
  SaslHandshake: { key: 17, body: () => Buffer.concat([OK, list(sized(u16, 'PLAIN'))]) },
  SaslAuthenticate: { key: 36, body: () => Buffer.concat([OK, NULL_TEXT, u32(0)]) },
  InitProducerId: { key: 22, body: () => Buffer.concat([u32(0), OK, u64(1), u16(0)]) },
  Metadata: {
    key: 3,
    body: (port) => Buffer.concat([u32(0), list(broker(port)), NULL_TEXT, u32(0), list(TOPIC)]),
  },
  Produce: {
    key: 0,
    body: () => Buffer.concat([list(Buffer.concat([sized(u16, KAFKA_TOPIC), list(STORED)])), u32(0)]),
  },
};
const STEPS = Object.keys(ANSWERS);

const answerOf = (step: string, correlationId: number, port: number) =>
  sized(u32, Buffer.concat([u32(correlationId), ANSWERS[step]?.body(port) ?? Buffer.alloc(0)]));

/** Kafka's protocol without TLS, for a producer that logs in by PLAIN. It takes every login and every record. */
export const kafkaBroker: BrokerProtocol = {
  steps: STEPS,
  // Requests are numbered from 0.
  foretell: (step, port) => answerOf(step, STEPS.indexOf(step), port),
  stray: sized(u32, u32(4_711)),
  huge: u32(0x7fff_ffff),
  converse: (port) =>
    splitting(
      (bytes) => (bytes.length < 4 ? null : bytes.readUInt32BE(0) + 4),
      (request) => {
        const step = STEPS.find((each) => ANSWERS[each]?.key === request.readUInt16BE(4));
        return step ? [{ step, bytes: answerOf(step, request.readUInt32BE(8), port) }] : [];
      },
    ),
};
