import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type ClaimedRun, LEASE_MARGIN_MS } from '@postrider/db';
import { ATTEMPT_TIMEOUT_MS, type AttemptOutcome, settlesWithin, type WakeUp } from '@postrider/domain';
import type { Config } from '../config.ts';
import { WRITE_ALLOWANCE_MS } from '../deliver/attempt.ts';
import type { RunToTry } from '../scheduler/claim-batching.ts';

/** A process that is not ready by then indicates a broken installation. */
const START_LIMIT_MS = 30_000;
/** The longest lease plus a margin: a process that takes longer has lost its run. */
const TRY_LIMIT_MS = ATTEMPT_TIMEOUT_MS.most + LEASE_MARGIN_MS + 5_000;
/** An idle process is ended after this time. */
const REST_MS = 30_000;
/**
 * A run that allocates memory without end crashes this process and not the worker's container. In megabytes; an attempt
 * needs a few tens.
 */
const HEAP_LIMIT_MB = 256;

/** Messages from the worker to its isolated process. */
export type ToIsolated =
  | { readonly type: 'begin'; readonly config: Config }
  | ({ readonly type: 'try' } & RunToTry)
  /** Aborts the open attempt at the deadline, in milliseconds, and then exits. */
  | { readonly type: 'stop'; readonly deadlineMs: number };

/** Messages from the isolated process to its worker. */
export type FromIsolated =
  | { readonly type: 'ready' }
  | { readonly type: 'attempted'; readonly run: ClaimedRun; readonly outcome: AttemptOutcome<'written'> }
  /** Wake-ups that the worker must add, because the isolated process has no connection to Redis. */
  | { readonly type: 'enqueue'; readonly wakeUps: readonly WakeUp[] }
  /**
   * The process is free again. `claimed` is false if the run belonged to another worker, had ended or was not due. `failed`:
   * PostgreSQL is unreachable, or no render process starts.
   */
  | { readonly type: 'done'; readonly claimed: boolean; readonly failed: boolean };

/** The outcome of a try. */
type TrialOutcome =
  /** See `done` of {@link FromIsolated}. */
  | { readonly outcome: 'done'; readonly claimed: boolean; readonly failed: boolean }
  /** The process crashed while it tried only this run. */
  | { readonly outcome: 'died' }
  /** The worker ended the process, or was about to, so the run is not the cause. */
  | { readonly outcome: 'cut_off' };

interface IsolatedOptions {
  readonly config: Config;
  /** Called with every message of the process except the ends of its tries. */
  readonly onMessage: (message: Extract<FromIsolated, { type: 'attempted' | 'enqueue' }>) => void;
  /** Extra arguments of Node.js, for tests. */
  readonly execArgv?: readonly string[] | undefined;
}

/** The process in which a worker tries quarantined runs. */
export interface IsolatedProcess {
  /** Tries one run. Do not call it again before it resolves. Rejects if no process can be started. */
  tryRun(run: RunToTry): Promise<TrialOutcome>;
  /**
   * Stops the process. At the deadline, in milliseconds, an open attempt is aborted and its result written. Resolves
   * when the process is gone, at most {@link WRITE_ALLOWANCE_MS} after the deadline.
   */
  stop(deadlineMs: number): Promise<void>;
}

interface Live {
  readonly child: ChildProcess;
  readonly ready: Promise<boolean>;
  readonly ended: Promise<void>;
  isCutOff: boolean;
  /** Settles the open try. */
  settle: ((trial: TrialOutcome) => void) | null;
}

/** The bundle, also if this module runs from source. */
const ISOLATED_MAIN = fileURLToPath(new URL('../../dist/bundle/isolated-main.js', import.meta.url));

/** Creates the owner of the process. The process starts with the first run and ends when it is idle. */
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
      else if (message.type === 'done') {
        const { claimed, failed } = message;
        live.settle?.({ outcome: 'done', claimed, failed });
      } else onMessage(message);
    });
    void live.ended.then(() => {
      if (current === live) current = null;
      onReady(false);
      // While the worker stops, the operating system may kill the process, too.
      live.settle?.({ outcome: live.isCutOff || stopped ? 'cut_off' : 'died' });
    });
    send(live, { type: 'begin', config });
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
        throw new Error('the isolated process did not start');
      }
      const timer = setTimeout(() => cutOff(live), TRY_LIMIT_MS);
      const trial = await new Promise<TrialOutcome>((resolve) => {
        live.settle = resolve;
        send(live, { type: 'try', ...run });
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
        send(live, { type: 'stop', deadlineMs });
        await settlesWithin([live.ended], deadlineMs + WRITE_ALLOWANCE_MS);
      }
      cutOff(live);
      await live.ended;
    },
  };
}

function send({ child }: Live, message: ToIsolated): void {
  // Sending failed because the process has ended, which is handled elsewhere.
  if (child.connected) child.send(message, () => undefined);
}

function cutOff(live: Live): void {
  live.isCutOff = true;
  live.child.kill('SIGKILL');
}

/** Resolves when the process has ended and all of its messages have been handled. */
async function untilGone(child: ChildProcess): Promise<void> {
  // Not `once` of node:events, which rejects on 'error': nothing awaits it if the process never started.
  const channel = new Promise<void>((resolve) => child.once('disconnect', () => resolve()));
  const end = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.on('error', () => {
      // It could not be started.
      if (child.pid === undefined) resolve();
    });
  });
  await end;
  if (child.connected) await channel;
}
