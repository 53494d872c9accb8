import { describe, expect, it } from '@postrider/testing';
import { createAimdLimits } from '../../src/scheduler/permits.ts';

function after(outcomes: readonly boolean[], bounds = { first: 2, largest: 8 }): number {
  const limits = createAimdLimits(bounds);
  for (const succeeded of outcomes) limits.adjust('key', succeeded);
  return limits.of('key');
}

describe('a limit by additive increase and multiplicative decrease', () => {
  it.each([
    ['starts at the first limit', [], 2],
    ['grows by one with each success', [true, true], 4],
    ['does not exceed the largest', Array(20).fill(true), 8],
    ['is halved by a failure', [true, true, true, false], 2],
    ['is never below one', [false, false, false], 1],
  ])('%s', (_, outcomes, expected) => {
    expect(after(outcomes)).toBe(expected);
  });

  it('is kept for the 10,000 keys that were adjusted last', () => {
    const limits = createAimdLimits({ first: 2, largest: 8 });
    for (let key = 0; key <= 10_000; key += 1) limits.adjust(`${key}`, true);
    expect([limits.of('0'), limits.of('1'), limits.of('10000')]).toEqual([2, 3, 3]);
  });
});
