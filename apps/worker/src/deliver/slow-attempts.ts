import type { SentNote } from '@postrider/db';

/**
 * An attempt that sends for longer than this is recorded. Also the interval of the search for slow attempts. In
 * milliseconds.
 */
const SLOW_MS = 1_000;
/** Attempts per statement. */
const MAX_NOTES = 128;

/** Watches an attempt while it sends. Call the returned function when it has ended. */
export type WatchSlow = (note: SentNote) => () => void;

/**
 * Stores what slow attempts send, once each, so that content and headers are known if the worker is lost: most lost
 * workers hang while sending. Fast attempts cost no statement. `exchange` of a note may grow while it is watched. A
 * note that cannot be written is dropped.
 */
export function createWatchSlow({
  write,
  onError,
  monotonicMs,
}: {
  readonly write: (notes: readonly SentNote[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly monotonicMs: () => number;
}): WatchSlow {
  /** Watched attempts, in the order of their start. */
  const watched = new Map<SentNote, number>();
  let isArmed = false;

  function arm(): void {
    if (isArmed) return;
    isArmed = true;
    setTimeout(look, SLOW_MS).unref();
  }

  function look(): void {
    isArmed = false;
    const before = monotonicMs() - SLOW_MS;
    const slow: SentNote[] = [];
    for (const [note, beganAt] of watched) {
      if (beganAt > before || slow.length === MAX_NOTES) break;
      slow.push(note);
      watched.delete(note);
    }
    if (slow.length > 0) void write(slow).catch(onError);
    if (watched.size > 0) arm();
  }

  return (note) => {
    watched.set(note, monotonicMs());
    arm();
    return () => {
      watched.delete(note);
    };
  };
}
