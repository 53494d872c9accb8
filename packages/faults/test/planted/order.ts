import type { LedgerAttempt, LedgerRun, Ledgers } from '../../src/ledgers.ts';
import { clean, inDatabase, type Planted } from './planting.ts';

const place = (sequence: number) => ({ channelId: 'chn_1', key: 'k', sequence });

const shifted = (attempts: readonly LedgerAttempt[], ms: number) =>
  attempts.map((attempt) => ({
    ...attempt,
    startedAt: attempt.startedAt + ms,
    completedAt: (attempt.completedAt ?? attempt.startedAt) + ms,
  }));

/** Makes `plain` and `replayed` the first two runs of a key, the second tried `afterMs` after the first. */
function ordered(afterMs: number, changes: Partial<LedgerRun> = {}): Ledgers {
  const delays = new Map([
    ['run_plain', Math.max(0, -afterMs)],
    ['run_replayed', Math.max(0, afterMs)],
  ]);
  const runs = clean.database.runs.map((run): LedgerRun => {
    const delay = delays.get(run.id);
    if (delay === undefined) return run;
    const isFirst = run.id === 'run_plain';
    const moved = { ...run, place: place(isFirst ? 1 : 2), attempts: shifted(run.attempts, delay) };
    return isFirst ? moved : { ...moved, ...changes };
  });
  const receivers = clean.receivers.map((send) => ({ ...send, at: send.at + (delays.get(send.runId) ?? 0) }));
  return { ...inDatabase({ runs }), receivers };
}

/** Runs of a key that were sent one after the other, which is correct. */
export const IN_ORDER = ordered(200);

const swapped = ordered(200);

export const PLANTED_ORDER: readonly Planted[] = [
  ['two runs of a key at once', ordered(50), ['two_at_once']],
  ['a run of a key that was tried before the one before it', ordered(-200), ['out_of_order']],
  ['a gap in the sequence of a key', ordered(200, { place: place(3) }), ['out_of_order']],
  ['a sequence that two runs have', ordered(200, { place: place(1) }), ['out_of_order']],
  [
    'a run of a key that arrived before the one before it',
    {
      ...swapped,
      receivers: [
        ...swapped.receivers.filter(({ runId }) => runId === 'run_replayed'),
        ...swapped.receivers.filter(({ runId }) => runId !== 'run_replayed'),
      ],
    },
    ['out_of_order'],
  ],
];
