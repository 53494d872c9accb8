import { settlesWithin } from '@postrider/domain';
import { startLoop } from './loop.ts';

/** How long the search for work may take before the rounds that are due begin without it. */
const SEARCH_LIMIT_MS = 1_000;

interface ScheduleOptions<Name extends string> {
  /** The pause of each round after it has ended, in milliseconds. */
  readonly pauses: ReadonlyMap<Name, number>;
  /** Whether `findWork` searches for the work of a round. Of the others it always says that they have work. */
  readonly hasSearch: (name: Name) => boolean;
  /** Returns those that have work. */
  readonly findWork: (due: readonly Name[]) => Promise<readonly Name[]>;
  /** A round, which must limit its own work, and not throw. */
  readonly round: (name: Name) => Promise<void>;
  readonly onSearchError: (error: unknown) => void;
  /** A random number in [0, 1), which spreads the first rounds of many processes. */
  readonly jitter: () => number;
  readonly monotonicMs: () => number;
  readonly searchLimitMs?: number;
}

/**
 * Begins each round when its pause is over, if it has work. One search answers for all that are due at about the same time.
 * While the search fails or waits, as for a locked table, all that are due begin: each round then fails or waits alone. Rounds
 * do not wait for each other, and no round begins while the one before it is running.
 */
export function startSchedule<Name extends string>({
  pauses,
  hasSearch,
  findWork,
  round,
  onSearchError,
  jitter,
  monotonicMs,
  searchLimitMs = SEARCH_LIMIT_MS,
}: ScheduleOptions<Name>): { stop: () => Promise<void> } {
  const tickMs = Math.min(...pauses.values()) / 2;
  /** When each round is due; infinity while it runs. Those with a search begin together, so that they share it. */
  const dueAt = new Map(
    [...pauses].map(([name, pauseMs]) => [name, monotonicMs() + (hasSearch(name) ? 0 : pauseMs * jitter())]),
  );
  const pause = (name: Name) => dueAt.set(name, monotonicMs() + (pauses.get(name) ?? 0));
  const running = new Set<Promise<void>>();
  let isSearching = false;
  let isStopped = false;

  async function withWork(due: readonly Name[]): Promise<readonly Name[]> {
    let found = due;
    if (isSearching) return found;
    isSearching = true;
    const search = findWork(due)
      .then((names) => {
        found = names;
      }, onSearchError)
      .finally(() => {
        isSearching = false;
      });
    await settlesWithin([search], searchLimitMs);
    return found;
  }

  function begin(name: Name): void {
    dueAt.set(name, Number.POSITIVE_INFINITY);
    const current = round(name).finally(() => {
      pause(name);
      running.delete(current);
    });
    running.add(current);
  }

  const loop = startLoop({
    intervalMs: tickMs,
    async round() {
      // Half a tick early rather than a whole one late, so that the pauses are as long as they should be on average.
      const now = monotonicMs() + tickMs / 2;
      const due = [...dueAt].filter(([, at]) => at <= now).map(([name]) => name);
      if (due.length === 0) return;
      due.forEach(pause);
      const found = await withWork(due);
      if (!isStopped) found.forEach(begin);
    },
    onError: onSearchError,
    jitter,
  });
  return {
    /** Begins no further round, and waits for the current ones. */
    async stop() {
      isStopped = true;
      await loop.stop();
      await Promise.all(running);
    },
  };
}
