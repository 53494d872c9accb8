import { describe, expect, it } from '@postrider/testing';
import { createSpanClock } from '../src/otlp-tracing.ts';

describe('the clock of spans', () => {
  it('is monotonic within a millisecond of the wall clock, also when that is adjusted a little', () => {
    const clocks = { wall: 1_000_000, monotonic: 5 };
    const now = createSpanClock(
      () => clocks.wall,
      () => clocks.monotonic,
    );
    expect(now()).toBe(1_000_000);
    clocks.monotonic += 0.25;
    expect(now()).toBe(1_000_000.25);
    clocks.wall -= 50;
    expect(now()).toBe(1_000_000.25);
  });

  it('follows the wall clock after the machine slept or its clock was set', () => {
    const clocks = { wall: 1_000_000, monotonic: 5 };
    const now = createSpanClock(
      () => clocks.wall,
      () => clocks.monotonic,
    );
    clocks.wall += 3_600_000;
    expect(now()).toBe(4_600_000);
    clocks.monotonic += 1;
    expect(now()).toBe(4_600_001);
  });
});
