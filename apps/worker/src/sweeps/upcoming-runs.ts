import { type Database, findUpcomingRuns } from '@postrider/db';
import type { Producer } from '@postrider/queue';

/** Runs of one query, unless told otherwise. */
const PAGE = 1_000;
/**
 * Pages of one round; what does not fit is added by the next round, or by the due-run sweep once it is due.
 */
const MAX_PAGES = 50;
/**
 * How far a page looks back behind the last one's end. Delays count from the time of the query, of which only
 * a little before is known here.
 */
const PAGE_OVERLAP_MS = 200;
/** How far a round looks back behind the last one's horizon, for runs that were accepted meanwhile. */
const OVERLAP_MS = 60_000;

export interface UpcomingDeps {
  readonly db: Database;
  readonly producer: Producer;
  readonly nearHorizonMs: number;
  /** Runs of one query. */
  readonly page?: number;
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
  page: perPage = PAGE,
  monotonicMs,
}: UpcomingDeps) {
  /** Up to where, in monotonic time, runs have been added. */
  let coveredUntil: number | null = null;

  /** Adds the runs due between the two and returns whether all went into the queue. */
  async function add(fromMs: number, toMs: number): Promise<boolean> {
    let from = fromMs;
    const seen = new Set<string>();
    let repeated = 0;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const queriedAt = monotonicMs();
      const runs = await findUpcomingRuns(db, { fromMs: from, toMs, perChannel: perPage, limit: perPage });
      const fresh = runs.filter(({ runId }) => !seen.has(runId));
      const { failed } = await producer.enqueue(fresh);
      if (failed > 0) return false;
      const last = runs.at(-1);
      if (!last || runs.length < perPage) return true;
      for (const { runId } of fresh) seen.add(runId);
      // More than a page for one instant comes again and again: by ever longer steps it is left behind, and what
      // was not seen of it is found when it is due.
      repeated = fresh.length > 0 ? 0 : repeated + 1;
      const stepMs = repeated === 0 ? -PAGE_OVERLAP_MS : 2 ** repeated;
      const passedMs = monotonicMs() - queriedAt;
      from = Math.max(0, last.delayMs - passedMs + stepMs);
    }
    return false;
  }

  return async (): Promise<void> => {
    const now = monotonicMs();
    const from = coveredUntil === null ? 0 : Math.max(0, coveredUntil - now - OVERLAP_MS);
    if (await add(from, nearHorizonMs)) coveredUntil = now + nearHorizonMs;
  };
}
