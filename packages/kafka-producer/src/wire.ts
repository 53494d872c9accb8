/**
 * The primitive types of Kafka's protocol, and the two checksums of its records.
 * @see https://kafka.apache.org/protocol#protocol_types
 */

/** The bytes do not follow the protocol. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

function filled(size: number, write: (buffer: Buffer) => void): Buffer {
  const buffer = Buffer.allocUnsafe(size);
  write(buffer);
  return buffer;
}

export const int8 = (value: number) => filled(1, (buffer) => buffer.writeInt8(value));
export const int16 = (value: number) => filled(2, (buffer) => buffer.writeInt16BE(value));
export const int32 = (value: number) => filled(4, (buffer) => buffer.writeInt32BE(value));
export const uint32 = (value: number) => filled(4, (buffer) => buffer.writeUInt32BE(value));
export const int64 = (value: bigint) => filled(8, (buffer) => buffer.writeBigInt64BE(value));

export function string(value: string | null): Buffer {
  if (value === null) return int16(-1);
  const text = Buffer.from(value, 'utf8');
  return Buffer.concat([int16(text.length), text]);
}

export const bytes = (value: Buffer) => Buffer.concat([int32(value.length), value]);
export const array = (items: readonly Buffer[]) => Buffer.concat([int32(items.length), ...items]);

/** A zigzag varint of 32 bits. */
export function varint(value: number): Buffer {
  const octets: number[] = [];
  let rest = ((value << 1) ^ (value >> 31)) >>> 0;
  for (; rest > 0x7f; rest >>>= 7) octets.push((rest & 0x7f) | 0x80);
  return Buffer.from([...octets, rest]);
}

/** Bytes of a record: their length is a varint, and -1 means null. */
export function recordBytes(value: Buffer | null): Buffer {
  return value === null ? varint(-1) : Buffer.concat([varint(value.length), value]);
}

/** Reads a response. Every method throws a {@link ProtocolError} at the end of the bytes. */
export class Reader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  #take(size: number): number {
    const at = this.#at;
    if (size < 0 || size > this.#buffer.length - at) throw new ProtocolError('a response ends too early');
    this.#at += size;
    return at;
  }

  boolean = (): boolean => this.#buffer.readInt8(this.#take(1)) !== 0;
  int16 = (): number => this.#buffer.readInt16BE(this.#take(2));
  int32 = (): number => this.#buffer.readInt32BE(this.#take(4));
  int64 = (): bigint => this.#buffer.readBigInt64BE(this.#take(8));

  string = (): string | null => {
    const size = this.int16();
    if (size === -1) return null;
    const at = this.#take(size);
    return this.#buffer.toString('utf8', at, at + size);
  };

  bytes = (): Buffer => {
    const size = this.int32();
    if (size === -1) return Buffer.alloc(0);
    const at = this.#take(size);
    return this.#buffer.subarray(at, at + size);
  };

  /** The items of an array; null is empty. */
  array = <Item>(readItem: () => Item): Item[] => {
    const count = this.int32();
    // Each item has at least one byte, so a larger count is invalid. Without this check it could exhaust the memory.
    if (count > this.#buffer.length - this.#at) throw new ProtocolError('a response ends too early');
    return Array.from({ length: Math.max(count, 0) }, readItem);
  };
}

/** The CRC of each octet, for the reflected Castagnoli polynomial. */
const CRC32C = Uint32Array.from({ length: 256 }, (_, octet) => {
  let crc = octet;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc >>> 0;
});

/** CRC-32C (RFC 3720, appendix B.4). Node has only CRC-32. */
export function crc32c(data: Buffer): number {
  let crc = 0xffffffff;
  for (const octet of data) crc = (crc >>> 8) ^ (CRC32C[(crc ^ octet) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

const MURMUR_SEED = 0x9747b28c;
const MURMUR_FACTOR = 0x5bd1e995;

/** The hash by which Kafka's own client chooses the partition of a key. */
export function murmur2(data: Buffer): number {
  let hash = MURMUR_SEED ^ data.length;
  let at = 0;
  for (; at + 4 <= data.length; at += 4) {
    let word = Math.imul(data.readInt32LE(at), MURMUR_FACTOR);
    word = Math.imul(word ^ (word >>> 24), MURMUR_FACTOR);
    hash = Math.imul(hash, MURMUR_FACTOR) ^ word;
  }
  const rest = data.subarray(at);
  rest.forEach((octet, index) => {
    hash ^= octet << (8 * index);
  });
  if (rest.length > 0) hash = Math.imul(hash, MURMUR_FACTOR);
  hash = Math.imul(hash ^ (hash >>> 13), MURMUR_FACTOR);
  return hash ^ (hash >>> 15);
}
