import { describe, expect, it } from '@postrider/testing';
import { SCALING_MEASURES } from '../src/scaling/figures.ts';
import { extentOf, readSettings } from '../src/settings.ts';

describe('the options', () => {
  it('default to all measures in their smallest form, with the default client', () => {
    const { scale, sender, reportFile, measures } = readSettings([], {});
    expect({ scale, sender, reportFile }).toEqual({ scale: 0, sender: 'node', reportFile: null });
    expect(measures.map(({ name }) => name)).toEqual([
      'floors',
      'acceptance',
      'batches',
      'delivery',
      'senders',
      'latency',
      'scheduled',
      'scale-out',
      'processor',
      'rows',
      'footprint',
      'hot-tenant',
      'growth',
      'lists',
      'retention',
      'row-security',
      'filters',
      'consumers',
      'drain',
    ]);
  });

  it('select measures by name', () => {
    expect(readSettings(['growth', 'floors'], {}).measures.map(({ name }) => name)).toEqual([
      'floors',
      'growth',
    ]);
  });

  it('select by purpose all measures of its tables', () => {
    expect(readSettings(['scaling'], {}).measures.map(({ name }) => name)).toEqual([...SCALING_MEASURES]);
  });

  it.each<[string[], NodeJS.ProcessEnv]>([
    [['nothing'], {}],
    [[], { BENCH_SCALE: '2' }],
    [[], { BENCH_SCALE: 'much' }],
    [[], { BENCH_SENDER: 'curl' }],
  ])('refuse unknown values: %j %j', (names, env) => {
    expect(() => readSettings(names, env)).toThrow();
  });

  it('measure everything at scale 1, and at least the minimum', () => {
    expect([0, 0.1, 1].map((scale) => extentOf(scale).amount(100, 5_000))).toEqual([100, 500, 5_000]);
    expect(extentOf(1)).toMatchObject({ rounds: 5, roundMs: 10_000 });
  });
});
