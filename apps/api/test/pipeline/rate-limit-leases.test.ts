import { setTimeout as delay } from 'node:timers/promises';
import { type BucketRate, takeTokens } from '@postrider/domain';
import { waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { createLeases, HOLD_MS, type Leases, type SharedBuckets } from '../../src/rate-limit/leases.ts';

/** The scripts of Redis over one bucket, by a clock of its own; while it is away every call rejects. */
function createStore() {
  let nowMs = 0;
  let state: number | null = null;
  let isAway = false;
  let calls = 0;
  const intervalOf = ({ requestsPerSecond }: BucketRate) =>
    Math.round((1_000 * 4_096) / requestsPerSecond) / 4_096;
  const reach = () => {
    calls += 1;
    if (isAway) throw new Error('away');
  };
  const shared: SharedBuckets = {
    async take(_bucket, rate, wanted) {
      reach();
      const taken = takeTokens(state, Math.trunc(nowMs), rate, { wanted });
      state = taken.nextState;
      return taken;
    },
    async give(_bucket, rate, count) {
      reach();
      if (state !== null) state = Math.max(nowMs, state - count * intervalOf(rate));
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

const openProcess = ({ shared, now }: ReturnType<typeof createStore>): Leases => createLeases(shared, now);

const RATE: BucketRate = { requestsPerSecond: 1_000, burst: 500 };
const MAX_LEASE = RATE.burst / 50;

type Step =
  /** `replays` of the requests give their tokens back in a later step. */
  | { kind: 'requests'; process: number; count: number; replays: number }
  | { kind: 'answer replays' }
  | { kind: 'pass'; ms: number }
  | { kind: 'give back'; process: number }
  | { kind: 'outage'; away: boolean };

const ONE = { wanted: 1 };
const PROCESSES = 3;
const process = fc.nat(PROCESSES - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('requests' as const),
      process,
      count: fc.integer({ min: 1, max: 60 }),
      replays: fc.oneof(fc.constant(0), fc.nat(60)),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'answer replays' as const }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(80) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('give back' as const), process }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('outage' as const), away: fc.boolean() }) },
);

