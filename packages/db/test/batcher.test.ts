import { createRandom } from '@postrider/rig';
import { createLatch, describe, expect, it } from '@postrider/testing';
import { createBatcher } from '../src/batcher.ts';
import { isDatabaseUnreachable } from '../src/client.ts';

/** Ends pauses when the test says so. */
function manualPauses() {
  const begun: { end: () => void; ms: number }[] = [];
  return {
    wait: (end: () => void, ms: number) => void begun.push({ end, ms }),
    begun: () => begun.length,
    lengths: () => begun.map(({ ms }) => ms),
    /** Ends the pause that began as number `index`. */
    end: (index: number) => begun[index]?.end(),
  };
}

/** Items that were pushed have been taken, if they may be. */
const aTurn = () => new Promise(setImmediate);

const settings = { maxItems: 3, maxInFlight: 1, isItemError: () => true };

describe('batcher', () => {
  it('coalesces concurrent items in order, up to the largest batch', async () => {
    const batches: number[][] = [];
    const run = createBatcher<number, number>(async (items) => {
      batches.push([...items]);
      return items.map((item) => item * 10);
    }, settings);
    const results = await Promise.all([1, 2, 3, 4, 5].map(run));
    expect(results).toEqual([10, 20, 30, 40, 50]);
    expect(batches).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  it('reports each batch, including failed ones', async () => {
    const sizes: number[] = [];
    const run = createBatcher<number, number>(
      async (items) => {
        if (items.includes(0)) throw new Error('spoiled');
        return items;
      },
      { ...settings, onBatch: (items) => sizes.push(items) },
    );
    await Promise.allSettled([1, 0].map(run));
    expect(sizes).toEqual([2, 1, 1]);
  });

  it('forms the next batch from items that arrive while one is in flight', async () => {
    const batches: string[][] = [];
    const { opened: firstIsHeld, open: release } = createLatch();
    const run = createBatcher<string, string>(async (items) => {
      batches.push([...items]);
      if (batches.length === 1) await firstIsHeld;
      return items;
    }, settings);
    const first = run('a');
    await new Promise(setImmediate);
    const others = [run('b'), run('c')];
    release();
    await Promise.all([first, ...others]);
    expect(batches).toEqual([['a'], ['b', 'c']]);
  });

  it('repeats a failed batch item by item, so that only the faulty item fails', async () => {
    const run = createBatcher<number, number>(async (items) => {
      if (items.includes(2)) throw new Error('two');
      return items;
    }, settings);
    const results = await Promise.allSettled([1, 2, 3].map(run));
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('rejects every item once if no single item is the cause', async () => {
    let calls = 0;
    const run = createBatcher<number, number>(
      async () => {
        calls += 1;
        throw new Error('away');
      },
      { ...settings, isItemError: () => false },
    );
    const results = await Promise.allSettled([1, 2, 3].map(run));
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(calls).toBe(1);
  });

  it('continues with the next batch after a failure', async () => {
    const run = createBatcher<number, number>(async (items) => {
      if (items.includes(1)) throw new Error('one');
      return items;
    }, settings);
    await expect(run(1)).rejects.toThrow('one');
    await expect(run(2)).resolves.toBe(2);
  });

  it('splits a batch by group only, if a group is the cause', async () => {
    const batches: string[][] = [];
    const run = createBatcher<string, string>(
      async (items) => {
        batches.push([...items]);
        if (items.some((item) => item.startsWith('a'))) throw new Error('a');
        return items;
      },
      {
        ...settings,
        maxItems: 4,
        isItemError: () => false,
        groupOf: (item) => item.charAt(0),
        isGroupError: () => true,
      },
    );
    const results = await Promise.allSettled(['a1', 'b1', 'a2', 'b2'].map(run));
    expect(results.map((result) => result.status)).toEqual([
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(batches).toEqual([
      ['a1', 'b1', 'a2', 'b2'],
      ['a1', 'a2'],
      ['b1', 'b2'],
    ]);
  });

  it('limits batches by bytes, and rejects items above the limit of waiting bytes', async () => {
    const megabytes: number[] = [];
    const run = createBatcher<number, number>(
      async (items) => {
        megabytes.push(items.reduce((sum, item) => sum + item, 0));
        return items;
      },
      { ...settings, maxItems: 100, sizeOf: (item) => item * 1_048_576 },
    );
    const results = await Promise.allSettled([3, 3, 1, 9, ...Array<number>(60).fill(1)].map(run));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(12);
    expect(refused.every(({ reason }) => isDatabaseUnreachable(reason))).toBe(true);
    expect(megabytes.slice(0, 4)).toEqual([3, 4, 9, 4]);
  });

  describe('with a linger', () => {
    const ENOUGH = 6;
    const URGENT = 1_000_000;

    function lingering({ maxItems = 100, ms = 20 } = {}) {
      const batches: number[][] = [];
      const pauses = manualPauses();
      const run = createBatcher<number, number>(
        async (items) => {
          batches.push([...items]);
          if (items.includes(-1)) throw new Error('spoiled');
          return items;
        },
        {
          ...settings,
          maxItems,
          isItemError: () => false,
          linger: { ms, enoughItems: ENOUGH, isUrgent: (item) => item >= URGENT, wait: pauses.wait },
        },
      );
      return { run, batches, pauses };
    }

    it('runs an item at once when idle, and after batches of a few', async () => {
      const { run, batches, pauses } = lingering();
      await run(1);
      await Promise.all([2, 3, 4].map(run));
      await run(5);
      expect(batches).toEqual([[1], [2, 3, 4], [5]]);
      expect(pauses.begun()).toBe(0);
    });

    it('lets what arrives after a batch of several wait for more until the pause is over', async () => {
      const { run, batches, pauses } = lingering({ ms: 7 });
      await Promise.all([1, 2, 3, 4].map(run));
      const fifth = run(5);
      await aTurn();
      const sixth = run(6);
      await aTurn();
      expect(batches).toHaveLength(1);
      expect(pauses.lengths()).toEqual([7]);
      pauses.end(0);
      await Promise.all([fifth, sixth]);
      expect(batches[1]).toEqual([5, 6]);
    });

    it('ends the pause as soon as enough items wait, and that pause ends no later one', async () => {
      const { run, batches, pauses } = lingering();
      await Promise.all([1, 2, 3, 4].map(run));
      await Promise.all([5, 6, 7, 8, 9, 10].map(run));
      expect(batches[1]).toHaveLength(ENOUGH);
      const last = run(11);
      pauses.end(0);
      await aTurn();
      expect(batches).toHaveLength(2);
      pauses.end(1);
      await last;
      expect(batches[2]).toEqual([11]);
    });

    it('ends the pause for an urgent item, which takes those that wait with it', async () => {
      const { run, batches } = lingering();
      await Promise.all([1, 2, 3, 4].map(run));
      await Promise.all([5, URGENT].map(run));
      expect(batches[1]).toEqual([5, URGENT]);
    });

    it('begins no pause while an urgent item waits', async () => {
      const { run, batches } = lingering({ maxItems: 4 });
      await Promise.all([1, 2, 3, 4, 5, URGENT].map(run));
      expect(batches[1]).toEqual([5, URGENT]);
    });

    it('takes a full batch as enough', async () => {
      const { run, batches } = lingering({ maxItems: 4 });
      await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(run));
      expect(batches).toEqual([
        [1, 2, 3, 4],
        [5, 6, 7, 8],
      ]);
    });

    it('runs an item at once again after a pause in which nothing came', async () => {
      const { run, batches, pauses } = lingering();
      await Promise.all([1, 2, 3, 4].map(run));
      pauses.end(0);
      await run(5);
      expect(batches).toHaveLength(2);
    });

    it('pauses after a batch that failed, too', async () => {
      const { run, batches, pauses } = lingering();
      await Promise.allSettled([1, 2, 3, -1].map(run));
      const next = run(5);
      await aTurn();
      expect(batches).toHaveLength(1);
      pauses.end(0);
      await next;
    });

    it('answers every item once, in its turn, whatever arrives and whenever pauses end', async () => {
      const random = createRandom(20261122);
      const { run, batches, pauses } = lingering({ maxItems: 9 });
      const answers: Promise<number>[] = [];
      for (let step = 0; step < 400; step += 1) {
        for (let left = random.between(0, 4); left > 0; left -= 1) answers.push(run(answers.length));
        if (random.next() < 0.5) await aTurn();
        if (random.next() < 0.5) pauses.end(pauses.begun() - 1);
      }
      for (let ended = -1; ended < pauses.begun(); await aTurn()) {
        ended = pauses.begun();
        pauses.end(ended - 1);
      }
      const items = answers.map((_, index) => index);
      expect(await Promise.all(answers)).toEqual(items);
      expect(batches.flat()).toEqual(items);
      expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(9);
    });
  });
});
