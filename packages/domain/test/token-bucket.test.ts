import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { takeToken } from '../src/index.ts';

const NOW = Date.UTC(2026, 10, 21);

const rate = fc.record({
  requestsPerSecond: fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.constantFrom(0.1, 0.5, 3, 7, 2_999)),
  burst: fc.integer({ min: 1, max: 500 }),
});

/** Takes tokens at one moment until one is refused. */
function drain(state: number | null, nowMs: number, bucket: { requestsPerSecond: number; burst: number }) {
  let taken = 0;
  let last = takeToken(state, nowMs, bucket);
  while (last.allowed) {
    taken += 1;
    last = takeToken(last.nextState, nowMs, bucket);
  }
  return { taken, refused: last };
}

describe('the token bucket', () => {
  it('counts down, refuses and tells when to come again', () => {
    const bucket = { requestsPerSecond: 10, burst: 2 };
    const first = takeToken(null, NOW, bucket);
    expect(first).toEqual({
      allowed: true,
      nextState: NOW + 100,
      remaining: 1,
      retryAfterMs: 0,
      resetMs: 100,
    });
    const second = takeToken(first.nextState, NOW, bucket);
    expect(second).toEqual({
      allowed: true,
      nextState: NOW + 200,
      remaining: 0,
      retryAfterMs: 0,
      resetMs: 200,
    });
    const third = takeToken(second.nextState, NOW + 30, bucket);
    expect(third).toEqual({
      allowed: false,
      nextState: NOW + 200,
      remaining: 0,
      retryAfterMs: 70,
      resetMs: 170,
    });
    expect(takeToken(third.nextState, NOW + 100, bucket).allowed).toBe(true);
  });

  it('gives exactly the burst at once from a full bucket', () => {
    fc.assert(
      fc.property(rate, fc.nat(10 ** 9), (bucket, offset) => {
        expect(drain(null, NOW + offset, bucket).taken).toBe(bucket.burst);
      }),
    );
  });

  it('is honest: a token is there after retryAfterMs, and not a millisecond before', () => {
    fc.assert(
      fc.property(rate, (bucket) => {
        const { refused } = drain(null, NOW, bucket);
        expect(refused.retryAfterMs).toBeGreaterThan(0);
        expect(takeToken(refused.nextState, NOW + refused.retryAfterMs, bucket).allowed).toBe(true);
        expect(takeToken(refused.nextState, NOW + refused.retryAfterMs - 1, bucket).allowed).toBe(false);
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

  it('never gives more than the burst and what flowed back', () => {
    const gaps = fc.array(fc.nat(50), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(rate, gaps, (bucket, steps) => {
        let state: number | null = null;
        let nowMs = NOW;
        let taken = 0;
        for (const step of steps) {
          nowMs += step;
          const result = takeToken(state, nowMs, bucket);
          if (result.allowed) taken += 1;
          state = result.nextState;
        }
        const flowedBack = ((nowMs - NOW) * bucket.requestsPerSecond) / 1_000;
        // The interval is rounded to 1/4096 ms: at 5,000 a second that is up to 0.07 %.
        expect(taken).toBeLessThanOrEqual(bucket.burst + flowedBack * 1.001);
      }),
    );
  });

  it('holds the rate over a minute of steady demand', () => {
    const bucket = { requestsPerSecond: 30, burst: 5 };
    let state: number | null = null;
    let taken = 0;
    for (let ms = 0; ms < 60_000; ms += 5) {
      const result = takeToken(state, NOW + ms, bucket);
      if (result.allowed) taken += 1;
      state = result.nextState;
    }
    expect(taken).toBeGreaterThanOrEqual(30 * 60);
    expect(taken).toBeLessThanOrEqual(30 * 60 + 5);
  });

  it('does not make anybody wait longer than for an empty bucket when the clock steps back', () => {
    const bucket = { requestsPerSecond: 1, burst: 3 };
    const { refused } = drain(null, NOW, bucket);
    const afterStep = takeToken(refused.nextState, NOW - 3_600_000, bucket);
    expect(afterStep).toMatchObject({ allowed: false, retryAfterMs: 1_000, resetMs: 3_000 });
    expect(takeToken(afterStep.nextState, NOW - 3_599_000, bucket).allowed).toBe(true);
  });

  it('is left as it was by a refusal', () => {
    fc.assert(
      fc.property(rate, (bucket) => {
        const { refused } = drain(null, NOW, bucket);
        expect(takeToken(refused.nextState, NOW, bucket)).toEqual(refused);
      }),
    );
  });
});
