import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import { type Ask, createFairSemaphore, type Holder, type Permit } from '../src/index.ts';

const TOTAL = 12;
const PER_OWNER = 6;
const PER_PART = 4;
const MAX_WAITING = { maxWaiting: 8, maxWaitingPerOwner: 5 };

type Asked = Required<Ask>;
type Step =
  | { readonly does: 'try'; readonly asked: Asked }
  | { readonly does: 'wait'; readonly asked: Asked }
  | { readonly does: 'up to'; readonly asked: Asked; readonly most: number }
  | { readonly does: 'release'; readonly index: number }
  | { readonly does: 'abort'; readonly index: number };

const owner = fc.constantFrom('a', 'b', 'c');
const part = fc.constantFrom('1', '2', '3');

function stepsOf(maxWeight: number): fc.Arbitrary<Step[]> {
  const asked = fc.record({ owner, part, weight: fc.integer({ min: 1, max: maxWeight }) });
  const step = fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ does: fc.constantFrom('try', 'wait'), asked }),
    fc.record({ does: fc.constant('up to'), asked, most: fc.integer({ min: 0, max: 5 }) }),
    fc.record({ does: fc.constantFrom('release', 'abort'), index: fc.nat() }),
  );
  return fc.array(step, { maxLength: 60 });
}

/** Lets callers receive what they waited for. */
const received = () => new Promise((resolve) => setImmediate(resolve));

/** A semaphore, and what its callers know: what they hold, and who waits. */
function createScene(queue: { maxWaiting: number; maxWaitingPerOwner: number }) {
  const semaphore = createFairSemaphore<Asked>({
    total: TOTAL,
    perOwner: () => PER_OWNER,
    perPart: ({ part }) => (part === '1' ? 2 : PER_PART),
    ...queue,
  });
  const held: (Asked & { readonly permit: Permit })[] = [];
  const waiting: (Asked & { readonly caller: AbortController })[] = [];
  const hold = (asked: Asked, permits: readonly Permit[]) =>
    void held.push(...permits.map((permit) => ({ ...asked, permit })));
  const weightOf = (isCounted: (asked: Asked) => boolean) =>
    held.filter(isCounted).reduce((sum, { weight }) => sum + weight, 0);

  function wait(asked: Asked): void {
    const entry = { ...asked, caller: new AbortController() };
    waiting.push(entry);
    void semaphore.acquire(asked, entry.caller.signal).then((permit) => {
      waiting.splice(waiting.indexOf(entry), 1);
      if (permit) hold(asked, [permit]);
    });
  }

  async function run(step: Step): Promise<void> {
    if (step.does === 'try') {
      const permit = semaphore.tryAcquire(step.asked);
      hold(step.asked, permit ? [permit] : []);
    } else if (step.does === 'up to') {
      hold(step.asked, semaphore.acquireUpTo(step.asked, step.most));
    } else if (step.does === 'wait') {
      wait(step.asked);
    } else if (step.does === 'release') {
      const [released] = held.splice(step.index % Math.max(1, held.length), 1);
      released?.permit.release();
      released?.permit.release();
      released?.permit.add(5);
    } else {
      waiting[step.index % waiting.length]?.caller.abort();
    }
    await received();
  }

  return {
    ...{ semaphore, held, waiting, run },
    /** The room that the total, and the bounds of owner and part, leave for an ask, whatever the order. */
    roomInTotal: () => TOTAL - weightOf(() => true),
    roomInShare: (asked: Asked) =>
      Math.min(
        PER_OWNER - weightOf(({ owner }) => owner === asked.owner),
        (asked.part === '1' ? 2 : PER_PART) -
          weightOf(({ owner, part }) => owner === asked.owner && part === asked.part),
      ),
    /** Releases everything, also what those who wait get then. */
    async releaseAll() {
      while (held.length > 0) await run({ does: 'release', index: 0 });
    },
  };
}

type Scene = ReturnType<typeof createScene>;
const LONG = { maxWaiting: 100, maxWaitingPerOwner: 100 };

/** Runs random steps, and `check` after each of them. */
function afterEachStep(check: (scene: Scene) => void, { maxWeight = 2, queue = LONG } = {}): Promise<void> {
  const property = fc.asyncProperty(stepsOf(maxWeight), async (steps) => {
    const scene = createScene(queue);
    for (const step of steps) {
      await scene.run(step);
      check(scene);
    }
  });
  return fc.assert(property);
}

/** Takes the only permit, lets all asks wait, and returns them in the order in which they are served. */
async function servingOrder(asks: readonly (Required<Holder> & { readonly id: number })[]) {
  const semaphore = createFairSemaphore({ total: 1, perOwner: 1, ...LONG });
  const only = semaphore.tryAcquire({ owner: 'first' });
  const served: (typeof asks)[number][] = [];
  const all = asks.map(async (asked) => {
    const permit = await semaphore.acquire(asked);
    served.push(asked);
    permit?.release();
  });
  only?.release();
  await Promise.all(all);
  return served;
}

