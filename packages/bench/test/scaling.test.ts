import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@postrider/testing';
import { type MeasureReport, row } from '../src/report.ts';
import { capacityFor, cellsFor, type Inputs, LOADS, perChannel, perCore } from '../src/scaling/capacity.ts';
import { readInputs, tablesOf, withTables } from '../src/scaling/document.ts';
import { inputsFrom } from '../src/scaling/figures.ts';

const INPUTS: Inputs = {
  api: 0.3,
  worker: 0.6,
  postgres: 0.42,
  redis: 0.03,
  express: 0.1,
  walBytes: 3_000,
  rowsInserted: 4,
  indexEntries: 15,
  commits: 0.2,
  keptTables: 1_000,
  keptIndexes: 500,
  responses: 700,
  waitingRun: 100,
  redisConnectionsOfApi: 2,
  redisConnectionsOfWorker: 5,
  hotTenantEvents: 5_000,
  hotTenantBatches: 500,
};

const load = (mean: number, peak = mean) => ({ name: 'a load', mean, peak });

describe('the resources for a load', () => {
  it('are planned with processors that are 60 % busy', () => {
    expect(capacityFor(load(10_000), INPUTS)).toMatchObject({
      apiPods: 5,
      workerPods: 10,
      postgresCores: 7,
      redisCores: 0.5,
      postgresConnections: 5 * 11 + 10 * 10,
      redisConnections: 5 * 2 + 10 * 5,
    });
  });

  it('include at least two processes of each kind', () => {
    expect(capacityFor(load(1), INPUTS)).toMatchObject({ apiPods: 2, workerPods: 2 });
  });

  it('include storage for the mean, and the write-ahead log for the peak', () => {
    const needed = capacityFor(load(1_000, 2_000), INPUTS);
    expect(needed.walMegabytes).toBeCloseTo(6);
    expect(needed.walMegabytesWithImages).toBeCloseTo(6 + 2 * 16.384);
    expect(needed.gigabytesPerDay).toBeCloseTo(86.4 * 1.5);
    // 30 days of messages, runs and attempts, and one day of stored responses.
    expect(needed.terabytesKept).toBeCloseTo((86.4 * (1.5 * 30 + 0.7)) / 1_000);
    expect(needed.redisMegabytes).toBeCloseTo((2_000 * 600 * 100) / 1e6);
  });

  it('include as many cells as the tightest limit requires', () => {
    expect(cellsFor(load(10_000), INPUTS)).toEqual({
      byPostgresCores: 1,
      byWal: 1,
      byStorage: 4,
      byRemoval: 3,
      needed: 4,
    });
  });

  it('divide the capacity of a core and a channel by the use of each event', () => {
    expect(perCore(0.3)).toBeCloseTo(2_000);
    expect(perChannel(20, 50, 0.5)).toBe(2_000);
  });

  it('assume a peak of twice the mean for 10 billion a month', () => {
    const month = LOADS.find(({ name }) => name.includes('month'));
    expect(month?.mean).toBeCloseTo(10e9 / (30 * 86_400));
    expect(month?.peak).toBeCloseTo(2 * (10e9 / (30 * 86_400)));
  });
});

const report = (name: string, rows: MeasureReport['rows']): MeasureReport => ({
  name,
  title: name,
  rows,
  goals: [],
  problems: [],
  disturbance: 0,
  notes: [],
});
const line = (what: string, values: Readonly<Record<string, number>>) =>
  row({ what, unit: '', rounds: [values] });

const RUN = [
  report('processor', [
    row({
      what: 'api, per 1,000 events',
      unit: 's',
      rounds: [{ seconds: 0.3 }],
      floor: { what: 'bare Express', rounds: [{ seconds: 0.1 }] },
    }),
    line('worker, per 1,000 events', { seconds: 0.6 }),
    line('postgres, per 1,000 events', { seconds: 0.42 }),
    line('redis, per 1,000 events', { seconds: 0.03 }),
  ]),
  report('rows', [
    line('the whole log, for each event', { records: 26, bytes: 3_000, image_bytes: 100, commits: 0.2 }),
    line('idempotency_records', { inserts: 1, index_entries: 2, kept: 400, kept_indexes: 300 }),
    line('messages', { inserts: 1, index_entries: 3, kept: 500, kept_indexes: 200 }),
    line('delivery_runs', { inserts: 1, index_entries: 7, kept: 300, kept_indexes: 200 }),
    line('attempts', { inserts: 1, index_entries: 3, kept: 200, kept_indexes: 100 }),
  ]),
  report('footprint', [
    line('for each message, queued', { Postgres: 1_500, Redis: 100 }),
    line('connections to Redis of each process', { api: 2, worker: 5 }),
  ]),
  report('hot-tenant', [
    line('one tenant, batches of 1', { events: 500, batches: 500 }),
    line('one tenant, batches of 128', { events: 5_000, batches: 39 }),
  ]),
];

describe('the inputs', () => {
  it('are taken from the figures of one run', () => {
    expect(inputsFrom(RUN)).toEqual(INPUTS);
  });

  it('are missing if a measure is missing or invalid', () => {
    expect(inputsFrom(RUN.slice(1))).toBeNull();
    const [first, ...others] = RUN as [MeasureReport, ...MeasureReport[]];
    expect(inputsFrom([{ ...first, problems: ['broke off'] }, ...others])).toBeNull();
  });

  it('are read from a page', () => {
    expect(readInputs(tablesOf(INPUTS).inputs ?? '')).toEqual(INPUTS);
  });

  it('must be numbers', () => {
    expect(() => readInputs('')).toThrow('the page has no number for "API"');
  });
});

it('docs/scaling.md shows the results of its own inputs', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/scaling.md'), 'utf8');
  expect(withTables(page, readInputs(page))).toBe(page);
});
