import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Answers, type Report, type Work, withoutGiven } from './task.ts';

/**
 * V8 limits of a template; V8 ends a process that exceeds them. The stack is as deep as the usual 8 MB of the system
 * allow, for deeply nested templates.
 */
const V8_LIMITS = ['--max-old-space-size=64', '--max-semi-space-size=8', '--stack-size=3900'];
/** A process that does not start within this time is a broken installation, not a slow template. */
const START_LIMIT_MS = 30_000;
/** Characters of the standard error that are kept of a process that does not start. */
const MAX_EXPLANATION_CHARACTERS = 2_000;
/** The most keys of contents that are remembered for a process. It caches fewer contents. */
const MAX_GIVEN = 10_000;
/** The signals with which V8 ends a process that is out of memory. */
const OUT_OF_MEMORY_SIGNALS: readonly (string | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL'];

/**
 * `cut_off`: the work exceeded its time or memory. `lost`: the process was killed from outside during the work.
 * `not_started`: the process ended before it started the work. The process is gone in all three cases.
 */
export type ProcessOutcome<Answer> =
  | { readonly outcome: 'answered'; readonly answer: Answer }
  | { readonly outcome: 'failed' | 'cut_off' | 'lost' | 'not_started'; readonly message: string };

/** A child process that does one piece of work at a time. */
export interface RenderProcess {
  readonly pid: number | undefined;
  /** Resolves when the process is ready for work. Rejects with the reason if it ended before. */
  readonly ready: Promise<void>;
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>;
  /** Never rejects. The time limit starts when the process starts the work. */
  perform<Kind extends Work['kind']>(
    work: Extract<Work, { kind: Kind }>,
    timeLimitMs: number,
  ): Promise<ProcessOutcome<Answers[Kind]>>;
  kill(): void;
}

/**
 * The bundle, also if this module runs from source: with a TypeScript loader, or from many files, a child takes several
 * times as long to start.
 */
const CHILD = fileURLToPath(new URL('../dist/bundle/child.js', import.meta.url));

function launch(): ChildProcess {
  return fork(CHILD, [String(process.pid)], {
    execArgv: V8_LIMITS,
    // Templates must not see the parent's environment. Times are computed in the time zone of the process and shown
    // in the recipient's, so the former must be the same everywhere.
    env: { TZ: 'UTC' },
    serialization: 'json',
    // V8 writes long reports when it aborts. They are read and dropped.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

function endingOf(code: number | null, signal: string | null): ProcessOutcome<never> {
  if (OUT_OF_MEMORY_SIGNALS.includes(signal)) {
    return { outcome: 'cut_off', message: 'it needed too much memory' };
  }
  return { outcome: 'lost', message: `its process was ended (${signal ?? `exit code ${code}`})` };
}

/** Like Promise.withResolvers, which Node.js 20 does not have. */
function deferred() {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve, reject };
}

/** Starts a process. Throws if the system cannot start another. */
export function startRenderProcess(): RenderProcess {
  const child = launch();
  const started = deferred();
  const gone = deferred();
  let explanation = '';
  let isReady = false;
  let onReport: (report: Report) => void = () => undefined;
  let endWork: (outcome: ProcessOutcome<never>) => void = () => undefined;
  let isGone = false;
  /** Keys of contents that the process got. If it has evicted one, it asks for it. */
  const given = new Set<string>();

  const startTimer = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
  // Avoids an unhandled rejection if nothing awaits `ready`.
  started.promise.catch(() => undefined);

  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (!isReady) explanation = `${explanation}${text}`.slice(0, MAX_EXPLANATION_CHARACTERS);
  });
  child.on('message', (report: Report) => {
    if (report.type !== 'ready') return onReport(report);
    isReady = true;
    clearTimeout(startTimer);
    started.resolve();
  });
  const end = (code: number | null, signal: string | null, reason: string) => {
    if (isGone) return;
    isGone = true;
    clearTimeout(startTimer);
    started.reject(new Error(`a render process did not start: ${reason} ${explanation}`.trim()));
    endWork(endingOf(code, signal));
    gone.resolve();
  };
  child.on('error', (error) => {
    // The message could not be sent, so the process is unusable. If it never started, there is no exit event.
    child.kill('SIGKILL');
    if (child.pid === undefined) end(null, null, error.message);
  });
  child.on('exit', (code, signal) => end(code, signal, signal ?? `exit code ${code}`));

  return {
    pid: child.pid,
    ready: started.promise,
    ended: gone.promise,
    kill: () => void child.kill('SIGKILL'),
    perform<Kind extends Work['kind']>(work: Extract<Work, { kind: Kind }>, timeLimitMs: number) {
      return new Promise<ProcessOutcome<Answers[Kind]>>((resolve) => {
        let hasStarted = false;
        let timer = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
        const settle = (outcome: ProcessOutcome<Answers[Kind]>) => {
          clearTimeout(timer);
          onReport = () => undefined;
          endWork = () => undefined;
          resolve(outcome);
        };
        endWork = (outcome) =>
          settle(hasStarted ? outcome : { outcome: 'not_started', message: 'no process accepted it' });
        onReport = (report) => {
          if (report.type === 'wanted') {
            given.clear();
            child.send(withoutGiven(work, given));
          } else if (report.type === 'started') {
            hasStarted = true;
            clearTimeout(timer);
            timer = setTimeout(() => {
              child.kill('SIGKILL');
              settle({ outcome: 'cut_off', message: `it took more than ${timeLimitMs} ms` });
            }, timeLimitMs);
          } else if (report.type === 'answered') {
            settle({ outcome: 'answered', answer: report.answer as Answers[Kind] });
          } else if (report.type === 'failed') {
            settle({ outcome: 'failed', message: report.message });
          }
        };
        if (isGone) endWork(endingOf(null, null));
        else {
          if (given.size > MAX_GIVEN) given.clear();
          child.send(withoutGiven(work, given));
        }
      });
    },
  };
}
