import {
  array,
  bytes,
  crc32c,
  int8,
  int16,
  int32,
  int64,
  type Reader,
  recordBytes,
  string,
  uint32,
  varint,
} from './wire.ts';

/**
 * The requests of a producer, in versions without tagged fields. Every Kafka from 0.11 to 4 supports these (KIP-896), and so
 * do services that speak its protocol.
 * @see https://kafka.apache.org/protocol#protocol_messages
 */
export interface Call<Response> {
  readonly api: keyof typeof APIS;
  readonly version: number;
  readonly body: Buffer;
  /** The largest response that is read, in bytes; {@link SHORT_RESPONSE} by default. */
  readonly maxBytes?: number;
  read(response: Reader): Response;
}

/** The numbers of the requests and their supported versions, the preferred one first. */
export const APIS = {
  Produce: { key: 0, versions: [3] },
  // Version 4 is the first that creates no topic.
  Metadata: { key: 3, versions: [4, 2] },
  SaslHandshake: { key: 17, versions: [1] },
  ApiVersions: { key: 18, versions: [0] },
  InitProducerId: { key: 22, versions: [0] },
  SaslAuthenticate: { key: 36, versions: [0] },
} as const;

export const SHORT_RESPONSE = 65_536;
/** The metadata of one topic with 10,000 partitions and three replicas of each. */
const METADATA_RESPONSE = 524_288;

/** Formats a request with its length. */
export function frame(
  { api, version, body }: Call<unknown>,
  { correlationId, clientId }: { readonly correlationId: number; readonly clientId: string },
): Buffer {
  const header = [int16(APIS[api].key), int16(version), int32(correlationId), string(clientId)];
  return bytes(Buffer.concat([...header, body]));
}

/** The range of versions of a request that a broker supports. */
interface VersionRange {
  readonly key: number;
  readonly min: number;
  readonly max: number;
}

export const apiVersions: Call<{ readonly error: number; readonly ranges: readonly VersionRange[] }> = {
  api: 'ApiVersions',
  version: 0,
  body: Buffer.alloc(0),
  read: (from) => ({
    error: from.int16(),
    ranges: from.array(() => ({ key: from.int16(), min: from.int16(), max: from.int16() })),
  }),
};

export interface Metadata {
  readonly brokers: readonly { readonly id: number; readonly host: string; readonly port: number }[];
  readonly topics: readonly {
    readonly error: number;
    readonly name: string;
    readonly partitions: readonly { readonly index: number; readonly leader: number }[];
  }[];
}

/** Requests the leaders of a topic's partitions. */
export function metadata(topic: string, version: number): Call<Metadata> {
  return {
    api: 'Metadata',
    version,
    body: Buffer.concat([array([string(topic)]), ...(version >= 4 ? [int8(0)] : [])]),
    maxBytes: METADATA_RESPONSE,
    read(from) {
      if (version >= 3) from.int32();
      const brokers = from.array(() => {
        const broker = { id: from.int32(), host: from.string() ?? '', port: from.int32() };
        from.string();
        return broker;
      });
      from.string();
      from.int32();
      const topics = from.array(() => {
        const [error, name] = [from.int16(), from.string() ?? ''];
        from.boolean();
        const partitions = from.array(() => {
          from.int16();
          const partition = { index: from.int32(), leader: from.int32() };
          from.array(from.int32);
          from.array(from.int32);
          return partition;
        });
        return { error, name, partitions };
      });
      return { brokers, topics };
    },
  };
}

/** Requests a producer id, by which brokers detect duplicates. */
export const initProducerId: Call<{
  readonly error: number;
  readonly producerId: bigint;
  readonly epoch: number;
}> = {
  api: 'InitProducerId',
  version: 0,
  // No transaction, so its time limit has no effect.
  body: Buffer.concat([string(null), int32(60_000)]),
  read(from) {
    from.int32();
    return { error: from.int16(), producerId: from.int64(), epoch: from.int16() };
  },
};

export interface KafkaRecord {
  /** Chooses the partition, by the hash of Kafka's own client. */
  readonly key: Buffer | null;
  /** Null removes the key from a compacted topic. */
  readonly value: Buffer | null;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Milliseconds since the epoch. */
  readonly timestampMs: number;
}

/** The id by which a broker detects duplicates of a record; -1 in all three fields means none. */
export interface RecordId {
  readonly producerId: bigint;
  readonly epoch: number;
  readonly sequence: number;
}

/** A record as a batch of one: https://kafka.apache.org/documentation/#recordbatch */
function recordBatch({ key, value, headers, timestampMs }: KafkaRecord, id: RecordId): Buffer {
  const record = Buffer.concat([
    int8(0),
    varint(0),
    varint(0),
    recordBytes(key),
    recordBytes(value),
    varint(headers.length),
    ...headers.flat().map((text) => recordBytes(Buffer.from(text, 'utf8'))),
  ]);
  const timestamp = int64(BigInt(timestampMs));
  const checked = Buffer.concat([
    int16(0),
    int32(0),
    ...[timestamp, timestamp],
    ...[int64(id.producerId), int16(id.epoch), int32(id.sequence)],
    int32(1),
    recordBytes(record),
  ]);
  const NO_LEADER_EPOCH = -1;
  const MAGIC = 2;
  const rest = Buffer.concat([int32(NO_LEADER_EPOCH), int8(MAGIC), uint32(crc32c(checked)), checked]);
  return Buffer.concat([int64(0n), bytes(rest)]);
}

/** Sends one record. The broker responds when all in-sync replicas have it. */
export function produce(
  { topic, partition }: { readonly topic: string; readonly partition: number },
  record: KafkaRecord,
  { id, timeoutMs }: { readonly id: RecordId; readonly timeoutMs: number },
): Call<{ readonly error: number; readonly offset: bigint }> {
  const ALL_IN_SYNC = -1;
  const partitions = array([Buffer.concat([int32(partition), bytes(recordBatch(record, id))])]);
  return {
    api: 'Produce',
    version: 3,
    body: Buffer.concat([
      string(null),
      int16(ALL_IN_SYNC),
      int32(timeoutMs),
      array([Buffer.concat([string(topic), partitions])]),
    ]),
    read(from) {
      const [only] = from.array(() => {
        from.string();
        return from.array(() => {
          from.int32();
          const result = { error: from.int16(), offset: from.int64() };
          from.int64();
          return result;
        });
      });
      return only?.[0] ?? { error: UNKNOWN_SERVER_ERROR, offset: -1n };
    },
  };
}

const UNKNOWN_SERVER_ERROR = -1;

export const saslHandshake = (mechanism: string): Call<{ readonly error: number }> => ({
  api: 'SaslHandshake',
  version: 1,
  body: string(mechanism),
  read: (from) => ({ error: from.int16() }),
});

export const saslAuthenticate = (
  token: Buffer,
): Call<{ readonly error: number; readonly token: Buffer }> => ({
  api: 'SaslAuthenticate',
  version: 0,
  body: bytes(token),
  read(from) {
    const error = from.int16();
    from.string();
    return { error, token: from.bytes() };
  },
});
