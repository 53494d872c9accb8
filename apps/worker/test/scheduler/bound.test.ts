import { createRandom } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { createBound } from '../../src/scheduler/claim-batching.ts';

const NOW = 1_795_000_000_000;

/** A bound after a complete claim at `NOW` that found everything until then and took all. */
function known() {
  const bound = createBound();
  expect(bound.since(0)).toBeNull();
  bound.searched({ since: null, tookAll: true, until: NOW, atMs: 0, tookMs: 1 });
  return bound;
}

describe('the bound of a channel', () => {
  it('is the time up to which everything has been taken', () => {
    const bound = known();
    expect(bound.since(10)).toBe(NOW);
    bound.searched({ since: NOW, tookAll: true, until: NOW + 40, atMs: 50, tookMs: 1 });
    expect(bound.since(60)).toBe(NOW + 40);
  });

  it('does not advance past runs that were read but not taken', () => {
    const bound = known();
    expect(bound.since(10)).toBe(NOW);
    bound.searched({ since: NOW, tookAll: false, until: NOW + 40, atMs: 50, tookMs: 1 });
    expect(bound.since(60)).toBe(NOW);
  });

  it('is given up by a complete search that did not take all, because what it left can be due before', () => {
    const bound = known();
    expect(bound.since(1_000)).toBeNull();
    bound.searched({ since: null, tookAll: false, until: NOW - 5_000, atMs: 1_000, tookMs: 1 });
    expect(bound.since(1_010)).toBeNull();
  });

  it('is given up after a second, or twenty times the duration of a complete search', () => {
    expect(known().since(999)).toBe(NOW);
    expect(known().since(1_000)).toBeNull();
    const slow = createBound();
    slow.since(0);
    slow.searched({ since: null, tookAll: true, until: NOW, atMs: 200, tookMs: 200 });
    expect(slow.since(4_199)).toBe(NOW);
    expect(slow.since(4_200)).toBeNull();
  });

  it('is given up after five seconds, however slow a complete search is', () => {
    const bound = createBound();
    bound.since(0);
    bound.searched({ since: null, tookAll: true, until: NOW, atMs: 3_000, tookMs: 3_000 });
    expect(bound.since(7_999)).toBe(NOW);
    expect(bound.since(8_000)).toBeNull();
  });

  it('moves back for a run that is due before, and is given up for runs that may have been due for long', () => {
    const bound = known();
    bound.moveBack(NOW + 5_000);
    expect(bound.since(10)).toBe(NOW);
    bound.moveBack(NOW - 30);
    expect(bound.since(10)).toBe(NOW - 80);
    bound.moveBack(null);
    expect(bound.since(10)).toBeNull();
  });

  it('does not advance if a wake-up came during the claim', () => {
    const bound = known();
    expect(bound.since(10)).toBe(NOW);
    bound.moveBack(NOW - 30);
    bound.searched({ since: NOW, tookAll: true, until: NOW + 40, atMs: 50, tookMs: 1 });
    expect(bound.since(60)).toBe(NOW - 80);
  });

  it('is given up if the clock of the database was set back', () => {
    const bound = known();
    expect(bound.since(10)).toBe(NOW);
    bound.searched({ since: NOW, tookAll: true, until: NOW - 3_600_000, atMs: 50, tookMs: 1 });
    expect(bound.since(60)).toBeNull();
  });
});

/** Claims of a busy channel: one every 20 ms, of 5 runs, of which a third read two more. */
const CLAIM = { everyMs: 20, slots: 5, ahead: 2 };

/** Runs that are committed within 5 s, due up to 15 s before, and whose wake-ups may be ignored or lost. */
function randomRuns(seed: number) {
  const random = createRandom(seed);
  return Array.from({ length: random.between(0, 100) }, () => {
    const atMs = random.between(0, 5_000);
    return { atMs, due: NOW + atMs - random.between(0, 15_000), isWoken: random.next() < 0.5 };
  });
}

/** How long each of the runs waited, in milliseconds, while the channel was claimed with a bound. */
function claimAll(runs: ReturnType<typeof randomRuns>): number[] {
  const bound = createBound();
  const waiting = [...runs];
  const waited: number[] = [];
  for (let now = 0; now <= 8_000; now += CLAIM.everyMs) {
    for (const { atMs, isWoken, due } of waiting) {
      if (isWoken && atMs > now - CLAIM.everyMs && atMs <= now) bound.moveBack(due);
    }
    const since = bound.since(now);
    const look = CLAIM.slots + (now % 3 === 0 ? CLAIM.ahead : 0);
    const found = waiting
      .filter(({ atMs, due }) => atMs <= now && (since === null || due >= since))
      .sort((one, other) => one.due - other.due)
      .slice(0, look);
    for (const run of found.slice(0, CLAIM.slots)) {
      waited.push(now - run.atMs);
      waiting.splice(waiting.indexOf(run), 1);
    }
    const until = found.length === look ? (found.at(-1)?.due ?? 0) : NOW + now;
    bound.searched({ since, tookAll: found.length <= CLAIM.slots, until, atMs: now, tookMs: 1 });
  }
  return waited;
}

it('a run of a busy channel is claimed within a second, however late it was committed, also without a wake-up', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const runs = randomRuns(seed);
    const waited = claimAll(runs);
    const backlogMs = (CLAIM.everyMs * runs.length) / CLAIM.slots;
    expect({ seed, claimed: waited.length }).toEqual({ seed, claimed: runs.length });
    expect(Math.max(0, ...waited)).toBeLessThanOrEqual(1_000 + 2 * CLAIM.everyMs + backlogMs);
  }
});
