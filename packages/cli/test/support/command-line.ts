import { Readable } from 'node:stream';
import type { Io, Output } from '../../src/io.ts';
import { run } from '../../src/run.ts';

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The stdout of --json. */
  readonly json: <Result = Record<string, unknown>>() => Result;
}

export interface RunOptions {
  readonly env?: Record<string, string>;
  readonly stdin?: string | AsyncIterable<string>;
  /** As on a terminal of 100 columns. */
  readonly terminal?: boolean;
  readonly signal?: AbortSignal;
  /** Gets each write to stdout. */
  readonly onOutput?: (text: string) => void;
  /** Other members of stdout. */
  readonly stdout?: Omit<Output, 'write'>;
  /** Gets each write to stderr. */
  readonly onError?: (text: string) => void;
}

/** Runs a command line in this process, with an environment of its own. */
export async function postrider(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const { env = {}, stdin = '', terminal = false } = options;
  let stdout = '';
  let stderr = '';
  const io: Io = {
    env,
    stdin: Object.assign(Readable.from(typeof stdin !== 'string' ? stdin : stdin === '' ? [] : [stdin]), {
      isTTY: terminal,
    }),
    stdout: Object.assign(options.stdout ?? {}, {
      write: (text: string) => {
        stdout += text;
        options.onOutput?.(text);
      },
      isTTY: terminal,
      columns: 100,
    }),
    stderr: {
      write: (text) => {
        stderr += text;
        options.onError?.(text);
      },
      isTTY: terminal,
      columns: 100,
    },
    signal: options.signal ?? new AbortController().signal,
  };
  const code = await run(args, io);
  return { code, stdout, stderr, json: () => JSON.parse(stdout) };
}
