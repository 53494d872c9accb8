import { describe, expect, it } from '@postrider/testing';
import { goal, goalTable, type MeasureReport, row, section } from '../src/report.ts';

describe('a goal', () => {
  it('is reached at its limit', () => {
    expect(goal('rate', 0.55, { atLeast: 0.55 }).reached).toBe(true);
    expect(goal('memory', 250, { atMost: 250 }).reached).toBe(true);
  });

  it('is not reached beyond it', () => {
    expect(goal('rate', 0.549, { atLeast: 0.55 }).reached).toBe(false);
    expect(goal('memory', 250.1, { atMost: 250 }).reached).toBe(false);
  });

  it('is not reached without a measurement', () => {
    expect(goal('rate', Number.NaN, { atLeast: 0 }).reached).toBe(false);
    expect(goal('memory', Number.NaN, { atMost: 250 }).reached).toBe(false);
  });
});

const REPORT: MeasureReport = {
  name: 'acceptance',
  title: 'Acceptance',
  rows: [
    row({
      what: '64 connections: accepted',
      unit: '/s',
      rounds: [{ per_second: 5_000 }, { per_second: 6_000 }, { per_second: 100 }],
      floor: {
        what: 'bare Express',
        rounds: [{ per_second: 10_000 }, { per_second: 10_000 }, { per_second: 200 }],
      },
    }),
    row({ what: 'latency', unit: 'ms', rounds: [{ p50: 1.234, p99: 0 }] }),
  ],
  goals: [],
  problems: ['1 answers with 500'],
  disturbance: 0.251,
  notes: [],
};

describe('the table', () => {
  it('has the medians, the floor and the ratio of each figure', () => {
    expect(section(REPORT)).toContain(
      '| 64 connections: accepted | 5,000 /s | 10,000 /s, bare Express | 0.5 |\n' +
        '| latency (p50 / p99) | 1.23 / 0 ms |  |  |',
    );
  });

  it('reports an invalid run and the reason', () => {
    expect(section(REPORT)).toContain('VOID: 1 answers with 500');
  });

  it('reports the use of the machine by other processes', () => {
    expect(section(REPORT)).toContain('- Other programs used 25 % of the processors meanwhile.');
  });

  it('shows missed goals', () => {
    const goals = [goal('rate', 0.6, { atLeast: 0.55 }), goal('memory', 400, { atMost: 250 })];
    expect(goalTable(goals)).toContain(
      '| rate | at least 0.55 | 0.6 | yes |\n| memory | at most 250 | 400 | NO |',
    );
  });
});
