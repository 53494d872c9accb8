import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { takeTokens } from '../src/index.ts';

const NOW = Date.UTC(2026, 10, 21);

const rate = fc.record({
  requestsPerSecond: fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.constantFrom(0.1, 0.5, 3, 7, 2_999)),
  burst: fc.integer({ min: 1, max: 500 }),
});

/** Takes tokens at one moment until one is refused. */
function drain(state: number | null, nowMs: number, bucket: { requestsPerSecond: number; burst: number }) {
  let taken = 0;
  let last = takeTokens(state, nowMs, bucket);
  while (last.taken > 0) {
    taken += 1;
    last = takeTokens(last.nextState, nowMs, bucket);
  }
  return { taken, refused: last };
}

describe('the token bucket', () => {
  it('counts down, refuses and says when to retry', () => {
    const bucket = { requestsPerSecond: 10, burst: 2 };
    const first = takeTokens(null, NOW, bucket);
    expect(first).toEqual({
      taken: 1,
      nextState: NOW + 100,
      remaining: 1,
      retryAfterMs: 0,
      resetMs: 100,
    });
    const second = takeTokens(first.nextState, NOW, bucket);
    expect(second).toEqual({
      taken: 1,
      nextState: NOW + 200,
      remaining: 0,
      retryAfterMs: 0,
      resetMs: 200,
    });
    const third = takeTokens(second.nextState, NOW + 30, bucket);
    expect(third).toEqual({
      taken: 0,
      nextState: NOW + 200,
      remaining: 0,
      retryAfterMs: 70,
      resetMs: 170,
    });
    expect(takeTokens(third.nextState, NOW + 100, bucket).taken).toBe(1);
  });

  it('gives exactly the burst at once from a full bucket', () => {
    fc.assert(
      fc.property(rate, fc.nat(10 ** 9), (bucket, offset) => {
        expect(drain(null, NOW + offset, bucket).taken).toBe(bucket.burst);
      }),
    );
  });

  it('gives several tokens at once exactly like one at a time', () => {
    fc.assert(
      fc.property(rate, fc.nat(40), fc.nat(5_000), (bucket, wanted, later) => {
        const start = drain(null, NOW, bucket).refused.nextState;
        let single: number = start;
        let taken = 0;
        for (let count = 0; count < wanted; count += 1) {
          const one = takeTokens(single, NOW + later, bucket);
          single = one.nextState;
          taken += one.taken;
        }
        const together = takeTokens(start, NOW + later, bucket, { wanted });
        expect(together.taken).toBe(taken);
        if (taken > 0) expect(together.nextState).toBe(single);
      }),
    );
  });

  it('takes all tokens of a whole request or none, and says when all are available', () => {
    fc.assert(
      fc.property(rate, fc.integer({ min: 1, max: 40 }), (bucket, wanted) => {
        fc.pre(wanted <= bucket.burst);
        const { refused } = drain(null, NOW, bucket);
        const none = takeTokens(refused.nextState, NOW, bucket, { wanted, whole: true });
        expect(none).toMatchObject({ taken: 0, nextState: refused.nextState });
        const at = (ms: number) =>
          takeTokens(none.nextState, NOW + ms, bucket, { wanted, whole: true }).taken;
        expect(at(none.retryAfterMs)).toBe(wanted);
        expect(at(none.retryAfterMs - 1)).toBe(0);
      }),
    );
  });

  it('has a token after retryAfterMs, and not a millisecond earlier', () => {
    fc.assert(
      fc.property(rate, (bucket) => {
        const { refused } = drain(null, NOW, bucket);
        expect(refused.retryAfterMs).toBeGreaterThan(0);
        expect(takeTokens(refused.nextState, NOW + refused.retryAfterMs, bucket).taken).toBe(1);
        expect(takeTokens(refused.nextState, NOW + refused.retryAfterMs - 1, bucket).taken).toBe(0);
      }),
    );
  });

  it('is full again after resetMs', () => {
    fc.assert(
      fc.property(rate, (bucket) => {
        const { refused } = drain(null, NOW, bucket);
        expect(drain(refused.nextState, NOW + refused.resetMs, bucket).taken).toBe(bucket.burst);
      }),
    );
  });

  it('never gives more than the burst plus the added tokens', () => {
    const gaps = fc.array(fc.nat(50), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(rate, gaps, (bucket, steps) => {
        let state: number | null = null;
        let nowMs = NOW;
        let taken = 0;
        for (const step of steps) {
          nowMs += step;
          const result = takeTokens(state, nowMs, bucket);
          taken += result.taken;
          state = result.nextState;
        }
        const flowedBack = ((nowMs - NOW) * bucket.requestsPerSecond) / 1_000;
        // The interval is rounded to 1/4096 ms: at 5,000 a second that is up to 0.07 %.
        expect(taken).toBeLessThanOrEqual(bucket.burst + flowedBack * 1.001);
      }),
    );
  });

  it('keeps the rate over a minute of steady demand', () => {
    const bucket = { requestsPerSecond: 30, burst: 5 };
    let state: number | null = null;
    let taken = 0;
    for (let ms = 0; ms < 60_000; ms += 5) {
      const result = takeTokens(state, NOW + ms, bucket);
      taken += result.taken;
      state = result.nextState;
    }
    expect(taken).toBeGreaterThanOrEqual(30 * 60);
    expect(taken).toBeLessThanOrEqual(30 * 60 + 5);
  });

  it('makes nobody wait longer than for an empty bucket when the clock steps back', () => {
    const bucket = { requestsPerSecond: 1, burst: 3 };
    const { refused } = drain(null, NOW, bucket);
    const afterStep = takeTokens(refused.nextState, NOW - 3_600_000, bucket);
    expect(afterStep).toMatchObject({ taken: 0, retryAfterMs: 1_000, resetMs: 3_000 });
    expect(takeTokens(afterStep.nextState, NOW - 3_599_000, bucket).taken).toBe(1);
  });

  it('is not changed by a refusal', () => {
    fc.assert(
      fc.property(rate, (bucket) => {
        const { refused } = drain(null, NOW, bucket);
        expect(takeTokens(refused.nextState, NOW, bucket)).toEqual(refused);
      }),
    );
  });
});
