import { randomUUID } from 'node:crypto';
import type { RunRoute } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { generationOf, jobId, parseJobData, type RunToEnqueue, toStoredJob } from '../src/index.ts';
import { runKey } from '../src/job.ts';

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
    expect(toStoredJob([{ runId }])).toEqual({ runId });
    expect(parseJobData({ runId })).toEqual([{ runId }]);
  });

  it('with several runs has their ids and a version', () => {
    const runIds = ids(64);
    const stored = toStoredJob(runIds.map((runId) => ({ runId })));
    expect(stored).toEqual({ v: 2, runIds });
    expect(parseJobData(stored)).toEqual(runIds.map((runId) => ({ runId })));
  });

  describe('with the routes of its runs', () => {
    const route = (changes: Partial<RunRoute> = {}): RunRoute => ({
      environmentId: randomUUID(),
      channelId: randomUUID(),
      renderedFor: null,
      ...changes,
    });

    it('has each route once, beside what release 0.1.0 reads', () => {
      const one = route();
      const others = [
        { ...one, channelId: randomUUID() },
        { ...one, renderedFor: randomUUID() },
      ];
      const runs = [one, { ...one }, ...others, { ...one }, ...others].map((its) => ({
        runId: randomUUID(),
        route: its,
      }));
      const stored = toStoredJob(runs);
      const runIds = runs.map(({ runId }) => runId);
      expect(stored).toMatchObject({ v: 2, runIds, routeOf: [0, 0, 1, 2, 0, 1, 2] });
      expect(stored.routes).toHaveLength(3);
      expect(parseJobData(JSON.parse(JSON.stringify(stored)))).toEqual(runs);
      const [alone] = runs;
      expect(toStoredJob(runs.slice(0, 1))).toMatchObject({ runId: alone?.runId, routeOf: [0] });
      expect(parseJobData(toStoredJob(runs.slice(0, 1)))).toEqual([alone]);
    });

    it('leaves them out if one of its runs comes without', () => {
      const [runId = '', other = ''] = ids(2);
      expect(toStoredJob([{ runId, route: route() }, { runId: other }])).toEqual({
        v: 2,
        runIds: [runId, other],
      });
    });

    it.each([
      { routes: 'text', routeOf: [0] },
      { routes: [], routeOf: [0] },
      { routes: [null], routeOf: [0] },
      { routes: [[...ids(1), null]], routeOf: [0] },
      { routes: [['env', ...ids(1), null]], routeOf: [0] },
      { routes: [[...ids(2), 'ten']], routeOf: [0] },
      { routes: [[...ids(2)]], routeOf: [0] },
      { routes: [[...ids(2), null]] },
      { routes: [[...ids(2), null]], routeOf: [] },
      { routes: [[...ids(2), null]], routeOf: ['length'] },
      { routes: [[...ids(2), null]], routeOf: ['0'] },
      { routes: [[...ids(2), null]], routeOf: [-1] },
      { routes: [...Array(64).fill(null), [...ids(2), null]], routeOf: [64] },
    ])('is read without those that cannot be: %j', (stored) => {
      const [runId = ''] = ids(1);
      expect(parseJobData({ runId, ...stored })).toEqual([{ runId }]);
    });
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

  const idOf = (runs: readonly RunToEnqueue[]) => jobId(runs.map(runKey));

  it('of one run is as release 0.1.0 wrote it', () => {
    const one = run({ attempt: 2, generation: 1 });
    expect(idOf([one])).toBe(`run-${one.runId}-2-1`);
  });

  it('depends only on the runs, attempts and generations, and has no characters that BullMQ refuses', () => {
    const [one, other] = [run(), run()];
    const id = idOf([one, other]);
    expect(id).toMatch(/^runs-2-[\w-]+$/);
    expect(idOf([{ ...one }, { ...other, delayMs: 5 }])).toBe(id);
    expect(idOf([one, { ...other, attempt: 2 }])).not.toBe(id);
    expect(idOf([one, { ...other, generation: 1 }])).not.toBe(id);
    expect(idOf([one, run()])).not.toBe(id);
  });
});
