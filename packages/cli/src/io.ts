/** An output stream, and whether it is a terminal. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
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

/** All of stdin as text. */
export async function readStdin({ stdin }: Io): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks).toString('utf8');
}
