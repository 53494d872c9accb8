import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { afterClaim, expectedAtMs, MAX_PER_SECOND, RATE_TOLERANCE_MS, runsAllowed } from '../../src/index.ts';

const NOTHING = {
  maxPerSecond: null,
  maxInFlight: null,
  rateState: null,
  inFlight: 0,
  nowMs: 1_800_000_000_000,
};

/** The start times of runs if a worker claims `wanted` runs at each of these times. */
function begin(maxPerSecond: number, asks: readonly { afterMs: number; wanted: number }[]): number[] {
  const begun: number[] = [];
  let state = { ...NOTHING, maxPerSecond, rateState: null as number | null };
  for (const { afterMs, wanted } of asks) {
    state = { ...state, nowMs: state.nowMs + afterMs };
    const claimed = runsAllowed(state, wanted);
    begun.push(...Array.from({ length: claimed }, () => state.nowMs));
    state = { ...state, rateState: afterClaim(state, claimed).rateState };
  }
  return begun;
}

/** The most starts in any span of `spanMs`, both ends included. */
function mostIn(times: readonly number[], spanMs: number): number {
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at <= from + spanMs).length));
}

describe('the limits of a channel', () => {
  it('never start more than max_per_second * (s + 0.1) + 1 runs in s seconds', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.double({ min: MAX_PER_SECOND.least, max: 20, noNaN: true }),
          fc.integer({ min: 1, max: 10_000 }),
        ),
        fc.array(fc.record({ afterMs: fc.nat(400), wanted: fc.integer({ min: 0, max: 200 }) }), {
          maxLength: 60,
        }),
        fc.constantFrom(1_000, 100, 5_000),
        (rate, asks, spanMs) => {
          const most = (rate * (spanMs + RATE_TOLERANCE_MS)) / 1_000 + 1;
          expect(mostIn(begin(rate, asks), spanMs)).toBeLessThanOrEqual(most);
        },
      ),
    );
  });

  it('reach the rate in the long run, even if each claim is late', () => {
    const late = Array.from({ length: 1_000 }, (_none, n) => ({ afterMs: 60 + ((n * 7) % 35), wanted: 200 }));
    const seconds = late.reduce((sum, { afterMs }) => sum + afterMs, 0) / 1_000;
    for (const rate of [10, 100, 1_000]) {
      expect(begin(rate, late).length).toBeGreaterThanOrEqual(Math.floor(rate * seconds * 0.99));
    }
  });

  it('tell exactly when the next run may start', () => {
    const state = { ...NOTHING, maxPerSecond: 0.5 };
    const { rateState, nextInMs } = afterClaim(state, runsAllowed(state, 10));
    expect(nextInMs).toBeGreaterThan(1_850);
    expect(nextInMs).toBeLessThanOrEqual(2_000);
    const at = (ms: number) => runsAllowed({ ...state, rateState, nowMs: state.nowMs + ms }, 10);
    expect([at(nextInMs - 2), at(nextInMs)]).toEqual([0, 1]);
    expect(expectedAtMs({ ...state, rateState }, 3)).toBe(state.nowMs + 1_900 + 6_000);
  });

  it('count open attempts, and ignore the waiting time of an old, slower rate', () => {
    const both = { ...NOTHING, maxPerSecond: 100, maxInFlight: 3 };
    expect(runsAllowed({ ...both, inFlight: 1 }, 50)).toBe(2);
    expect(runsAllowed({ ...both, inFlight: 5 }, 50)).toBe(0);
    expect(runsAllowed(NOTHING, 50)).toBe(50);
    const slow = { ...NOTHING, maxPerSecond: 0.01 };
    const { rateState } = afterClaim(slow, 1);
    expect(afterClaim({ ...slow, maxPerSecond: 10, rateState }, 0).nextInMs).toBeLessThanOrEqual(200);
  });
});
