import type { EventEmitter } from 'node:events';

export type StopOnSignalOptions = {
  /** Where the signals come from: the process. */
  signals: EventEmitter;
  /** Closes everything. `reason` is the signal, or what was given to {@link EndProcess}. */
  stop: (reason: string) => Promise<void>;
  /** Hears why `stop` rejected, before the process ends. */
  onStopFailed: (error: unknown) => void;
  /** Milliseconds after the signal by which the process ends, whatever became of the stop. */
  deadlineMs: number;
  exit: (code: number) => void;
};

/**
 * Stops as at a signal and ends with 1, for a supervisor to start the process anew. Does nothing while
 * stopping.
 */
export type EndProcess = (reason: string) => void;

/**
 * Stops at SIGTERM and SIGINT and ends the process: with 0 when all was closed, with 1 when it was not by the
 * deadline, when the stop failed, or at the second signal: whoever asks twice does not want to wait. A signal
 * that comes while the process ends itself is the first one.
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
