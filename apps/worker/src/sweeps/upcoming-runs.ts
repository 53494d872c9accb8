import { findUpcomingRuns, type RunCursor, type UnboundDatabase } from '@postrider/db';
import type { Producer } from '@postrider/queue';

/** Default number of runs per query. */
const PAGE = 1_000;
/** Pages per round. The next round continues where this one ended. */
const MAX_PAGES = 50;
/** How far a round goes back before the previous horizon, for runs that were accepted in between. */
const OVERLAP_MS = 60_000;

interface UpcomingDeps {
  readonly db: UnboundDatabase;
  readonly producer: Producer;
  readonly nearHorizonMs: number;
  /** Runs per query. */
  readonly page?: number;
  /** Pages per round. */
  readonly maxPages?: number;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicMs: () => number;
}

/**
 * Creates the round that enqueues runs as delayed jobs when they are due within the horizon. A moving window ensures
 * that each run is added about once. The first round of a process covers everything up to the horizon.
 */
export function createUpcomingSweep({
  db,
  producer,
  nearHorizonMs,
  page = PAGE,
  maxPages = MAX_PAGES,
  monotonicMs,
}: UpcomingDeps) {
  /** Monotonic time up to which runs have been enqueued. */
  let coveredUntil: number | null = null;
  /** Where a round ended before the horizon: after its last page, or when Redis refused one. */
  let resumeAfter: RunCursor | null = null;

  /** The beginning of the window, in milliseconds from now. */
  const windowStart = (now: number) =>
    coveredUntil === null ? 0 : Math.max(0, coveredUntil - now - OVERLAP_MS);

  return async (): Promise<void> => {
    const now = monotonicMs();
    let after: RunCursor | number = resumeAfter ?? windowStart(now);
    for (let pages = 0; pages < maxPages; pages += 1) {
      const { runs, next } = await findUpcomingRuns(db, { after, toMs: nearHorizonMs, limit: page });
      const { failed } = await producer.enqueue(runs);
      if (failed > 0) return;
      resumeAfter = next;
      if (!next) {
        coveredUntil = now + nearHorizonMs;
        return;
      }
      after = next;
    }
  };
}
