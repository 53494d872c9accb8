import { describe, expect, it } from '@postrider/testing';
import { probeDelayMs } from '../../src/index.ts';

const MINUTE = 60_000;

describe('the delay of probes', () => {
  it('is a minute for an hour, and then grows from five minutes to six hours', () => {
    const delays = Array.from({ length: 70 }, (_, probes) => probeDelayMs(probes) / MINUTE);
    expect(delays.slice(0, 60)).toEqual(Array(60).fill(1));
    expect(delays.slice(60)).toEqual([5, 10, 20, 40, 80, 160, 320, 360, 360, 360]);
    expect(probeDelayMs(100_000)).toBe(360 * MINUTE);
  });
});