/** Expects that while several keys have some left, none is ahead of another by more than one. */
function expectTurns(keys: readonly string[]): void {
  const left = new Map<string, number>();
  for (const key of keys) left.set(key, (left.get(key) ?? 0) + 1);
  const served = new Map<string, number>();
  for (const key of keys) {
    served.set(key, (served.get(key) ?? 0) + 1);
    left.set(key, (left.get(key) ?? 0) - 1);
    const counts = [...left].filter(([, count]) => count > 0).map(([waiting]) => served.get(waiting) ?? 0);
    if (counts.length > 0) expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  }
}

describe('in whatever order a fair semaphore is used', () => {
  it('its permits never weigh more than the total, or than the bound of their owner or part', () =>
    afterEachStep(({ semaphore, held, roomInTotal, roomInShare }) => {
      expect(roomInTotal()).toBeGreaterThanOrEqual(0);
      for (const asked of held) expect(roomInShare(asked)).toBeGreaterThanOrEqual(0);
      expect(semaphore.free()).toBe(TOTAL - held.reduce((sum, { weight }) => sum + weight, 0));
    }));

  it('nobody waits who fits, unless behind an ask of the same owner or one that waits only for the total', () =>
    afterEachStep(({ waiting, roomInTotal, roomInShare }) => {
      const fitsShare = (asked: Asked) => roomInShare(asked) >= asked.weight;
      const fits = (asked: Asked) => fitsShare(asked) && roomInTotal() >= asked.weight;
      for (const asked of waiting.filter(fits)) {
        const others = waiting.filter((other) => !fits(other));
        expect(others.some((other) => other.owner === asked.owner || fitsShare(other))).toBe(true);
      }
    }));

  it('the line is bounded, in all and for each owner', () =>
    afterEachStep(
      ({ semaphore, waiting }) => {
        expect(semaphore.waiting()).toBe(waiting.length);
        expect(waiting.length).toBeLessThanOrEqual(MAX_WAITING.maxWaiting);
        for (const { owner } of waiting) {
          const own = waiting.filter((other) => other.owner === owner);
          expect(own.length).toBeLessThanOrEqual(MAX_WAITING.maxWaitingPerOwner);
        }
      },
      { queue: MAX_WAITING },
    ));

  it('everybody who waits is served at last, and everything is free when it was released', () =>
    fc.assert(
      fc.asyncProperty(stepsOf(2), async (steps) => {
        const { semaphore, waiting, run, releaseAll } = createScene(LONG);
        for (const step of steps) await run(step);
        await releaseAll();
        expect(waiting).toEqual([]);
        expect(semaphore.waiting()).toBe(0);
        expect(semaphore.free()).toBe(TOTAL);
      }),
    ));

  it('as many permits are given together as one after the other', () =>
    fc.assert(
      fc.asyncProperty(stepsOf(2), owner, part, async (steps, owner, part) => {
        const [together, oneByOne] = [createScene(LONG), createScene(LONG)];
        for (const step of steps) await Promise.all([together.run(step), oneByOne.run(step)]);
        const asked = { owner, part, weight: 1 };
        const given = Array.from({ length: TOTAL }, () => oneByOne.semaphore.tryAcquire(asked));
        expect(together.semaphore.canAcquire(asked)).toBe(given[0] !== null);
        const permits = together.semaphore.acquireUpTo(asked, TOTAL);
        expect(permits).toHaveLength(given.filter((permit) => permit !== null).length);
      }),
    ));

  it('owners take turns, then their parts, and each part is served in order', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.record({ owner, part }), { maxLength: 40 }), async (asks) => {
        const served = await servingOrder(asks.map((asked, id) => ({ ...asked, id })));
        expect(served).toHaveLength(asks.length);
        expectTurns(served.map((asked) => asked.owner));
        for (const one of ['a', 'b', 'c']) {
          const own = served.filter((asked) => asked.owner === one);
          expectTurns(own.map((asked) => asked.part));
          for (const two of ['1', '2', '3']) {
            const ids = own.filter((asked) => asked.part === two).map(({ id }) => id);
            expect(ids).toEqual([...ids].sort((a, b) => a - b));
          }
        }
      }),
    ));

  it('a heavy ask is served before every lighter one of others that came later', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 6 }),
        async (before, after) => {
          const semaphore = createFairSemaphore({ total: 6, perOwner: 6, ...LONG });
          const held = before.map((weight, index) =>
            semaphore.tryAcquire({ owner: `before ${index}`, weight }),
          );
          const served: string[] = [];
          const wait = async (owner: string, weight: number) => {
            const permit = await semaphore.acquire({ owner, weight });
            served.push(owner);
            permit?.release();
          };
          const all = [wait('heavy', 6), ...after.map((weight, index) => wait(`after ${index}`, weight))];
          expect(semaphore.tryAcquire({ owner: 'last', weight: 1 })).toBeNull();
          for (const permit of held) permit?.release();
          await Promise.all(all);
          expect(served[0]).toBe('heavy');
        },
      ),
    ));
});
