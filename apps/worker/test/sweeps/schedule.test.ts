import { waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { startSchedule } from '../../src/sweeps/schedule.ts';
import { createGate } from '../scheduler/support.ts';

/** Schedules `fast` and `slow`, and counts their rounds and the searches. */
function start({
  findWork,
  searchLimitMs,
  round = async () => undefined,
}: {
  findWork: (due: readonly string[]) => Promise<readonly string[]>;
  searchLimitMs?: number;
  round?: (name: string) => Promise<void>;
}) {
  const counts = { fast: 0, slow: 0, searches: 0, errors: 0 };
  const schedule = startSchedule<'fast' | 'slow'>({
    pauses: new Map([
      ['fast', 4],
      ['slow', 8],
    ]),
    hasSearch: () => true,
    findWork: (due) => {
      counts.searches += 1;
      return findWork(due) as Promise<readonly ('fast' | 'slow')[]>;
    },
    round: async (name) => {
      counts[name] += 1;
      await round(name);
    },
    onSearchError: () => {
      counts.errors += 1;
    },
    jitter: () => 0,
    monotonicMs: () => performance.now(),
    ...(searchLimitMs !== undefined && { searchLimitMs }),
  });
  return { counts, schedule };
}

describe('a schedule of rounds', () => {
  it('begins only rounds that have work, and one search answers for all that are due', async () => {
    const asked: string[][] = [];
    const { counts, schedule } = start({
      findWork: async (due) => {
        asked.push([...due]);
        return due.filter((name) => name === 'slow');
      },
    });
    await waitFor('some rounds', () => counts.slow >= 3);
    await schedule.stop();
    expect(counts.fast).toBe(0);
    expect(asked[0]).toEqual(['fast', 'slow']);
  });

  it('begins all that are due while a search gets no answer, and sends no second search', async () => {
    const answer = createGate<readonly string[]>();
    const { counts, schedule } = start({ findWork: () => answer.opened, searchLimitMs: 5 });
    await waitFor('rounds of both', () => counts.fast >= 3 && counts.slow >= 3);
    expect(counts.searches).toBe(1);
    answer.open([]);
    await schedule.stop();
  });

  it('begins all that are due while the search fails, and reports each failure once', async () => {
    const { counts, schedule } = start({ findWork: () => Promise.reject(new Error('no')) });
    await waitFor('rounds of both', () => counts.fast >= 3 && counts.slow >= 3);
    await schedule.stop();
    expect(counts.errors).toBe(counts.searches);
  });

  it('begins no round after it was stopped during a search', async () => {
    const answer = createGate<readonly string[]>();
    const { counts, schedule } = start({ findWork: () => answer.opened, searchLimitMs: 60_000 });
    await waitFor('a search', () => counts.searches === 1);
    const stopped = schedule.stop();
    answer.open(['fast', 'slow']);
    await stopped;
    expect([counts.fast, counts.slow]).toEqual([0, 0]);
  });

  it('never runs two rounds of the same name at once, and waits for those that run when it is stopped', async () => {
    const running = new Map<string, number>();
    let most = 0;
    const { counts, schedule } = start({
      findWork: async (due) => due,
      round: async (name) => {
        running.set(name, (running.get(name) ?? 0) + 1);
        most = Math.max(most, running.get(name) ?? 0);
        await new Promise((resolve) => setTimeout(resolve, 12));
        running.set(name, (running.get(name) ?? 0) - 1);
      },
    });
    await waitFor('some rounds', () => counts.fast >= 4);
    await schedule.stop();
    expect(most).toBe(1);
    expect([...running.values()]).toEqual([0, 0]);
  });
});
