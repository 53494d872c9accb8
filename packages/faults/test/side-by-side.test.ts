import { expect, it } from '@jest/globals';
import { createAmount } from '../src/scenarios/scenario.ts';
import { sideBySide } from '../src/side-by-side.ts';

it('works through all items, never more at once than it may', async () => {
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

it('passes a failure on when the work beside it has ended', async () => {
  const done: number[] = [];
  const work = async (item: number) => {
    if (item === 1) throw new Error('broken');
    await new Promise(setImmediate);
    done.push(item);
  };
  await expect(sideBySide([1, 2, 3], 2, work)).rejects.toThrow('broken');
  expect(done).toEqual([2, 3]);
});

it('makes the short form the least and scale 1 the whole long form', () => {
  const amounts = (scale: number) => createAmount(scale)(3, 100);
  expect([0, 0.01, 0.1, 1].map(amounts)).toEqual([3, 3, 10, 100]);
});
