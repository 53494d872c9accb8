import type { LogFields, Logger } from './logger.ts';

const MINUTE_MS = 60_000;

/** Keys come from code and channel ids; beyond this many at once the rest share one window. */
const MAX_KEYS = 1_000;
const OVERFLOW_KEY = '(other keys)';

type BoundedWrite = (key: string, message: string, fields?: LogFields) => void;

export type BoundedLog = {
  warn: BoundedWrite;
  error: BoundedWrite;
  /** Writes the counts that are still held back; to be called when the process ends. */
  flush(): void;
};

export type BoundedLogOptions = {
  /** Entries of one key that are written per minute; further ones are only counted. */
  perKeyPerMinute: number;
  /** Runs a callback once after a delay in milliseconds, without keeping the process alive. */
  later?: (run: () => void, milliseconds: number) => void;
};

type Window = { written: number; suppressed: number; report: () => void };

/**
 * A log with a bounded rate: within a minute from a key's first entry the first `perKeyPerMinute` are written, and at
 * its end one entry says how many were not (`suppressed`). A key names the kind of error (`redis_unreachable`), not
 * the single case.
 */
export function createBoundedLog(
  logger: Pick<Logger, 'warn' | 'error'>,
  options: BoundedLogOptions,
): BoundedLog {
  const { perKeyPerMinute, later = laterUnreferenced } = options;
  const windows = new Map<string, Window>();

  const close = (key: string, window: Window): void => {
    if (windows.get(key) !== window) return;
    windows.delete(key);
    if (window.suppressed > 0) window.report();
  };

  const at =
    (level: 'warn' | 'error'): BoundedWrite =>
    (wantedKey, message, fields = {}) => {
      const key = windows.has(wantedKey) || windows.size < MAX_KEYS ? wantedKey : OVERFLOW_KEY;
      const window = windows.get(key) ?? open(key);
      if (window.written < perKeyPerMinute) {
        window.written += 1;
        logger[level](message, fields);
        return;
      }
      window.suppressed += 1;
      window.report = () => logger[level](message, { key, suppressed: window.suppressed });
    };

  const open = (key: string): Window => {
    const window: Window = { written: 0, suppressed: 0, report: () => {} };
    windows.set(key, window);
    later(() => close(key, window), MINUTE_MS);
    return window;
  };

  return {
    warn: at('warn'),
    error: at('error'),
    flush() {
      for (const [key, window] of windows) close(key, window);
    },
  };
}

function laterUnreferenced(run: () => void, milliseconds: number): void {
  setTimeout(run, milliseconds).unref();
}
