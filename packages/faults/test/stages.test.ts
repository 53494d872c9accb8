import { describe, expect, it } from '@postrider/testing';
import type { LedgerRun, Ledgers } from '../src/ledgers.ts';
import { figuresOf, type Stage, stageTable } from '../src/upgrade/stages.ts';
import { cleanLedgers } from './support/clean-ledgers.ts';

describe('the stages of a rolling upgrade', () => {
  const stages: Stage[] = [
    { name: 'old', beganAt: 1_000 },
    { name: 'new', beganAt: 2_000 },
  ];
  const clean = cleanLedgers();
  const [model] = clean.database.runs.filter(({ attempts }) => attempts.length > 0);
  const [attempt] = model?.attempts ?? [];

  const run = (id: string, dueAt: number, startedAt: number): LedgerRun => {
    if (!model || !attempt) throw new Error('the clean ledgers have no attempt');
    return { ...model, id, createdAt: dueAt, scheduledAt: null, attempts: [{ ...attempt, startedAt }] };
  };
  const exchange = (sentAt: number, status: number | null, tookMs = 10) => ({
    ...{ sentAt, status, tookMs },
    retryAfterMs: null,
  });
  const send = (runId: string, answer: 'accepted' | 'refused') => ({
    ...{ runId, answer, at: 0, kind: 'webhook' as const },
    content: { reference: '', variant: '', recipient: '', ids: [] },
  });
  const ledgers: Ledgers = {
    client: {
      ...clean.client,
      exchanges: [
        exchange(1_100, 201),
        exchange(1_200, 500),
        exchange(2_100, null),
        exchange(2_200, 409, 90),
      ],
    },
    receivers: [
      send('run_a', 'accepted'),
      send('run_b', 'refused'),
      send('run_b', 'accepted'),
      send('run_a', 'accepted'),
    ],
    database: { ...clean.database, runs: [run('run_a', 1_500, 1_600), run('run_b', 2_500, 4_500)] },
  };

  it('count requests by when they were sent, and runs by when they were due', () => {
    expect(figuresOf(stages, ledgers)).toEqual([
      {
        name: 'old',
        requests: 2,
        failed: 1,
        p99Ms: 10,
        runs: 1,
        medianLateMs: 100,
        longestLateMs: 100,
        duplicates: 1,
      },
      {
        name: 'new',
        requests: 2,
        failed: 1,
        p99Ms: 90,
        runs: 1,
        medianLateMs: 2_000,
        longestLateMs: 2_000,
        duplicates: 0,
      },
    ]);
  });

  it('are shown as a table with a row for each', () => {
    expect(stageTable(figuresOf(stages, ledgers)).split('\n').at(-1)).toBe(
      '| new | 2 | 1 | 90 ms | 1 | 2,000 ms | 2,000 ms | 0 |',
    );
  });
});
