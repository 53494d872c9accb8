import { expect, it } from '@postrider/testing';
import { summarise } from '../src/check/summary.ts';
import { render, type ScenarioReport, table } from '../src/report.ts';
import { cleanLedgers } from './support/clean-ledgers.ts';

const HELD: ScenarioReport = {
  number: 2,
  name: 'kill-workers',
  fault: 'kill -9 of workers',
  script: 'test:faults -- 2',
  seed: 42,
  scale: 0,
  seconds: 30,
  drainSeconds: 1,
  summary: summarise(cleanLedgers()),
  figures: { kills: 200, longest_until_taken_back_ms: 16_000 },
  rounds: 'kills',
  measured: ['longest_until_taken_back_ms'],
  unmet: [],
  violations: [],
};

const lastRow = (report: ScenarioReport) => table([report]).split('\n').at(-1);

it('renders a scenario as a table row', () => {
  expect(lastRow(HELD)).toBe(
    '| 2 kill -9 of workers | 200 kills | 7 | 8 | 0 | 0 | 1, all explained | longest until taken back 16,000 ms | yes |',
  );
});

it('counts lost events, sends without an event and unexplained duplicates in the table', () => {
  const violations = [
    { kind: 'run_not_terminal', subject: 'run_1', detail: 'is queued' },
    { kind: 'send_without_event', subject: 'run_2', detail: '1 sends' },
    { kind: 'unexplained_duplicate', subject: 'run_3', detail: '2 sends' },
  ] as const;
  expect(lastRow({ ...HELD, violations })).toContain('| 1 | 1 | 1, of 1 runs not explained |');
  expect(lastRow({ ...HELD, violations })).toMatch(/\| no \|$/);
});

it('shows no figures of an aborted scenario', () => {
  expect(lastRow({ ...HELD, summary: null, figures: {}, unmet: ['broke off'] })).toContain(
    '| unknown | 0 | unknown | unknown |',
  );
});

it('explains why a scenario failed and how to repeat it', () => {
  const shown = render({ ...HELD, unmet: ['nothing hangs'] });
  expect(shown).toContain('FAILED 2 kill-workers (seed 42');
  expect(shown).toContain('UNMET: nothing hangs');
  expect(shown).toContain('FAULTS_SEED=42 npm run test:faults -- 2');
  expect(render({ ...HELD, scale: 1, unmet: ['x'] })).toContain('FAULTS_SEED=42 FAULTS_SCALE=1 npm run');
});
