import { describe, expect, it } from '@postrider/testing';
import { createPlaces } from '../src/consumer.ts';

describe('places', () => {
  it('are given in order of request, and never more than the total', async () => {
    const places = createPlaces(2);
    const taken: number[] = [];
    const asked = [1, 2, 3, 4].map(async (number) => {
      if (await places.take()) taken.push(number);
    });
    await Promise.all(asked.slice(0, 2));
    expect([taken, places.free()]).toEqual([[1, 2], 0]);
    places.give();
    await asked[2];
    expect(taken).toEqual([1, 2, 3]);
    for (let given = 0; given < 3; given += 1) places.give();
    await asked[3];
    expect([taken, places.free()]).toEqual([[1, 2, 3, 4], 2]);
  });

  it('are refused to all waiters and all later callers after closing', async () => {
    const places = createPlaces(1);
    expect(await places.take()).toBe(true);
    const waiting = places.take();
    places.close();
    expect([await waiting, await places.take()]).toEqual([false, false]);
  });
});
