import { describe, expect, it } from '@jest/globals';
import { checkLedgers } from '../src/check/check.ts';
import { summarise } from '../src/check/summary.ts';
import { VIOLATIONS, type ViolationKind } from '../src/check/violation.ts';
import type {
  ClientRequest,
  DatabaseLedger,
  LedgerAttempt,
  LedgerRun,
  Ledgers,
  ReceivedSend,
} from '../src/ledgers.ts';
import { cleanLedgers } from './support/clean-ledgers.ts';

const clean = cleanLedgers();

const inDatabase = (changes: Partial<DatabaseLedger>): Ledgers => ({
  ...clean,
  database: { ...clean.database, ...changes },
});

const withRun = (id: string, changes: Partial<LedgerRun>): Ledgers =>
  inDatabase({ runs: clean.database.runs.map((run) => (run.id === id ? { ...run, ...changes } : run)) });

const withAttempts = (id: string, change: (attempt: LedgerAttempt) => Partial<LedgerAttempt>): Ledgers =>
  inDatabase({
    runs: clean.database.runs.map((run) =>
      run.id === id
        ? { ...run, attempts: run.attempts.map((attempt) => ({ ...attempt, ...change(attempt) })) }
        : run,
    ),
  });

const withRequest = (changes: Partial<ClientRequest>): Ledgers => ({
  ...clean,
  client: {
    ...clean.client,
    requests: [
      ...clean.client.requests,
      { reference: 'event-plain', key: 'key-plain', variant: 'a', answer: null, ...changes },
    ],
  },
});

const withSend = (runId: string, changes: Partial<ReceivedSend> = {}): Ledgers => ({
  ...clean,
  receivers: [
    ...clean.receivers,
    { runId: `run_${runId}`, kind: 'webhook', at: 6_000, answer: 'accepted', ...changes },
  ],
});

const created = (messageId: string, runIds: readonly string[] = []) => ({
  status: 201,
  messageId,
  runIds,
  replayed: false,
});

const withoutMessage = (id: string) =>
  clean.database.messages.filter((message) => message.id !== `msg_${id}`);

/** What is planted, and the kinds that must be reported for it: those and no other. */
const PLANTED: readonly [string, Ledgers, readonly ViolationKind[]][] = [
  [
    'an acknowledged message that is not in the database',
    withRequest({ reference: 'event-lost', answer: created('msg_lost', ['run_lost']) }),
    ['acknowledged_event_lost'],
  ],
  [
    'an acknowledged run that is not in the database',
    withRequest({ answer: created('msg_plain', ['run_lost']) }),
    ['acknowledged_run_lost'],
  ],
  [
    'an acknowledged run that belongs to another message',
    withRequest({ answer: created('msg_plain', ['run_refused']) }),
    ['acknowledged_run_lost'],
  ],
  [
    'an acknowledgement without a run',
    withRequest({ answer: created('msg_plain') }),
    ['acknowledged_run_lost'],
  ],
  [
    'an answer that belongs to another body',
    withRequest({ variant: 'b', answer: created('msg_plain', ['run_plain']) }),
    ['answer_of_another_body'],
  ],
  [
    'two messages for one event',
    inDatabase({
      messages: clean.database.messages.map((message) => ({
        ...message,
        reference: message.id === 'msg_refused' ? 'event-plain' : message.reference,
      })),
    }),
    ['event_accepted_twice', 'answer_of_another_body'],
  ],
  [
    'two answers with different messages for one event',
    withRequest({ answer: created('msg_refused', ['run_refused']) }),
    ['event_accepted_twice', 'answer_of_another_body'],
  ],
  [
    'a message that nobody sent',
    { ...clean, client: { ...clean.client, requests: clean.client.requests.slice(1) } },
    ['phantom_event'],
  ],
  [
    'a message without its idempotency record',
    inDatabase({ idempotency: clean.database.idempotency.slice(1) }),
    ['idempotency_record_differs'],
  ],
  [
    'an idempotency record without its message',
    inDatabase({
      idempotency: [
        ...clean.database.idempotency,
        { environmentId: 'env_1', operation: 'events.create', key: 'key-x', messageId: 'msg_x' },
      ],
    }),
    ['idempotency_record_differs'],
  ],
  ['a send of a run that is not in the database', withSend('phantom'), ['send_without_event']],
  [
    'a send of a run whose message is not in the database',
    inDatabase({ messages: withoutMessage('doubled') }),
    ['send_without_event', 'acknowledged_event_lost', 'idempotency_record_differs', 'usage_differs'],
  ],
  [
    'a duplicate of a run without any other attempt',
    withSend('plain'),
    ['unexplained_duplicate', 'send_without_attempt'],
  ],
  [
    'a duplicate of a run whose other attempt is known to have failed',
    {
      ...clean,
      receivers: clean.receivers.map((send) => ({ ...send, answer: 'accepted' })),
    },
    ['unexplained_duplicate'],
  ],
  [
    'a third acceptance where one attempt is unknown',
    withSend('doubled'),
    ['unexplained_duplicate', 'send_without_attempt'],
  ],
  ['a refused send without an attempt', withSend('plain', { answer: 'refused' }), ['send_without_attempt']],
  [
    'a success that no receiver accepted',
    { ...clean, receivers: clean.receivers.filter(({ runId }) => runId !== 'run_plain') },
    ['success_without_send'],
  ],
  [
    'a send of a cancelled run',
    withSend('cancelled'),
    ['unexplained_duplicate', 'send_without_attempt', 'send_after_cancel'],
  ],
  [
    'a cancel that was confirmed and did not come to pass',
    { ...clean, client: { ...clean.client, cancels: [{ runId: 'run_plain', status: 200 }] } },
    ['cancel_lost'],
  ],
  [
    'a scheduled run that was claimed early',
    withAttempts('run_scheduled', () => ({ startedAt: 4_999 })),
    ['scheduled_send_early'],
  ],
  [
    'a scheduled run that reached its receiver early',
    {
      ...clean,
      receivers: clean.receivers.map((send) =>
        send.runId === 'run_scheduled' ? { ...send, at: 4_999 } : send,
      ),
    },
    ['scheduled_send_early'],
  ],
  [
    'a run that is still waiting',
    withRun('run_cancelled', { status: 'scheduled', attempts: [], attemptCount: 0, completedAt: null }),
    ['run_not_terminal', 'cancel_lost', 'illegal_transition'],
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
    ['illegal_history', 'unexplained_duplicate', 'send_without_attempt'],
  ],
  [
    'an attempt after a success',
    withAttempts('run_refused', () => ({ status: 'succeeded', errorCode: null })),
    ['illegal_history'],
  ],
  [
    'attempts that overlap',
    withAttempts('run_refused', ({ number }) => (number === 2 ? { startedAt: 1_199 } : {})),
    ['illegal_history'],
  ],
  ['two attempts under one fence', withAttempts('run_refused', () => ({ fence: 2 })), ['illegal_history']],
  ['more attempts than allowed', withRun('run_refused', { maxAttempts: 1 }), ['illegal_history']],
  [
    'an attempt before the run was made',
    withAttempts('run_plain', () => ({ startedAt: 999 })),
    ['illegal_history'],
  ],
  [
    'a tenant charged too much',
    inDatabase({
      usage: { ...clean.database.usage, tenants: [{ tenantId: 'ten_1', used: 7, limit: null }] },
    }),
    ['usage_differs'],
  ],
  [
    'an environment charged too little',
    inDatabase({
      usage: {
        ...clean.database.usage,
        environments: [{ environmentId: 'env_1', tenantId: 'ten_1', used: 5 }],
      },
    }),
    ['usage_differs'],
  ],
  [
    'an environment that was not charged',
    inDatabase({ usage: { tenants: [], environments: [] } }),
    ['usage_differs'],
  ],
  [
    'a replay that was not charged',
    inDatabase({
      messages: clean.database.messages.map((message, index) => ({
        ...message,
        replayCount: index === 0 ? 1 : 0,
      })),
    }),
    ['usage_differs', 'quota_overrun'],
  ],
  [
    'more accepted than the plan holds',
    inDatabase({
      usage: { ...clean.database.usage, tenants: [{ tenantId: 'ten_1', used: 6, limit: 5 }] },
    }),
    ['quota_overrun'],
  ],
];

