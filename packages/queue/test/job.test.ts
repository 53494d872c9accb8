import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@postrider/testing';
import { generationOf, jobId, parseJobData } from '../src/index.ts';

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
  it('is the id of a run and nothing else', () => {
    const runId = randomUUID();
    expect(parseJobData({ runId })).toEqual({ runId });
  });

  it.each([null, {}, { runId: 1 }, { runId: 'run-1' }, 'text'])('is not %j', (data) => {
    expect(parseJobData(data)).toBeNull();
  });
});

describe('the id of a job', () => {
  it('is the same for the same run, attempt and generation, and holds nothing that BullMQ refuses', () => {
    const runId = randomUUID();
    expect(jobId({ runId, attempt: 2, generation: 1 })).toBe(`run-${runId}-2-1`);
  });
});
