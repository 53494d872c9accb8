/** How much earlier than a new run the search begins: wake-ups of runs that were accepted together can be one. */
const MARGIN_MS = 50;
/** The longest time between two complete searches of a busy channel, and how many times longer than one it is at least. */
const COMPLETE_EVERY = { ms: 1_000, times: 20 } as const;

/** What a claim tells the bound. Times are in milliseconds since the epoch, by the database's clock. */
interface Search {
  /** The bound of the claim; null if it searched completely. */
  readonly since: number | null;
  /** Whether it took all runs that it read. Otherwise the next search begins at the same time. */
  readonly tookAll: boolean;
  /** The due time of the last run that it read if there may be more; otherwise the time of the claim. */
  readonly until: number;
  /** When it ended, by a monotonic clock, and how long it took. */
  readonly atMs: number;
  readonly tookMs: number;
}

/**
 * A lower bound of the due times of a channel's waiting runs, from which a claim searches. Without one, each claim of a busy
 * channel reads again the index entries of all runs that were just claimed; beside an old transaction, which keeps them, it is
 * four times slower. The bound only saves time: a run below it is found by the next complete search within about a second, or
 * by a poll.
 */
export interface Bound {
  /** The bound for a claim that begins now; null for a complete search. */
  since(nowMs: number): number | null;
  /** Moves it back for a run that is due at `dueMs`, or for runs that may have been due for long (null). */
  moveBack(dueMs: number | null): void;
  /** Records the search of a claim that has ended. */
  searched(search: Search): void;
}

/** Creates a bound of which nothing is known yet. */
export function createBound(): Bound {
  let bound: number | null = null;
  let isMoved = false;
  let completeUntil = Number.NEGATIVE_INFINITY;
  return {
    since(nowMs) {
      isMoved = false;
      return nowMs < completeUntil ? bound : null;
    },
    moveBack(dueMs) {
      isMoved = true;
      bound = dueMs === null || bound === null ? null : Math.min(bound, dueMs - MARGIN_MS);
    },
    searched({ since, tookAll, until, atMs, tookMs }) {
      if (since === null) completeUntil = atMs + Math.max(COMPLETE_EVERY.ms, COMPLETE_EVERY.times * tookMs);
      const wasClockSetBack = since !== null && until < since;
      // What a complete search has read and not taken may be due before the bound.
      const isLeftBefore = since === null && !tookAll;
      if (wasClockSetBack || isLeftBefore) bound = null;
      else if (tookAll && !isMoved) bound = until;
    },
  };
}