describe('the checker', () => {
  it('finds nothing in clean ledgers', () => {
    expect(checkLedgers(clean)).toEqual([]);
  });

  it('finds nothing where nothing happened', () => {
    const empty: Ledgers = {
      client: { requests: [], cancels: [], expiredKeys: [] },
      receivers: [],
      database: {
        messages: [],
        runs: [],
        idempotency: [],
        usage: { tenants: [], environments: [] },
        transitions: [],
      },
    };
    expect(checkLedgers(empty)).toEqual([]);
  });

  it('accepts an event that was accepted although its answer was lost', () => {
    const unanswered = clean.client.requests.map((request) => ({ ...request, answer: null }));
    expect(checkLedgers({ ...clean, client: { ...clean.client, requests: unanswered } })).toEqual([]);
  });

  it('accepts sends that the receiver left unanswered where an attempt is unknown', () => {
    const receivers = clean.receivers.map((send) =>
      send.runId === 'run_doubled' && send.at === 1_150 ? { ...send, answer: 'none' as const } : send,
    );
    expect(checkLedgers({ ...clean, receivers })).toEqual([]);
  });

  it('accepts a message whose record is gone because its key is a day old', () => {
    const ledgers = inDatabase({ idempotency: clean.database.idempotency.slice(1) });
    expect(checkLedgers({ ...ledgers, client: { ...clean.client, expiredKeys: ['key-plain'] } })).toEqual([]);
  });

  it.each(PLANTED)('reports %s', (_, ledgers, kinds) => {
    const found = checkLedgers(ledgers).map(({ kind }) => kind);
    expect([...new Set(found)].sort()).toEqual([...kinds].sort());
  });

  it('has a planted case for every kind of violation', () => {
    const planted = new Set(PLANTED.flatMap(([, , kinds]) => kinds));
    expect([...planted].sort()).toEqual([...VIOLATIONS].sort());
  });
});

describe('the summary', () => {
  it('counts what the ledgers hold', () => {
    expect(summarise(clean)).toEqual({
      requests: 8,
      unanswered: 1,
      answers: { 201: 6, 503: 1 },
      acknowledgedEvents: 6,
      messages: 6,
      runs: { cancelled: 1, succeeded: 5 },
      sends: 7,
      duplicates: 1,
      unknownAttempts: 1,
    });
  });
});
