import { type FileHandle, open } from 'node:fs/promises';
import { UsageError } from './exit-codes.ts';
import type { Session } from './session.ts';

const CHUNK_BYTES = 64 * 1024;

/** A source of lines. */
export interface Source {
  readonly name: string;
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
export async function openSource({ io }: Pick<Session, 'io'>, path: string): Promise<Source> {
  if (path === '-')
    return { name: 'Stdin', isRepeatable: false, read: () => io.stdin, close: async () => undefined };
  const file = await open(path);
  const stat = await file.stat();
  if (stat.isDirectory()) {
    await file.close();
    throw new UsageError(`The file cannot be read: ${path}`);
  }
  // Anything else may be a pipe, such as <(…) of a shell, which has no positions.
  const isRepeatable = stat.isFile();
  return {
    name: path,
    isRepeatable,
    read: () => chunksOf(file, isRepeatable ? 0 : null),
    close: () => file.close(),
  };
}
