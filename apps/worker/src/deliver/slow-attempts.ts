import type { SendingAttempt } from '@postrider/db';

/**
 * An attempt that sends for longer than this is recorded. Also the interval of the search for slow attempts. In
 * milliseconds.
 */
const SLOW_MS = 1_000;
/** Attempts per statement. */
const MAX_ATTEMPTS = 128;

/** Watches an attempt while it sends. Call the returned function when it has ended. */
export type WatchSlow = (attempt: SendingAttempt) => () => void;

/**
 * Stores what slow attempts send, once each, so that content and headers are known if the worker is lost: most lost
 * workers hang while sending. Fast attempts cost no statement. `sent.exchange` may change while an attempt is watched.
 * An attempt that cannot be written is not tried again.
 */
export function createWatchSlow({
  write,
  onError,
  monotonicMs,
}: {
  readonly write: (attempts: readonly SendingAttempt[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly monotonicMs: () => number;
}): WatchSlow {
  /** Watched attempts, in the order of their start. */
  const watched = new Map<SendingAttempt, number>();
  let isTimerSet = false;

  function setTimer(): void {
    if (isTimerSet) return;
    isTimerSet = true;
    setTimeout(recordSlow, SLOW_MS).unref();
  }

  function recordSlow(): void {
    isTimerSet = false;
    const before = monotonicMs() - SLOW_MS;
    const slow: SendingAttempt[] = [];
    for (const [attempt, beganAt] of watched) {
      if (beganAt > before || slow.length === MAX_ATTEMPTS) break;
      slow.push(attempt);
      watched.delete(attempt);
    }
    if (slow.length > 0) void write(slow).catch(onError);
    if (watched.size > 0) setTimer();
  }

  return (attempt) => {
    watched.set(attempt, monotonicMs());
    setTimer();
    return () => {
      watched.delete(attempt);
    };
  };
}
