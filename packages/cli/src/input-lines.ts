import { UsageError } from './exit-codes.ts';

/** A line has one event, which must fit in a request. */
export const MAX_LINE_BYTES = 1024 * 1024;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A line without its line break. */
interface InputLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

function decode(bytes: Uint8Array, number: number): string {
  const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end));
  } catch {
    throw new UsageError(`Line ${number} is not UTF-8.`);
  }
}

/**
 * Reads the lines of NDJSON, which end with \n or \r\n. Buffers one line at a time, and throws a UsageError if it is
 * longer than {@link MAX_LINE_BYTES}. `node:readline` is unsuitable: it also splits at U+2028, which JSON allows in
 * strings.
 */
export async function* inputLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<InputLine> {
  let number = 1;
  let pieces: Uint8Array[] = [];
  let length = 0;
  const add = (piece: Uint8Array) => {
    length += piece.length;
    if (length > MAX_LINE_BYTES) throw new UsageError(`Line ${number} is longer than 1 MiB.`);
    pieces.push(piece);
  };
  for await (const chunk of input) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      add(bytes.subarray(start, end));
      yield { number, text: decode(Buffer.concat(pieces), number) };
      number += 1;
      pieces = [];
      length = 0;
      start = end + 1;
    }
    add(bytes.subarray(start));
  }
  if (length > 0) yield { number, text: decode(Buffer.concat(pieces), number) };
}
