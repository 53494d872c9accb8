/** A message of a broker, named after its step of the protocol. */
export interface BrokerAnswer {
  readonly step: string;
  readonly bytes: Buffer;
}

/** What a broker that follows a protocol says. It is enough for a client that publishes to it. */
export interface BrokerProtocol {
  /** The answers of a connection with one message, in order. */
  readonly steps: readonly string[];
  /** Starts a connection. The function takes what the client sends, and returns the answers to whole requests. */
  converse(port: number): (received: Buffer) => BrokerAnswer[];
  /** The answer of a step on a new connection, before it was asked for. */
  foretell(step: string, port: number): Buffer;
  /** Follows the protocol, but answers nothing that was asked. */
  readonly stray: Buffer;
  /** The beginning of the longest message that the protocol can announce. */
  readonly huge: Buffer;
}

export const u8 = (value: number) => Buffer.from([value]);
export const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}
export function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}
/** Prefixes the bytes with their length. */
export const sized = (size: (length: number) => Buffer, bytes: Buffer | string) =>
  Buffer.concat([size(Buffer.byteLength(bytes)), Buffer.from(bytes)]);

/** Splits what is received. `take` returns the length of the first whole request, or null. */
export function splitting(
  take: (bytes: Buffer) => number | null,
  answer: (request: Buffer) => BrokerAnswer[],
): (received: Buffer) => BrokerAnswer[] {
  let rest = Buffer.alloc(0);
  return (received) => {
    rest = Buffer.concat([rest, received]);
    const answers: BrokerAnswer[] = [];
    for (let length = take(rest); length !== null && length <= rest.length; length = take(rest)) {
      answers.push(...answer(rest.subarray(0, length)));
      rest = rest.subarray(length);
    }
    return answers;
  };
}
