import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createOutput, type Output } from './output.ts';

const SUPERVISOR = fileURLToPath(new URL('../supervisor.mjs', import.meta.url));

export interface ProgramOptions {
  /** What messages call it, for example `PostgreSQL`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** The whole environment of the program; that of this process by default. */
  readonly env?: NodeJS.ProcessEnv;
  /** Runs as this account; only root can ask for that. */
  readonly account?: { readonly uid: number; readonly gid: number };
  readonly stopSignal?: NodeJS.Signals;
  /** After this many milliseconds of stopping, the program and its process group are killed. */
  readonly stopTimeoutMs?: number;
  /** Directories to remove when this process is gone and cannot do it itself. */
  readonly removeWhenOrphaned?: readonly string[];
  /** `inherit` hands this process's stdout and stderr on; by default the output is kept (see `Output`). */
  readonly output?: 'capture' | 'inherit';
  /** Gets each line of captured output. */
  readonly onLine?: (line: string) => void;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Program {
  readonly name: string;
  /** Of the program itself, not of its supervisor. */
  readonly pid: number;
  readonly output: Output;
  readonly exited: Promise<Exit>;
  hasEnded(): boolean;
  /** Asks it to end, kills it when it does not in time, and resolves when it is gone. Harmless when it has ended. */
  stop(): Promise<void>;
  /** Ends it as a crash would (SIGKILL) and resolves when it is gone. */
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
 * Starts a program that cannot outlive this process: a small supervisor beside it stops it when this process ends,
 * also after SIGKILL. It runs in a session of its own, so Ctrl-C in the terminal does not reach it:
 * the caller decides the order of stopping. Rejects when the program cannot be started.
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