describe('leases of rate-limit tokens', () => {
  it('never let processes together use more than the bucket and their held tokens, even during outages', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 120 }), async (steps) => {
        const store = createStore();
        const processes = Array.from({ length: PROCESSES }, () => openProcess(store));
        /** When how many tokens were used. */
        const uses: { at: number; taken: number; inProgress: number }[] = [];
        let replaysInProgress: (() => void)[] = [];
        for (const one of steps) {
          if (one.kind === 'pass') store.pass(one.ms);
          else if (one.kind === 'outage') store.setAway(one.away);
          else if (one.kind === 'give back') await processes[one.process]?.close();
          else if (one.kind === 'answer replays') {
            for (const giveBack of replaysInProgress) giveBack();
            replaysInProgress = [];
          } else {
            const inProgress = replaysInProgress.length;
            const requests = Array.from({ length: one.count }, () =>
              processes[one.process]?.take('bucket', RATE, ONE),
            );
            for (const [index, answer] of (await Promise.allSettled(requests)).entries()) {
              const tokens = answer.status === 'fulfilled' ? answer.value : undefined;
              if (!tokens?.taken) continue;
              if (index < one.replays) replaysInProgress.push(() => tokens.giveBack(1));
              else uses.push({ at: store.now(), taken: tokens.taken, inProgress });
            }
          }
        }
        for (const { at: from, inProgress } of uses) {
          for (const { at: to } of uses.slice(-1)) {
            const used = uses
              .filter(({ at }) => at >= from && at <= to)
              .reduce((sum, { taken }) => sum + taken, 0);
            const exact = RATE.burst + ((to - from) * RATE.requestsPerSecond) / 1_000;
            const held = from === 0 ? 0 : PROCESSES * MAX_LEASE;
            expect(used).toBeLessThanOrEqual(exact * 1.001 + held + inProgress);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('refuse at most the tokens that other processes hold, until those are returned', async () => {
    const store = createStore();
    const [one, two] = [openProcess(store), openProcess(store)];
    let used = 0;
    for (let count = 0; count < 100; count += 1) {
      store.pass(0.1);
      used += (await one.take('bucket', RATE, ONE)).taken;
    }
    const refusedAt = async (process: Leases) => {
      while ((await process.take('bucket', RATE, ONE)).taken === 1) used += 1;
    };
    await refusedAt(two);
    expect(used).toBeGreaterThanOrEqual(RATE.burst - MAX_LEASE);
    await one.close();
    await refusedAt(two);
    expect(used).toBe(RATE.burst + Math.floor(store.now()));
  });

  it('query the shared bucket once for many requests of a busy environment', async () => {
    const store = createStore();
    const one = openProcess(store);
    for (let count = 0; count < 400; count += 1) {
      store.pass(1);
      expect((await one.take('bucket', RATE, ONE)).taken).toBe(1);
    }
    expect(store.calls()).toBeLessThan(100);
  });

  it('query it once for concurrent requests', async () => {
    const store = createStore();
    const one = openProcess(store);
    const answers = await Promise.all(Array.from({ length: 50 }, () => one.take('bucket', RATE, ONE)));
    expect(answers.every(({ taken }) => taken === 1)).toBe(true);
    expect(store.calls()).toBeLessThanOrEqual(2);
  });

  it('keep held tokens during a query, because a waiting request needs them', async () => {
    const store = createStore();
    let answer = Promise.resolve();
    const one = createLeases(
      {
        ...store.shared,
        async take(...of) {
          await answer;
          return store.shared.take(...of);
        },
      },
      store.now,
    );
    for (let count = 0; count < 20; count += 1) {
      store.pass(0.5);
      await one.take('bucket', RATE, ONE);
    }
    // Nothing more is taken ahead of use.
    store.pass(10_000);
    let open: () => void = () => undefined;
    answer = new Promise<void>((resolve) => {
      open = resolve;
    });
    const wanted = 2 * MAX_LEASE;
    const asking = one.take('bucket', RATE, { wanted, whole: true });
    // Timers of one duration fire in their order, so that of the lease has fired then.
    await delay(HOLD_MS);
    open();
    expect((await asking).taken).toBe(wanted);
  });

  it('are single tokens of a small bucket, so that no process holds one that another could use', async () => {
    const store = createStore();
    const small: BucketRate = { requestsPerSecond: 0.001, burst: 37 };
    const processes = [openProcess(store), openProcess(store)];
    let used = 0;
    for (let count = 0; count < 60; count += 1) {
      store.pass(1);
      used += (await processes[count % 2]?.take('bucket', small, ONE))?.taken ?? 0;
    }
    expect(used).toBe(37);
  });

  it('use a returned token for the next request, and never twice', async () => {
    const store = createStore();
    const one = openProcess(store);
    const frozen: BucketRate = { requestsPerSecond: 0.001, burst: 500 };
    let used = 0;
    for (let count = 0; count < 2_000; count += 1) {
      const tokens = await one.take('bucket', frozen, ONE);
      if (count % 2 === 0) tokens.giveBack(tokens.taken);
      else used += tokens.taken;
    }
    expect(used).toBe(500);
  });

  it('end a hold in time, even if replays keep returning tokens', async () => {
    const store = createStore();
    let given = 0;
    const one = createLeases(
      {
        ...store.shared,
        async give(bucket, rate, count) {
          given += count;
          await store.shared.give(bucket, rate, count);
        },
      },
      store.now,
    );
    for (let count = 0; count < 20; count += 1) {
      store.pass(0.5);
      await one.take('bucket', RATE, ONE);
    }
    store.pass(10_000);
    const replay = async () => (await one.take('bucket', RATE, ONE)).giveBack(1);
    await replay();
    expect(given).toBe(0);
    const replays = setInterval(() => void replay(), HOLD_MS / 10);
    await waitFor('what is held to be given back', () => given > 0).finally(() => clearInterval(replays));
  });

  it('return a token of a small bucket at once', async () => {
    const store = createStore();
    const [one, two] = [openProcess(store), openProcess(store)];
    const last: BucketRate = { requestsPerSecond: 0.001, burst: 1 };
    const tokens = await one.take('bucket', last, ONE);
    expect((await two.take('bucket', last, ONE)).taken).toBe(0);
    tokens.giveBack(1);
    expect((await two.take('bucket', last, ONE)).taken).toBe(1);
  });

  it('start again when the plan changes', async () => {
    const store = createStore();
    const one = openProcess(store);
    await one.take('bucket', RATE, ONE);
    const changed = { requestsPerSecond: 10, burst: 5 };
    expect((await one.take('bucket', changed, ONE)).remaining).toBeLessThan(5);
  });
});
