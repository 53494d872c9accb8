import { type BucketRate, takeTokens, tokenInterval } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { createTakeShared, type SharedBuckets } from '../../src/rate-limit/shared-buckets.ts';

/** The scripts of Redis over one bucket, by a clock of its own; while it is away every call rejects. */
function createStore() {
  let nowMs = 0;
  let state: number | null = null;
  let isAway = false;
  let calls = 0;
  const reach = () => {
    calls += 1;
    if (isAway) throw new Error('away');
  };
  const shared: SharedBuckets = {
    async take(_bucket, rate, wanted) {
      reach();
      const { nextState, ...taken } = takeTokens(state, Math.trunc(nowMs), rate, { wanted });
      state = nextState;
      return taken;
    },
    async give(_bucket, rate, count) {
      reach();
      if (state !== null) state = Math.max(nowMs, state - count * tokenInterval(rate));
    },
  };
  return {
    shared,
    now: () => nowMs,
    pass: (ms: number) => {
      nowMs += ms;
    },
    setAway: (away: boolean) => {
      isAway = away;
    },
    calls: () => calls,
  };
}

const RATE: BucketRate = { requestsPerSecond: 100, burst: 200 };
/** So slow that nothing comes back while a test runs. */
const slow = (burst: number): BucketRate => ({ requestsPerSecond: 0.001, burst });
const ONE = { wanted: 1 };

type Step =
  /** `replays` of the requests give their tokens back in a later step. */
  | { kind: 'requests'; process: number; count: number; replays: number }
  | { kind: 'answer replays' }
  | { kind: 'pass'; ms: number }
  | { kind: 'outage'; away: boolean };

const PROCESSES = 3;
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('requests' as const),
      process: fc.nat(PROCESSES - 1),
      count: fc.integer({ min: 1, max: 60 }),
      replays: fc.oneof(fc.constant(0), fc.nat(60)),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'answer replays' as const }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(80) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('outage' as const), away: fc.boolean() }) },
);

describe('a shared bucket', () => {
  it('never lets processes together use more than it has, even during outages', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 120 }), async (steps) => {
        const store = createStore();
        const processes = Array.from({ length: PROCESSES }, () => createTakeShared(store.shared));
        /** When each token was used, and how many replays were in progress. */
        const uses: { at: number; inProgress: number }[] = [];
        let replaysInProgress: (() => void)[] = [];
        for (const one of steps) {
          if (one.kind === 'pass') store.pass(one.ms);
          else if (one.kind === 'outage') store.setAway(one.away);
          else if (one.kind === 'answer replays') {
            for (const giveBack of replaysInProgress) giveBack();
            replaysInProgress = [];
          } else {
            const inProgress = replaysInProgress.length;
            const requests = Array.from({ length: one.count }, () =>
              processes[one.process]?.('bucket', RATE, ONE),
            );
            for (const [index, answer] of (await Promise.allSettled(requests)).entries()) {
              const tokens = answer.status === 'fulfilled' ? answer.value : undefined;
              if (!tokens?.taken) continue;
              if (index < one.replays) replaysInProgress.push(() => tokens.giveBack(1));
              else uses.push({ at: store.now(), inProgress });
            }
          }
        }
        for (const { at: from, inProgress } of uses) {
          for (const { at: to } of uses.slice(-1)) {
            const used = uses.filter(({ at }) => at >= from && at <= to).length;
            const exact = RATE.burst + ((to - from) * RATE.requestsPerSecond) / 1_000;
            expect(used).toBeLessThanOrEqual(exact * 1.001 + inProgress);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('is asked once for the requests of a turn of the event loop', async () => {
    const store = createStore();
    const take = createTakeShared(store.shared);
    const answers = await Promise.all(Array.from({ length: 50 }, () => take('bucket', slow(40), ONE)));
    expect(answers.map(({ taken }) => taken)).toEqual([...Array(40).fill(1), ...Array(10).fill(0)]);
    expect(answers.map(({ remaining }) => remaining).slice(0, 40)).toEqual(
      Array.from({ length: 40 }, (_, index) => 39 - index),
    );
    expect(store.calls()).toBe(1);
  });

  it('gives a whole request all of its tokens or none, and leaves these to others', async () => {
    const store = createStore();
    const take = createTakeShared(store.shared);
    const rate = { requestsPerSecond: 1, burst: 10 };
    const first = take('bucket', rate, { wanted: 4 });
    const whole = take('bucket', rate, { wanted: 8, whole: true });
    const part = take('bucket', rate, { wanted: 3 });
    expect((await first).taken).toBe(4);
    expect(await whole).toMatchObject({ taken: 0, retryAfterMs: 2_000 });
    expect((await part).taken).toBe(3);
    expect((await take('bucket', rate, { wanted: 9 })).taken).toBe(3);
  });

  it('gets back the tokens of a replay at once', async () => {
    const store = createStore();
    const [one, two] = [createTakeShared(store.shared), createTakeShared(store.shared)];
    const tokens = await one('bucket', slow(1), ONE);
    expect((await two('bucket', slow(1), ONE)).taken).toBe(0);
    tokens.giveBack(1);
    expect((await two('bucket', slow(1), ONE)).taken).toBe(1);
  });

  it('has the rate of the newest request after a change of the plan', async () => {
    const store = createStore();
    const take = createTakeShared(store.shared);
    await take('bucket', RATE, ONE);
    expect((await take('bucket', { requestsPerSecond: 10, burst: 5 }, ONE)).remaining).toBeLessThan(5);
  });
});
