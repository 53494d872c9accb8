/** How values of one type are written in PostgreSQL's binary format. */
interface Codec<Value> {
  /** The type's object id (PostgreSQL's `pg_type.dat`), the same in every server. */
  readonly oid: number;
  size(value: Value): number;
  /** Writes the value at `at` and returns its `size`. */
  write(bytes: Buffer, value: Value, at: number): number;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const UUID_BYTES = 16;

function writeUuid(bytes: Buffer, uuid: string, at: number): number {
  if (!UUID.test(uuid)) throw new TypeError('a parameter is not a UUID');
  return bytes.write(uuid.replaceAll('-', ''), at, UUID_BYTES, 'hex');
}

const writeBigInt = (bytes: Buffer, value: bigint, at: number) => bytes.writeBigInt64BE(value, at) - at;

/** PostgreSQL counts microseconds from 2000-01-01. */
const EPOCH_MS = Date.UTC(2000, 0, 1);

function writeTime(bytes: Buffer, time: Date, at: number): number {
  const micros = (time.getTime() - EPOCH_MS) * 1_000;
  // As a number it is exact up to the year 2285, and faster.
  if (!Number.isSafeInteger(micros))
    return writeBigInt(bytes, BigInt(time.getTime() - EPOCH_MS) * 1_000n, at);
  const high = Math.floor(micros / 2 ** 32);
  bytes.writeInt32BE(high, at);
  bytes.writeUInt32BE(micros - high * 2 ** 32, at + 4);
  return 8;
}

const codec = <Value>(definition: Codec<Value>) => definition;

const CODECS = {
  bool: codec<boolean>({
    oid: 16,
    size: () => 1,
    write: (bytes, value, at) => bytes.writeUInt8(value ? 1 : 0, at) - at,
  }),
  bytea: codec<Uint8Array>({
    oid: 17,
    size: (value) => value.length,
    write: (bytes, value, at) => {
      bytes.set(value, at);
      return value.length;
    },
  }),
  int4: codec<number>({
    oid: 23,
    size: () => 4,
    write: (bytes, value, at) => {
      if (!Number.isInteger(value)) throw new RangeError('a parameter is not an integer');
      return bytes.writeInt32BE(value, at) - at;
    },
  }),
  int8: codec<number>({
    oid: 20,
    size: () => 8,
    write: (bytes, value, at) => writeBigInt(bytes, BigInt(value), at),
  }),
  text: codec<string>({
    oid: 25,
    size: Buffer.byteLength,
    write: (bytes, value, at) => bytes.write(value, at),
  }),
  timestamptz: codec<Date>({ oid: 1184, size: () => 8, write: writeTime }),
  uuid: codec<string>({ oid: 2950, size: () => UUID_BYTES, write: writeUuid }),
  /** The JSON text, after the version of the format. */
  jsonb: codec<string>({
    oid: 3802,
    size: (text) => 1 + Buffer.byteLength(text),
    write: (bytes, text, at) => {
      bytes[at] = 1;
      return 1 + bytes.write(text, at + 1);
    },
  }),
} as const;

const HEADER_BYTES = 20;
const EMPTY_BYTES = 12;

/** Encodes an array in PostgreSQL's binary format. */
function encode<Value>({ oid, size, write }: Codec<Value>, values: readonly (Value | null)[]): Buffer {
  let length = HEADER_BYTES + 4 * values.length;
  let nulls = 0;
  let previous: Value | null = null;
  let bytesOfPrevious = 0;
  for (const value of values) {
    if (value === null) nulls++;
    else {
      if (value !== previous) bytesOfPrevious = size(value);
      previous = value;
      length += bytesOfPrevious;
    }
  }
  const bytes = Buffer.allocUnsafe(length);
  // An array without values has no dimensions.
  bytes.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  bytes.writeInt32BE(nulls > 0 ? 1 : 0, 4);
  bytes.writeInt32BE(oid, 8);
  if (values.length === 0) return bytes.subarray(0, EMPTY_BYTES);
  bytes.writeInt32BE(values.length, 12);
  bytes.writeInt32BE(1, 16);
  let at = HEADER_BYTES;
  let written = 0;
  previous = null;
  for (const value of values) {
    if (value === null) {
      at = bytes.writeInt32BE(-1, at);
    } else {
      // Most values are the same in consecutive rows.
      if (value === previous) bytes.copyWithin(at, at - 4 - written, at);
      else {
        written = write(bytes, value, at + 4);
        bytes.writeInt32BE(written, at);
      }
      at += 4 + written;
    }
    previous = value;
  }
  return bytes;
}

/** Element types by their names in statements. */
const ELEMENTS: Readonly<Record<string, Codec<never>>> = { ...CODECS, int: CODECS.int4 };

/**
 * An array as the value of a parameter, in PostgreSQL's binary format, which neither side needs to escape or parse. Elements of
 * `jsonb` are JSON texts.
 * @param type of its elements, as in `::type[]`
 * @throws TypeError for an unknown type or an invalid UUID, RangeError for a number or time out of range
 */
export function encodeArray(type: string, values: readonly unknown[]): Buffer {
  const codec = ELEMENTS[type];
  if (!codec) throw new TypeError(`no arrays of ${type} can be sent`);
  return encode(codec, values as never[]);
}
