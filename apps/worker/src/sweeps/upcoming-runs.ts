import { findUpcomingRuns, type RunCursor, type UnboundDatabase } from '@postrider/db';
import type { Producer } from '@postrider/queue';

/** Runs of one query, unless told otherwise. */
const PAGE = 1_000;
/** Pages of one round; the next goes on where it ended. */
const MAX_PAGES = 50;
/** How far a round looks back behind the last one's horizon, for runs that were accepted meanwhile. */
const OVERLAP_MS = 60_000;

interface UpcomingDeps {
  readonly db: UnboundDatabase;
  readonly producer: Producer;
  readonly nearHorizonMs: number;
  /** Runs of one query. */
  readonly page?: number;
  /** Pages of one round. */
  readonly maxPages?: number;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
}

/**
 * Creates the round that adds runs to the queue as delayed jobs when their time has come within the horizon.
 * It moves a window forward, so that each run is added about once; the first round of a process covers
 * everything up to the horizon.
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
  /** Where a round ended before the horizon: at its last page, or when Redis refused one. */
  let resumeAfter: RunCursor | null = null;

  /** Milliseconds from now behind which the window begins. */
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
