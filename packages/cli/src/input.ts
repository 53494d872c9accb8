import { open } from 'node:fs/promises';
import { UsageError } from './exit-codes.ts';
import { withProgress } from './output/progress.ts';
import type { Session } from './session.ts';

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

/** A source of lines. */
export interface Source {
  /** Whether it can be read again from its beginning. A pipe cannot. */
  readonly isRepeatable: boolean;
  read(): AsyncIterable<Uint8Array | string>;
  close(): Promise<void>;
}

/** Opens a file, or stdin for `-`. Throws a UsageError for a directory. */
async function openSource({ io }: Pick<Session, 'io'>, path: string): Promise<Source> {
  if (path === '-') return { isRepeatable: false, read: () => io.stdin, close: async () => undefined };
  const file = await open(path);
  const stat = await file.stat();
  if (stat.isDirectory()) {
    await file.close();
    throw new UsageError(`The file cannot be read: ${path}`);
  }
  // Anything else may be a pipe, such as <(…) of a shell, which has no positions.
  const isRepeatable = stat.isFile();
  return {
    isRepeatable,
    read: () => file.createReadStream({ autoClose: false, ...(isRepeatable && { start: 0 }) }),
    close: () => file.close(),
  };
}

/** How the entries of a file are sent. */
interface Sending<Entry> {
  /** For the progress bar, such as "importing". */
  readonly doing: string;
  /** Reads the source. Throws a UsageError for a line that is invalid. */
  readonly entriesOf: (source: Source) => AsyncIterable<Entry>;
  /** The most entries of a group, and the most bytes of their JSON unless one alone has more. */
  readonly most: { readonly entries: number; readonly bytes?: number };
  /** Sends a group, and reports how many of its entries are done. */
  readonly send: (group: Entry[], update: (done: number) => void) => Promise<void>;
}

async function* groupsOf<Entry>(
  entries: AsyncIterable<Entry>,
  { entries: maxEntries, bytes: maxBytes }: Sending<Entry>['most'],
): AsyncGenerator<Entry[]> {
  const group: Entry[] = [];
  let bytes = 0;
  for await (const entry of entries) {
    const size = maxBytes === undefined ? 0 : Buffer.byteLength(JSON.stringify(entry));
    if (maxBytes !== undefined && group.length > 0 && bytes + size > maxBytes) yield group.splice(0);
    bytes = group.length === 0 ? size : bytes + size;
    group.push(entry);
    // The next line may be invalid, or come later.
    if (group.length === maxEntries) yield group.splice(0);
  }
  if (group.length > 0) yield group;
}

/**
 * Sends the entries of a file, or of stdin for `-`, in groups. A file that can be read twice is first read to its end, so that an
 * invalid line is found before anything is sent. Returns the number of entries.
 */
export async function sendEntries<Entry>(
  { io }: Pick<Session, 'io'>,
  path: string,
  { doing, entriesOf, most, send }: Sending<Entry>,
): Promise<number> {
  const source = await openSource({ io }, path);
  try {
    let total = 0;
    if (source.isRepeatable) for await (const _ of entriesOf(source)) total += 1;
    return await withProgress(doing, io.stderr, async (update) => {
      let begun = 0;
      for await (const group of groupsOf(entriesOf(source), most)) {
        const before = begun;
        begun += group.length;
        await send(group, (done) => update(before + done, Math.max(begun, total)));
      }
      return begun;
    });
  } finally {
    await source.close();
  }
}
