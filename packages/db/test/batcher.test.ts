import { describe, expect, it } from '@postrider/testing';
import { createBatcher } from '../src/batcher.ts';
import { isDatabaseUnreachable } from '../src/client.ts';

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
    let release: () => void = () => undefined;
    const firstIsHeld = new Promise<void>((resolve) => {
      release = resolve;
    });
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
});
