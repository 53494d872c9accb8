import { randomUUID } from 'node:crypto';
import type { WakeUp } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { parseJob } from '../src/index.ts';
import { jobsOf } from '../src/job.ts';

const NOW = 1_795_000_000_003;
const SHARING = { nowMs: NOW, mayShare: true };
const jobOf = (wakeUp: WakeUp, nowMs = NOW) => jobsOf([wakeUp], { nowMs, mayShare: true })[0];
const ids = (count: number) => Array.from({ length: count }, () => randomUUID());

describe('a job', () => {
  it('names its channels, and when the earliest run is due', () => {
    const [channel = '', ...channels] = ids(65);
    expect(parseJob({ channel })).toEqual({ channelIds: [channel], dueMs: null });
    expect(parseJob({ channel, due: 7 })).toEqual({ channelIds: [channel], dueMs: 7 });
    expect(parseJob({ channel, due: 'soon' })).toEqual({ channelIds: [channel], dueMs: null });
    expect(parseJob({ channels, due: 7 })).toEqual({ channelIds: channels, dueMs: 7 });
  });

  it.each([
    null,
    'text',
    {},
    { channel: 1 },
    { channel: 'chn-1' },
    { channels: [] },
    { channels: 'text' },
    { channels: ids(65) },
    { channels: [...ids(1), 'chn-1'] },
    { runId: randomUUID() },
    { v: 2, runIds: ids(1) },
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
    expect(jobOf(one)).toMatchObject({
      data: { channel: one.channelId, due: 5 },
      opts: { jobId: `wake-${one.channelId}`, delay: 0 },
    });
    expect(jobOf({ ...one, delayMs: -3 }, NOW + 99)?.opts.jobId).toBe(`wake-${one.channelId}`);
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
      expect(jobOf(one)).toMatchObject({
        opts: { jobId: `wake-${one.channelId}-${NOW + rounded}`, delay: rounded },
      });
    },
  );
});

describe('the jobs of many channels that have work now', () => {
  const wakeUps = (count: number, dueOf: (index: number) => number | undefined = () => undefined) =>
    ids(count).map((channelId, index): WakeUp => {
      const due = dueOf(index);
      return { channelId, channelKind: 'webhook', delayMs: 0, ...(due === undefined ? {} : { dueMs: due }) };
    });

  it('name up to 32 of them each, and the due time of the earliest run', () => {
    const all = wakeUps(70, (index) => 100 + index);
    const jobs = jobsOf(all, SHARING);
    expect(jobs.map(({ data }) => data.due)).toEqual([100, 132, 164]);
    expect(jobs.map(({ data }) => data.channels?.length)).toEqual([32, 32, 6]);
    expect(jobs.flatMap(({ data }) => data.channels)).toEqual(all.map(({ channelId }) => channelId));
    for (const { data } of jobs) expect(parseJob(data)).not.toBeNull();
  });

  it('name no due time if one of their channels has none', () => {
    const [job] = jobsOf(
      wakeUps(5, (index) => (index === 3 ? undefined : 7)),
      SHARING,
    );
    expect(job?.data).not.toHaveProperty('due');
  });

  it('have the same id for the same channels in any order, and another one for others', () => {
    const all = wakeUps(5);
    const idOf = (some: typeof all) => jobsOf(some, SHARING)[0]?.opts.jobId;
    expect(idOf([...all].reverse())).toBe(idOf(all));
    expect(idOf(wakeUps(5))).not.toBe(idOf(all));
  });

  it('are of one channel each if they may not share', () => {
    const all = wakeUps(40);
    expect(jobsOf(all, { nowMs: NOW, mayShare: false })).toEqual(all.map((one) => jobOf(one)));
  });

  it('do not hold few channels, nor those whose runs are due later', () => {
    const later = ids(9).map((channelId): WakeUp => ({ channelId, channelKind: 'webhook', delayMs: 60_000 }));
    const both = [...wakeUps(4), ...later];
    expect(jobsOf(both, SHARING)).toEqual(both.map((one) => jobOf(one)));
    const jobs = jobsOf([...wakeUps(5), ...later], SHARING);
    expect(jobs.filter(({ data }) => data.channels)).toHaveLength(1);
    expect(jobs.filter(({ opts }) => opts.delay > 0)).toHaveLength(9);
  });
});
