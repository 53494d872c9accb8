import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { LEASE_MARGIN_MS } from '@postrider/db';
import { ATTEMPT_TIMEOUT_MS, settlesWithin } from '@postrider/domain';
import type { Config } from '../config.ts';
import { WRITE_ALLOWANCE_MS } from '../deliver/deliver.ts';
import type { FromIsolated, RunToTry, ToIsolated } from './messages.ts';

/** A process that is not ready by then is a broken installation. */
const START_LIMIT_MS = 30_000;
/** The longest lease plus a margin: a process that still holds its run by then has lost it. */
const TRY_LIMIT_MS = ATTEMPT_TIMEOUT_MS.most + LEASE_MARGIN_MS + 5_000;
/** How long a process waits for another run before it is ended. */
const REST_MS = 30_000;
/**
 * A run that takes memory without end is to end this process, and not the container with the worker in it. In
 * megabytes; one attempt needs some tens.
 */
const HEAP_LIMIT_MB = 256;

/** The outcome of a try. */
type TrialOutcome =
  /** See `done` of {@link FromIsolated}. */
  | { readonly outcome: 'done'; readonly claimed: boolean }
  /** The process ended by itself while it had the run and nothing else. */
  | { readonly outcome: 'died' }
  /** This worker ended the process, or was about to, which says nothing about the run. */
  | { readonly outcome: 'cut_off' };

interface IsolatedOptions {
  readonly config: Config;
  /** Called with every message of the process except the ends of its tries. */
  readonly onMessage: (message: Extract<FromIsolated, { type: 'attempted' | 'enqueue' }>) => void;
  /** Further arguments of Node.js, which tests give. */
  readonly execArgv?: readonly string[] | undefined;
}

/** The process in which a worker tries runs alone. */
export interface IsolatedProcess {
  /** Tries one run; not to be called again before it resolves. Rejects when no process can be started. */
  tryRun(run: RunToTry): Promise<TrialOutcome>;
  /**
   * Has the open attempt ended and written at the deadline, in milliseconds, and ends the process. Resolves
   * within {@link WRITE_ALLOWANCE_MS} of the deadline, when the process is gone.
   */
  stop(deadlineMs: number): Promise<void>;
}

interface Live {
  readonly child: ChildProcess;
  readonly ready: Promise<boolean>;
  readonly ended: Promise<void>;
  isCutOff: boolean;
  /** Ends the try that is open. */
  settle: ((trial: TrialOutcome) => void) | null;
}

/** The build, also where this module runs from source. */
const ISOLATED_MAIN = fileURLToPath(new URL('../../dist/quarantine/isolated-main.js', import.meta.url));

/** Creates the process's owner; the process itself is started for the first run, and ends when it rests. */
export function createIsolatedProcess({
  config,
  onMessage,
  execArgv = [],
}: IsolatedOptions): IsolatedProcess {
  let current: Live | null = null;
  let resting: NodeJS.Timeout | undefined;
  let stopped = false;

  function start(): Live {
    const child = fork(ISOLATED_MAIN, [], {
      execArgv: [...process.execArgv, `--max-old-space-size=${HEAP_LIMIT_MB}`, ...execArgv],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    let onReady: (isReady: boolean) => void = () => undefined;
    const ready = new Promise<boolean>((resolve) => {
      onReady = resolve;
    });
    const live: Live = { child, ready, ended: untilGone(child), isCutOff: false, settle: null };
    child.on('message', (message: FromIsolated) => {
      if (message.type === 'ready') onReady(true);
      else if (message.type === 'done') live.settle?.({ outcome: 'done', claimed: message.claimed });
      else onMessage(message);
    });
    void live.ended.then(() => {
      if (current === live) current = null;
      onReady(false);
      // While the worker stops, the system may end the process as well.
      live.settle?.({ outcome: live.isCutOff || stopped ? 'cut_off' : 'died' });
    });
    tell(live, { type: 'begin', config });
    return live;
  }

  async function startedWithin(live: Live): Promise<boolean> {
    const timer = setTimeout(() => cutOff(live), START_LIMIT_MS);
    try {
      return await live.ready;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async tryRun(run) {
      clearTimeout(resting);
      if (stopped) return { outcome: 'cut_off' };
      current ??= start();
      const live = current;
      if (!(await startedWithin(live))) {
        if (stopped) return { outcome: 'cut_off' };
        throw new Error('the process in which runs are tried alone did not start');
      }
      const timer = setTimeout(() => cutOff(live), TRY_LIMIT_MS);
      const trial = await new Promise<TrialOutcome>((resolve) => {
        live.settle = resolve;
        tell(live, { type: 'try', ...run });
      });
      live.settle = null;
      clearTimeout(timer);
      if (!stopped) resting = setTimeout(() => cutOff(live), REST_MS);
      return trial;
    },
    async stop(deadlineMs) {
      stopped = true;
      clearTimeout(resting);
      if (!current) return;
      const live = current;
      if (live.settle) {
        tell(live, { type: 'stop', deadlineMs });
        await settlesWithin([live.ended], deadlineMs + WRITE_ALLOWANCE_MS);
      }
      cutOff(live);
      await live.ended;
    },
  };
}

function tell({ child }: Live, message: ToIsolated): void {
  // Its end, which is why it could not be told, is seen by itself.
  if (child.connected) child.send(message, () => undefined);
}

function cutOff(live: Live): void {
  live.isCutOff = true;
  live.child.kill('SIGKILL');
}

/** Resolves when the process has ended and every message that it sent before has been handled. */
async function untilGone(child: ChildProcess): Promise<void> {
  // Not `once` of node:events: it rejects on 'error', and nobody waits for it when the process was never started.
  const channel = new Promise<void>((resolve) => child.once('disconnect', () => resolve()));
  const end = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.on('error', () => {
      // It could not be started at all.
      if (child.pid === undefined) resolve();
    });
  });
  await end;
  if (child.connected) await channel;
}
