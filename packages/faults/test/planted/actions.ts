import type { ClientCancel, ClientReplay, DatabaseLedger, LedgerRun, Ledgers } from '../../src/ledgers.ts';
import { contentOf } from '../support/clean-ledgers.ts';
import { charged, clean, created, inDatabase, type Planted, sendOf, withRun } from './planting.ts';

const withReplay = (changes: Partial<ClientReplay>): Ledgers => ({
  ...clean,
  client: {
    ...clean.client,
    replays: [
      ...clean.client.replays,
      { messageId: 'msg_replayed', key: 'key-replay', answer: null, ...changes },
    ],
  },
});

const withCancels = (cancels: readonly ClientCancel[]): Ledgers => ({
  ...clean,
  client: { ...clean.client, cancels },
});

const withReplayCount = (id: string, replayCount: number): Partial<DatabaseLedger> => ({
  messages: clean.database.messages.map((message) =>
    message.id === id ? { ...message, replayCount } : message,
  ),
});

/** A copy of the replay's run, as if the replay had been done twice. */
const replayedOnceMore: readonly LedgerRun[] = clean.database.runs
  .filter(({ id }) => id === 'run_again')
  .map((run) => ({ ...run, id: 'run_once-more', replay: 2 }));

const secondReplay: Ledgers = {
  ...clean,
  receivers: [...clean.receivers, sendOf('once-more', contentOf('replayed', 'once-more'))],
  database: {
    ...clean.database,
    ...withReplayCount('msg_replayed', 2),
    ...charged(9),
    runs: [...clean.database.runs, ...replayedOnceMore],
    transitions: [
      ...clean.database.transitions,
      ...clean.database.transitions
        .filter(({ runId }) => runId === 'run_again')
        .map((step) => ({ ...step, runId: 'run_once-more' })),
    ],
  },
};

/** Cancels and replays that did not happen, or that nobody requested. */
export const PLANTED_ACTIONS: readonly Planted[] = [
  [
    'a cancel that was confirmed and did not come to pass',
    withCancels([...clean.client.cancels, { runId: 'run_scheduled', key: 'key-x', status: 200, code: null }]),
    ['cancel_lost'],
  ],
  [
    'a cancel that came to pass and was denied when it was asked for again',
    withCancels([
      { runId: 'run_cancelled', key: 'key-cancel', status: 409, code: 'delivery_run_not_cancellable' },
    ]),
    ['cancel_denied'],
  ],
  ['a cancelled run that nobody cancelled', withCancels([]), ['phantom_cancel']],
  [
    'a cancel without its idempotency record',
    inDatabase({
      idempotency: clean.database.idempotency.filter(({ operation }) => operation !== 'delivery-runs.cancel'),
    }),
    ['idempotency_record_differs'],
  ],
  [
    'an acknowledged replay whose run is not in the database',
    withReplay({ key: 'key-x', answer: created('msg_replayed', ['run_lost']) }),
    ['acknowledged_replay_lost'],
  ],
  [
    'an acknowledged replay whose run is that of the event',
    withReplay({ key: 'key-x', answer: created('msg_replayed', ['run_replayed']) }),
    ['acknowledged_replay_lost'],
  ],
  [
    'an acknowledged replay without a run',
    withReplay({ key: 'key-x', answer: created('msg_replayed') }),
    ['acknowledged_replay_lost'],
  ],
  [
    'an acknowledged replay whose run is still waiting',
    withRun('run_again', { status: 'queued', attempts: [], attemptCount: 0, fence: 0, completedAt: null }),
    ['run_not_terminal', 'illegal_transition', 'unexplained_duplicate'],
  ],
  ['two replays under one key', secondReplay, ['replay_accepted_twice', 'idempotency_record_differs']],
  [
    'two answers with different runs for one replay',
    withReplay({ answer: created('msg_replayed', ['run_replayed']) }),
    ['replay_accepted_twice', 'acknowledged_replay_lost'],
  ],
  [
    'a replay that nobody asked for',
    { ...clean, client: { ...clean.client, replays: [] } },
    ['phantom_replay'],
  ],
  [
    'a replay that left no run',
    inDatabase({ ...withReplayCount('msg_plain', 1), ...charged(9) }),
    ['replay_runs_differ', 'phantom_replay', 'idempotency_record_differs'],
  ],
];
