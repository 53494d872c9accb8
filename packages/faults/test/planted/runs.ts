import type { LedgerAttempt, Ledgers, LedgerTransition } from '../../src/ledgers.ts';
import { clean, inDatabase, type Planted, withAttempts, withRun } from './planting.ts';

/** A run that failed with this error and had two attempts left. */
export const failedAfter = (errorCode: LedgerAttempt['errorCode']): Ledgers => ({
  ...inDatabase({
    runs: clean.database.runs.map((run) =>
      run.id === 'run_plain'
        ? {
            ...run,
            status: 'failed',
            attempts: run.attempts.map((attempt) => ({ ...attempt, status: 'failed', errorCode })),
          }
        : run,
    ),
    transitions: clean.database.transitions.map((step) =>
      step.runId === 'run_plain' && step.to === 'succeeded' ? { ...step, to: 'failed' } : step,
    ),
  }),
  receivers: clean.receivers.map((send) =>
    send.runId === 'run_plain' ? { ...send, answer: 'refused' } : send,
  ),
});

/** A run of at most twenty attempts that lost this many workers in a row and then failed. */
export const failedAfterLosses = (losses: number): Ledgers => {
  const failed = failedAfter('worker_lost');
  const attempts = Array.from(
    { length: losses },
    (_, index): LedgerAttempt => ({
      number: index + 1,
      fence: index + 1,
      status: 'unknown',
      errorCode: 'worker_lost',
      startedAt: 1_100 + 200 * index,
      completedAt: 1_200 + 200 * index,
    }),
  );
  const transitions = failed.database.transitions.flatMap((step) =>
    step.runId === 'run_plain' && step.to === 'failed'
      ? [
          ...attempts.slice(1).flatMap((): LedgerTransition[] => [
            { runId: 'run_plain', from: 'running', to: 'retrying' },
            { runId: 'run_plain', from: 'retrying', to: 'running' },
          ]),
          step,
        ]
      : [step],
  );
  const runs = failed.database.runs.map((run) =>
    run.id === 'run_plain' ? { ...run, maxAttempts: 20, attemptCount: losses, fence: losses, attempts } : run,
  );
  return { ...failed, database: { ...failed.database, runs, transitions } };
};

/** Runs that contradict the state table, their attempts or their end. */
export const PLANTED_RUNS: readonly Planted[] = [
  [
    'a run that is still waiting',
    withRun('run_cancelled', { status: 'scheduled', attempts: [], attemptCount: 0, completedAt: null }),
    ['run_not_terminal', 'cancel_lost', 'idempotency_record_differs', 'illegal_transition'],
  ],
  [
    'a transition that the table does not have',
    inDatabase({
      transitions: clean.database.transitions.map((step) =>
        step.runId === 'run_plain' && step.from === 'running' ? { ...step, from: 'queued' } : step,
      ),
    }),
    ['illegal_transition'],
  ],
  [
    'a run that left its end',
    inDatabase({
      transitions: [
        ...clean.database.transitions,
        { runId: 'run_plain', from: 'succeeded', to: 'running' },
        { runId: 'run_plain', from: 'running', to: 'succeeded' },
      ],
    }),
    ['illegal_transition'],
  ],
  [
    'a status that differs from the last transition',
    inDatabase({ transitions: clean.database.transitions.slice(0, -1) }),
    ['illegal_transition'],
  ],
  [
    'an attempt that is missing',
    withRun('run_plain', { attempts: [] }),
    ['illegal_history', 'unexplained_duplicate'],
  ],
  [
    'an attempt after a success',
    withAttempts('run_refused', () => ({ status: 'succeeded', errorCode: null })),
    ['illegal_history', 'send_without_attempt'],
  ],
  [
    'attempts that overlap',
    withAttempts('run_refused', ({ number }) => (number === 2 ? { startedAt: 1_199 } : {})),
    ['illegal_history'],
  ],
  ['two attempts under one fence', withAttempts('run_refused', () => ({ fence: 2 })), ['illegal_history']],
  ['more attempts than allowed', withRun('run_refused', { maxAttempts: 1 }), ['illegal_history']],
  ['a run that failed with attempts left', failedAfter('webhook_http_error'), ['given_up_early']],
  // In the scenarios a gone endpoint pauses its channel and the run waits. It does not fail.
  [
    'a run that failed because its endpoint is gone',
    failedAfter('webhook_endpoint_gone'),
    ['given_up_early'],
  ],
  ['a run that failed in company because it lost workers', failedAfterLosses(3), ['given_up_early']],
  ['a run that lost workers without end', failedAfterLosses(7), ['worker_losses_unbounded']],
  [
    'an attempt before the run was made',
    withAttempts('run_plain', () => ({ startedAt: 999 })),
    ['illegal_history'],
  ],
];
