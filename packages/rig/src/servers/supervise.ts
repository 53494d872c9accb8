import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const SUPERVISOR = fileURLToPath(new URL('../../supervisor.mjs', import.meta.url));

export interface ProgramOptions {
  /** Its name in messages, for example `PostgreSQL`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** The complete environment of the program; by default that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** The account to run as; only root can set it. */
  readonly account?: { readonly uid: number; readonly gid: number };
  readonly stopSignal?: NodeJS.Signals;
  /** How many milliseconds `stop` waits before it kills the program and its process group. */
  readonly stopTimeoutMs?: number;
  /** Directories to remove if this process ends and cannot do it itself. */
  readonly removeWhenOrphaned?: readonly string[];
  /** `inherit` writes to this process's stdout and stderr; by default the output is kept (see `Output`). */
  readonly output?: 'capture' | 'inherit';
  /** Called with each line of captured output. */
  readonly onLine?: (line: string) => void;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Program {
  readonly name: string;
  /** The id of the program's process, not of its supervisor's. */
  readonly pid: number;
  readonly output: Output;
  readonly exited: Promise<Exit>;
  hasEnded(): boolean;
  /**
   * Stops the program, kills it if it does not end in time, and resolves when it has ended. Does nothing if it has ended.
   */
  stop(): Promise<void>;
  /** Kills the program (SIGKILL) and resolves when it has ended. */
  kill(): Promise<void>;
}

type Message =
  | { type: 'started'; pid: number }
  | { type: 'failed'; message: string }
  | ({ type: 'exited' } & Exit);

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function spawnSupervisor(options: ProgramOptions): ChildProcess {
  const { command, args, cwd, account, removeWhenOrphaned = [] } = options;
  const { stopSignal = 'SIGTERM', stopTimeoutMs = 10_000 } = options;
  const limits = { stopSignal, stopTimeoutMs, removeWhenOrphaned };
  const spec = { command, args, cwd, uid: account?.uid, gid: account?.gid, ...limits };
  const output = options.output === 'inherit' ? 'inherit' : 'pipe';
  return spawn(process.execPath, [SUPERVISOR, JSON.stringify(spec)], {
    stdio: ['ignore', output, output, 'ipc'],
    env: options.env ?? process.env,
    detached: true,
  });
}

/**
 * Starts a program that cannot outlive this process: a small supervisor stops it when this process ends, even by
 * SIGKILL. The program has its own session, so Ctrl-C in the terminal does not reach it: the caller decides the order of
 * stopping. Rejects if the program cannot be started.
 */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { name, onLine = () => undefined } = options;
  const supervisor = spawnSupervisor(options);
  const streams = [supervisor.stdout, supervisor.stderr].filter((stream) => stream !== null);
  const output = createOutput(streams, onLine);

  let ended: Exit | undefined;
  const pid = await new Promise<number>((resolve, reject) => {
    supervisor.once('error', reject);
    supervisor.once('exit', () => reject(new Error(`${name} did not start: its supervisor ended`)));
    supervisor.on('message', (message: Message) => {
      if (message.type === 'started') resolve(message.pid);
      else if (message.type === 'failed') reject(new Error(`${name} did not start: ${message.message}`));
      else ended = { code: message.code, signal: message.signal };
    });
  });
  const exited = new Promise<Exit>((resolve) => {
    supervisor.once('close', () => {
      if (!ended) sendSignal(-pid, 'SIGKILL');
      ended ??= { code: null, signal: 'SIGKILL' };
      resolve(ended);
    });
  });

  return {
    name,
    pid,
    output,
    exited,
    hasEnded: () => ended !== undefined,
    stop: async () => {
      if (supervisor.connected) supervisor.send('stop');
      await exited;
    },
    kill: async () => {
      sendSignal(pid, 'SIGKILL');
      await exited;
    },
  };
}

/** The `kill` and `stop` of a program, followed by the removal of its files. */
export function endingWith(
  program: Program,
  removeFiles: () => Promise<unknown>,
): { kill(): Promise<void>; stop(): Promise<void> } {
  return {
    async kill() {
      await program.kill();
      await removeFiles();
    },
    async stop() {
      await program.stop();
      await removeFiles();
    },
  };
}

/** Enough to show why a program failed, and few enough for one screen. */
const KEPT_LINES = 20;

/** A program's output on stdout and stderr. */
export interface Output {
  /** Returns the last lines, at most 20, oldest first. */
  lastLines(): string[];
  /** Resolves with true at the first line that matches, or with false if the output ends before. */
  waitFor(pattern: RegExp): Promise<boolean>;
}

/** Reads the streams to their end, so that the program never blocks on a full pipe. Calls `onLine` with each line. */
function createOutput(streams: readonly Readable[], onLine: (line: string) => void): Output {
  const kept: string[] = [];
  const waiting = new Set<{ pattern: RegExp; resolve: (found: boolean) => void }>();
  let open = streams.length;

  const keep = (line: string) => {
    onLine(line);
    kept.push(line);
    if (kept.length > KEPT_LINES) kept.shift();
    for (const waiter of waiting) {
      if (!waiter.pattern.test(line)) continue;
      waiting.delete(waiter);
      waiter.resolve(true);
    }
  };
  const onEnd = () => {
    open -= 1;
    if (open > 0) return;
    for (const waiter of waiting) waiter.resolve(false);
    waiting.clear();
  };
  for (const stream of streams) {
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })
      .on('line', keep)
      .once('close', onEnd);
  }

  return {
    lastLines: () => [...kept],
    waitFor: (pattern) =>
      new Promise((resolve) => {
        if (kept.some((line) => pattern.test(line))) resolve(true);
        else if (open === 0) resolve(false);
        else waiting.add({ pattern, resolve });
      }),
  };
}

/** A first start on a busy machine takes some seconds; one that takes this long will not succeed. */
const LIMIT_MS = 60_000;
const PAUSE_MS = 100;
const ANSWER_LIMIT_MS = 2_000;

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** Describes why a program failed, with its last output. */
export function describeFailure(program: Program, what: string): string {
  return [`${program.name} ${what}.`, ...program.output.lastLines().map((line) => `  ${line}`)].join('\n');
}

/** Resolves when GET `url` answers 2xx. Rejects if the program ends before that or takes longer than 60 s. */
export async function waitUntilReady(program: Program, url: string): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  while (!(await answersOk(url))) {
    if (program.hasEnded()) throw new Error(describeFailure(program, 'ended while starting'));
    if (Date.now() > deadline)
      throw new Error(describeFailure(program, `is not ready after ${LIMIT_MS / 1000} s`));
    await pause(PAUSE_MS);
  }
}

/** Read by reflection, because the types of the oldest supported Node.js do not have it. */
const takesTypesAway = Reflect.get(process.features, 'typescript') === 'strip';

/**
 * Node.js arguments for running TypeScript from its sources. Node.js strips the types itself if it can: tsx needs three
 * times the processor time.
 */
export const FROM_SOURCES: readonly string[] = [
  '--conditions=@postrider/source',
  '--disable-warning=ExperimentalWarning',
  ...(takesTypesAway ? [] : ['--import=tsx']),
];
