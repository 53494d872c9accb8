import { expect, it } from '@postrider/testing';
import { countUp, sideBySide } from '../src/lanes.ts';

it('processes all items within the limit of concurrency', async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  await sideBySide([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    done.push(item);
  });
  expect(done.sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(3);
});

it('rejects after the concurrent work has ended', async () => {
  const done: number[] = [];
  const work = async (item: number) => {
    if (item === 1) throw new Error('broken');
    await new Promise(setImmediate);
    done.push(item);
  };
  await expect(sideBySide([1, 2, 3], 2, work)).rejects.toThrow('broken');
  expect(done).toEqual([2, 3]);
});

it('takes no more items of an endless sequence once it is over', async () => {
  const done: number[] = [];
  await sideBySide(
    countUp(Number.POSITIVE_INFINITY, () => done.length >= 5),
    2,
    async (item) => {
      await new Promise(setImmediate);
      done.push(item);
    },
  );
  expect(done.slice(0, 5)).toEqual([0, 1, 2, 3, 4]);
  expect(done.length).toBeLessThanOrEqual(6);
});
