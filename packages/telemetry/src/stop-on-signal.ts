import type { EventEmitter } from 'node:events';

export type StopOnSignalOptions = {
  signals: EventEmitter;
  /** Closes everything. `reason` is the signal, or the argument of {@link EndProcess}. */
  stop: (reason: string) => Promise<void>;
  /** Called if `stop` rejected, before the process ends. */
  onStopFailed: (error: unknown) => void;
  /** Milliseconds after the signal by which the process ends, even if `stop` has not. */
  deadlineMs: number;
  exit: (code: number) => void;
};

/**
 * Stops as after a signal and exits with 1, for a supervisor to start the process again. Does nothing while
 * stopping.
 */
export type EndProcess = (reason: string) => void;

/**
 * Stops at SIGTERM and SIGINT and exits: with 0 if everything was closed, with 1 if it was not by the deadline, if the
 * stop failed, or at a second signal, which asks not to wait. A signal while the process ends itself counts as the
 * first.
 */
export function stopOnSignal({
  signals,
  stop,
  onStopFailed,
  deadlineMs,
  exit,
}: StopOnSignalOptions): EndProcess {
  let stopping = false;
  let signalled = false;

  function end(reason: string, code: number): void {
    stopping = true;
    setTimeout(() => exit(1), deadlineMs).unref();
    void stop(reason).then(
      () => exit(code),
      (error) => {
        onStopFailed(error);
        exit(1);
      },
    );
  }

  function onSignal(signal: NodeJS.Signals): void {
    if (signalled) exit(1);
    else if (!stopping) end(signal, 0);
    signalled = true;
  }

  signals.on('SIGTERM', onSignal);
  signals.on('SIGINT', onSignal);
  return (reason) => {
    if (!stopping) end(reason, 1);
  };
}
