import { describe, expect, it } from '@postrider/testing';
import { checkLedgers } from '../src/check/check.ts';
import { summarise } from '../src/check/summary.ts';
import { VIOLATIONS } from '../src/check/violation.ts';
import type { Ledgers } from '../src/ledgers.ts';
import { PLANTED_ACTIONS } from './planted/actions.ts';
import { PLANTED_EVENTS } from './planted/events.ts';
import { IN_ORDER, PLANTED_ORDER } from './planted/order.ts';
import { clean, inDatabase, withAttempts, withSend } from './planted/planting.ts';
import { failedAfter, failedAfterLosses, PLANTED_RUNS } from './planted/runs.ts';
import { doubledAt, PLANTED_SENDS } from './planted/sends.ts';

const PLANTED = [...PLANTED_EVENTS, ...PLANTED_SENDS, ...PLANTED_ACTIONS, ...PLANTED_RUNS, ...PLANTED_ORDER];

describe('the checker', () => {
  it('finds nothing in clean ledgers', () => {
    expect(checkLedgers(clean)).toEqual([]);
  });

  it('finds nothing in empty ledgers', () => {
    const empty: Ledgers = {
      client: { requests: [], replays: [], cancels: [], expiredKeys: [], exchanges: [] },
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

  it('accepts runs of a key that were sent one after the other', () => {
    expect(checkLedgers(IN_ORDER)).toEqual([]);
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

  it('accepts a send of an unknown attempt that arrives during the next one', () => {
    expect(checkLedgers(doubledAt(1_350))).toEqual([]);
  });

  it('accepts a duplicate, and a refused send, of senders that an attempt had tried before', () => {
    const tried = [
      { sender: 'main', outcome: 'unknown' },
      { sender: 'second', outcome: 'failed' },
    ] as const;
    const { database } = withAttempts('run_plain', () => ({ sender: 'third', tried }));
    const twice = withSend('plain').receivers;
    const refused = withSend('plain', { answer: 'refused', at: 1_150 }).receivers.at(-1);
    expect(checkLedgers({ ...clean, database, receivers: refused ? [...twice, refused] : twice })).toEqual(
      [],
    );
  });

  it('accepts a message whose record is gone because its key is a day old', () => {
    const ledgers = inDatabase({ idempotency: clean.database.idempotency.slice(1) });
    expect(checkLedgers({ ...ledgers, client: { ...clean.client, expiredKeys: ['key-plain'] } })).toEqual([]);
  });

  it('accepts a run that failed with attempts left because its address is blocked', () => {
    expect(checkLedgers(failedAfter('webhook_address_blocked'))).toEqual([]);
  });

  it.each([4, 6])(
    'accepts a run that failed with attempts left after it lost %s workers in a row',
    (losses) => {
      expect(checkLedgers(failedAfterLosses(losses))).toEqual([]);
    },
  );

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
  it('counts the entries of the ledgers', () => {
    expect(summarise(clean)).toEqual({
      requests: 9,
      unanswered: 1,
      answers: { 201: 7, 503: 1 },
      acknowledgedEvents: 7,
      messages: 7,
      acknowledgedReplays: 1,
      cancelledRuns: 1,
      runs: { cancelled: 1, succeeded: 7 },
      sends: 9,
      duplicates: 1,
      unknownAttempts: 1,
    });
  });
});
