import { describe, expect, it } from '@postrider/testing';
import { memoryOf, parseBusy, parseStat, parseStatus, processorSeconds, ticksOfTree } from '../src/usage.ts';

/** A line as the kernel writes it, with figures at the fields that are read. */
const statLine = (name: string) =>
  `4242 (${name}) S 17 4242 4242 0 -1 4194560 9000 500 0 0 311 89 12 8 20 0 11 0 1234567 1000000 2500 184467`;

describe('the processor time of a process', () => {
  it.each(['node', 'Web Content', 'a) S 1 (b'])('is read with any program name: %s', (name) => {
    expect(parseStat(statLine(name))).toEqual({ parent: 17, own: 400, endedChildren: 20 });
  });

  it('includes descendants, also ended ones, but no other processes', () => {
    const times = new Map([
      [1, { parent: 0, own: 1_000, endedChildren: 0 }],
      [10, { parent: 1, own: 100, endedChildren: 7 }],
      [11, { parent: 10, own: 30, endedChildren: 0 }],
      [12, { parent: 11, own: 2, endedChildren: 1 }],
      [20, { parent: 1, own: 500, endedChildren: 0 }],
    ]);
    expect(ticksOfTree(10, times)).toBe(140);
    expect(ticksOfTree(99, times)).toBe(0);
  });

  it('increases with the work of this process', async () => {
    const [before = 0] = await processorSeconds([process.pid]);
    for (;;) {
      const [now = 0] = await processorSeconds([process.pid]);
      if (now > before) break;
    }
    expect(before).toBeGreaterThan(0);
  });
});

it('counts time as busy that is neither idle nor waiting for a disk', () => {
  const text = 'cpu  100 20 30 100000 5000 4 3 2 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n';
  expect(parseBusy(text)).toBe(159);
});

describe('the memory of a process', () => {
  it('is read in bytes, now and at its peak', () => {
    const text = 'Name:\tnode\nVmPeak:\t 9000 kB\nVmHWM:\t  200 kB\nVmRSS:\t  100 kB\n';
    expect(parseStatus(text)).toEqual({ now: 102_400, peak: 204_800 });
  });

  it('is available for this process', async () => {
    const { now, peak } = await memoryOf(process.pid);
    expect(now).toBeGreaterThan(1_048_576);
    expect(peak).toBeGreaterThanOrEqual(now);
  });
});
