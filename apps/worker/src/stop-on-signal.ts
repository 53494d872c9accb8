import type { EventEmitter } from 'node:events';

export interface StopOnSignalOptions {
  /** Where the signals come from: the process. */
  readonly signals: EventEmitter;
  readonly stop: (signal: NodeJS.Signals) => Promise<void>;
  /** Milliseconds after the signal by which the process ends, whatever became of the stop. */
  readonly deadlineMs: number;
  readonly exit: (code: number) => void;
}

/**
 * Stops at SIGTERM and SIGINT and ends the process: with 0 when all was closed, with 1 when it was not by the
 * deadline, or at the second signal: whoever asks twice does not want to wait.
 */
export function stopOnSignal({ signals, stop, deadlineMs, exit }: StopOnSignalOptions): void {
  let stopping = false;

  function onSignal(signal: NodeJS.Signals): void {
    if (stopping) {
      exit(1);
      return;
    }
    stopping = true;
    setTimeout(() => exit(1), deadlineMs).unref();
    void stop(signal).then(() => exit(0));
  }

  signals.on('SIGTERM', onSignal);
  signals.on('SIGINT', onSignal);
}
