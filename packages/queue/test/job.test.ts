import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@postrider/testing';
import { generationOf, jobId, parseJobData, type RunToEnqueue, toStoredJob } from '../src/index.ts';

describe('the generation of an overdue run', () => {
  it.each([
    [0, 0],
    [999, 0],
    [1_000, 1],
    [1_999, 1],
    [2_000, 2],
    [4_000, 3],
    [3_600_000, 12],
  ])('after %i ms is %i', (overdueMs, generation) => {
    expect(generationOf(overdueMs)).toBe(generation);
  });
});

describe('job data', () => {
  const ids = (count: number) => Array.from({ length: count }, () => randomUUID());

  it('with one run has the format of release 0.1.0', () => {
    const [runId = ''] = ids(1);
    expect(toStoredJob({ runIds: [runId] })).toEqual({ runId });
    expect(parseJobData({ runId })).toEqual({ runIds: [runId] });
  });

  it('with several runs has their ids and a version', () => {
    const runIds = ids(64);
    const stored = toStoredJob({ runIds });
    expect(stored).toEqual({ v: 2, runIds });
    expect(parseJobData(stored)).toEqual({ runIds });
  });

  it.each([
    null,
    'text',
    {},
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
    expect(parseJobData(data)).toBeNull();
  });
});

describe('the id of a job', () => {
  const run = (changes: Partial<RunToEnqueue> = {}): RunToEnqueue => ({
    runId: randomUUID(),
    channelKind: 'webhook',
    attempt: 1,
    delayMs: 0,
    ...changes,
  });

  it('of one run is as release 0.1.0 wrote it', () => {
    const one = run({ attempt: 2, generation: 1 });
    expect(jobId([one])).toBe(`run-${one.runId}-2-1`);
  });

  it('depends only on the runs, attempts and generations, and has no characters that BullMQ refuses', () => {
    const [one, other] = [run(), run()];
    const id = jobId([one, other]);
    expect(id).toMatch(/^runs-2-[\w-]+$/);
    expect(jobId([{ ...one }, { ...other, delayMs: 5 }])).toBe(id);
    expect(jobId([one, { ...other, attempt: 2 }])).not.toBe(id);
    expect(jobId([one, { ...other, generation: 1 }])).not.toBe(id);
    expect(jobId([one, run()])).not.toBe(id);
  });
});
