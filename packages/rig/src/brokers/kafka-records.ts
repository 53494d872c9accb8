/** Reads the requests of a producer, after the public description of the protocol and without the producer's code. */

/** CRC-32C by its polynomial, bit by bit. */
function crc32c(data: Buffer): number {
  let crc = ~0;
  for (const octet of data) {
    crc ^= octet;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (0x82f63b78 & -(crc & 1));
  }
  return ~crc >>> 0;
}

export class Cursor {
  readonly #buffer: Buffer;
  at = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  get isAtEnd(): boolean {
    return this.at === this.#buffer.length;
  }
  int8(): number {
    this.at += 1;
    return this.#buffer.readInt8(this.at - 1);
  }
  int16(): number {
    this.at += 2;
    return this.#buffer.readInt16BE(this.at - 2);
  }
  int32(): number {
    this.at += 4;
    return this.#buffer.readInt32BE(this.at - 4);
  }
  uint32(): number {
    return this.int32() >>> 0;
  }
  int64(): bigint {
    this.at += 8;
    return this.#buffer.readBigInt64BE(this.at - 8);
  }
  take(size: number): Buffer {
    if (this.at + size > this.#buffer.length) throw new Error('the bytes end too early');
    this.at += size;
    return this.#buffer.subarray(this.at - size, this.at);
  }
  rest(): Buffer {
    return this.take(this.#buffer.length - this.at);
  }
  string(): string | null {
    const size = this.int16();
    return size === -1 ? null : this.take(size).toString('utf8');
  }
  bytes(): Buffer {
    return this.take(this.int32());
  }
  varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const octet = this.take(1)[0] ?? 0;
      value |= (octet & 0x7f) << shift;
      if (octet < 0x80) return (value >>> 1) ^ -(value & 1);
    }
  }
  varBytes(): Buffer | null {
    const size = this.varint();
    return size === -1 ? null : this.take(size);
  }
}

export interface StoredRecord {
  readonly topic: string;
  readonly partition: number;
  readonly producerId: bigint;
  readonly epoch: number;
  readonly sequence: number;
  readonly timestampMs: number;
  readonly key: string | null;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A batch with one record. Throws for anything that a broker would refuse as corrupt. */
function readBatch(batch: Cursor, place: Pick<StoredRecord, 'topic' | 'partition'>): StoredRecord {
  if (batch.int64() !== 0n) throw new Error('the base offset is not 0');
  const body = new Cursor(batch.bytes());
  body.int32();
  if (body.int8() !== 2) throw new Error('the magic is not 2');
  const crc = body.uint32();
  const checked = body.rest();
  if (crc32c(checked) !== crc) throw new Error('the checksum is wrong');
  const from = new Cursor(checked);
  const [attributes, lastOffsetDelta] = [from.int16(), from.int32()];
  const [first, last] = [from.int64(), from.int64()];
  const [producerId, epoch, sequence, count] = [from.int64(), from.int16(), from.int32(), from.int32()];
  const isOne = attributes === 0 && lastOffsetDelta === 0 && first === last && count === 1;
  if (!isOne) throw new Error('it is not a plain batch of one record');
  const record = new Cursor(from.varBytes() ?? Buffer.alloc(0));
  if (record.int8() !== 0 || record.varint() !== 0 || record.varint() !== 0) throw new Error('odd deltas');
  const [key, value] = [record.varBytes(), record.varBytes()];
  const headers = Array.from({ length: record.varint() }, () => [
    String(record.varBytes()),
    String(record.varBytes()),
  ]);
  if (!record.isAtEnd || !from.isAtEnd || !batch.isAtEnd) throw new Error('bytes are left over');
  return {
    ...place,
    ...{ producerId, epoch, sequence },
    timestampMs: Number(first),
    key: key === null ? null : key.toString('utf8'),
    value: String(value),
    headers: Object.fromEntries(headers),
  };
}

/** The record of a Produce request of version 3, which all replicas must confirm. */
export function readProduce(request: Cursor): StoredRecord {
  if (request.string() !== null) throw new Error('it is in a transaction');
  if (request.int16() !== -1) throw new Error('acks is not all');
  request.int32();
  if (request.int32() !== 1) throw new Error('there is not one topic');
  const topic = String(request.string());
  if (request.int32() !== 1) throw new Error('there is not one partition');
  const partition = request.int32();
  const batch = new Cursor(request.bytes());
  if (!request.isAtEnd) throw new Error('bytes are left over');
  return readBatch(batch, { topic, partition });
}
