/** An output stream, and whether it is a terminal. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Whether its reader is behind. If so, it emits `drain` when the reader has caught up. */
  readonly writableNeedDrain?: boolean;
}

/** Everything that a command uses of its process. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<Uint8Array | string> & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Everything that is yielded, such as the items of all pages. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** All of stdin as text. */
export async function readStdin({ stdin }: Io): Promise<string> {
  const chunks = await collect(stdin);
  return Buffer.concat(
    chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)),
  ).toString('utf8');
}
