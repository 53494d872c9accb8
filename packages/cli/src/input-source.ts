import { type FileHandle, open } from 'node:fs/promises';
import { UsageError } from './exit-codes.ts';
import { withProgress } from './output/progress.ts';
import type { Session } from './session.ts';

const CHUNK_BYTES = 64 * 1024;

/** A source of lines. */
export interface Source {
  /** Whether it can be read again from its beginning. A pipe cannot. */
  readonly isRepeatable: boolean;
  read(): AsyncIterable<Uint8Array | string>;
  close(): Promise<void>;
}

/** Reads a file from a position, or from its current position if null. */
async function* chunksOf(file: FileHandle, from: number | null): AsyncGenerator<Uint8Array> {
  for (let position = from; ; ) {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(CHUNK_BYTES), position });
    if (bytesRead === 0) return;
    if (position !== null) position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
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
    read: () => chunksOf(file, isRepeatable ? 0 : null),
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
