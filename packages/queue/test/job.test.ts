import { randomUUID } from 'node:crypto';
import type { WakeUp } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { parseJob } from '../src/index.ts';
import { jobOf } from '../src/producer.ts';

const NOW = 1_795_000_000_003;
const ids = (count: number) => Array.from({ length: count }, () => randomUUID());

describe('a job', () => {
  it('names its channel, and when its earliest run is due', () => {
    const [channel = ''] = ids(1);
    expect(parseJob({ channel })).toEqual({ channelId: channel, dueMs: null });
    expect(parseJob({ channel, due: 7 })).toEqual({ channelId: channel, dueMs: 7 });
    expect(parseJob({ channel, due: 'soon' })).toEqual({ channelId: channel, dueMs: null });
  });

  it('of an earlier release names its runs', () => {
    const runIds = ids(64);
    expect(parseJob({ runId: runIds[0] })).toEqual({ runIds: runIds.slice(0, 1) });
    expect(parseJob({ v: 2, runIds, routes: [], routeOf: [] })).toEqual({ runIds });
  });

  it.each([
    null,
    'text',
    {},
    { channel: 1 },
    { channel: 'chn-1' },
    { runId: 1 },
    { runId: 'run-1' },
    { v: 2 },
    { v: 2, runIds: [] },
    { v: 2, runIds: 'text' },
    { v: 2, runIds: ids(65) },
    { v: 2, runIds: [...ids(1), 'run-1'] },
    { v: 2, runId: ids(1)[0] },
    { v: 3, runIds: ids(1) },
  ])('is not %j', (data) => {
    expect(parseJob(data)).toBeNull();
  });
});

describe('the id of a job', () => {
  const wakeUp = (changes: Partial<WakeUp> = {}): WakeUp => ({
    channelId: randomUUID(),
    channelKind: 'webhook',
    delayMs: 0,
    ...changes,
  });

  it('is that of the channel if it has work now', () => {
    const one = wakeUp({ dueMs: 5 });
    expect(jobOf(one, NOW)).toEqual({
      id: `wake-${one.channelId}`,
      data: { channel: one.channelId, due: 5 },
      delayMs: 0,
    });
    expect(jobOf({ ...one, delayMs: -3 }, NOW + 99).id).toBe(`wake-${one.channelId}`);
  });

  it.each([
    [1, 7],
    [7, 7],
    [8, 17],
    [9_999, 10_007],
    [10_000, 10_197],
    [10_150, 10_197],
    [3_600_000, 3_600_197],
  ])(
    'of a delay of %i ms has the moment when it ends, rounded up to a delay of %i ms',
    (delayMs, rounded) => {
      const one = wakeUp({ delayMs });
      expect(jobOf(one, NOW)).toMatchObject({
        id: `wake-${one.channelId}-${NOW + rounded}`,
        delayMs: rounded,
      });
    },
  );
});
