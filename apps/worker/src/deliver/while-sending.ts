import type { SendingAttempt } from '@postrider/db';
import { createFairSemaphore, type Holder, type Permit } from '@postrider/fairness';

/** A content with more characters is large. An event without a template never has that many. */
export const LARGE_CHARACTERS = 288 * 1_024;
/**
 * Large contents that a worker sends at once, in total, per tenant and per channel: a slow receiver only blocks large
 * contents of its own channel. Each part of an email can have 2 million characters, so a hundred deliveries to slow
 * receivers would take a gigabyte.
 */
const AT_ONCE = {
  total: 8,
  perOwner: 2,
  perPart: 1,
  // The queue never gets this long, because each waiting run holds a render permit.
  maxWaiting: 1_000,
  maxWaitingPerOwner: 1_000,
};

interface Patience {
  readonly signal: AbortSignal;
  /** The longest wait for a permit, in milliseconds. */
  readonly withinMs: number;
}

/** Limits the rendered large contents that a worker is sending. */
export interface LargeContents {
  /**
   * Waits for a permit if the content is large, and returns its `release`. Null if there was none in time, or if the
   * signal was aborted.
   */
  acquire(content: unknown, channel: Holder, patience: Patience): Promise<Permit['release'] | null>;
}

function charactersOf(content: unknown): number {
  if (typeof content === 'string' || Buffer.isBuffer(content)) return content.length;
  if (typeof content !== 'object' || content === null) return 0;
  return Object.values(content).reduce((sum, value) => sum + charactersOf(value), 0);
}

/** Creates the limit. Tenants take turns. */
export function createLargeContents(): LargeContents {
  const semaphore = createFairSemaphore(AT_ONCE);
  return {
    async acquire(content, channel, { signal, withinMs }) {
      if (charactersOf(content) < LARGE_CHARACTERS) return () => undefined;
      return (await semaphore.acquire(channel, signal, withinMs))?.release ?? null;
    },
  };
}

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
