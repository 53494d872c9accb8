import { createRandom } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import type { ClientExchange, LedgerAttempt, Ledgers } from '../src/ledgers.ts';
import { expectFirstAttempts } from '../src/scenarios/first-attempts.ts';
import { compareAnswers } from '../src/scenarios/outage.ts';
import { shuffledBags } from '../src/scenarios/random-faults.ts';
import { NETWORK_FAULTS, type Strike, withoutEffect } from '../src/scenarios/strikes.ts';
import { cleanLedgers } from './support/clean-ledgers.ts';

const exchange = (changes: Partial<ClientExchange>): ClientExchange => ({
  sentAt: 1_000,
  tookMs: 20,
  status: 201,
  retryAfterMs: null,
  ...changes,
});

describe('answers in an outage of Redis', () => {
  const unmetBy = (
    during: Partial<ClientExchange>[],
    otherwise: Partial<ClientExchange>[],
    isAlone = true,
  ) => {
    const unmet: string[] = [];
    const exchanges = [
      ...during.map((changes) => exchange({ sentAt: 5_500, ...changes })),
      ...otherwise.map(exchange),
    ];
    const ledger = { requests: [], replays: [], cancels: [], expiredKeys: [], exchanges };
    const context = {
      driver: { ledger },
      isAlone,
      expect: (holds: boolean, what: string) => holds || unmet.push(what),
    };
    compareAnswers(context as unknown as Parameters<typeof compareAnswers>[0], [{ from: 5_000, to: 6_000 }]);
    return unmet;
  };
  const quick = Array.from({ length: 99 }, () => ({}));

  it('may take longer than the others by the deadlines of Redis, and no more', () => {
    expect(unmetBy([{ tookMs: 620 }], [{}])).toEqual([]);
    expect(unmetBy([{ tookMs: 621 }], [{}])).toHaveLength(1);
  });

  it('may take longer while other scenarios use the processors, unless they wait for a silent connection', () => {
    expect(unmetBy([{ tookMs: 621 }], [{}], false)).toEqual([]);
    expect(unmetBy([{ tookMs: 5_021 }], [{}], false)).toHaveLength(1);
  });

  it('do not wait until a silent connection is closed', () => {
    expect(unmetBy([...quick, { tookMs: 5_020 }], [{}])).toEqual([]);
    expect(unmetBy([...quick, { tookMs: 5_021 }], [{}])).toHaveLength(1);
  });

  it('fail the check if there are none, or none to compare them with', () => {
    expect(unmetBy([], [{}])).toHaveLength(1);
    expect(unmetBy([{}], [])).toHaveLength(1);
  });
});

describe('first attempts in an outage of Redis', () => {
  /** Runs that were accepted when the workers were cold, when they were warm, and while Redis was away. */
  const unmetBy = (latenessMs: Readonly<Record<'cold' | 'warm' | 'away', number>>, isAlone = true) => {
    const unmet: string[] = [];
    const [first] = cleanLedgers().database.runs;
    const [attempt] = first?.attempts ?? [];
    if (!first || !attempt) throw new Error('the clean ledgers have no attempt');
    const run = (createdAt: number, lateMs: number) => ({
      ...first,
      createdAt,
      attempts: [{ ...attempt, startedAt: createdAt + lateMs }],
    });
    const runs = [run(1_000, latenessMs.cold), run(2_000, latenessMs.warm), run(3_000, latenessMs.away)];
    const context = { isAlone, expect: (holds: boolean, what: string) => void (holds || unmet.push(what)) };
    const ledgers = { database: { ...cleanLedgers().database, runs } };
    expectFirstAttempts(context, ledgers, { warmAt: 2_000, away: [{ from: 3_000, to: 4_000 }] });
    return unmet;
  };

  it('may begin a second later than the others, no matter how long cold workers took', () => {
    expect(unmetBy({ cold: 100, warm: 100, away: 1_100 })).toEqual([]);
    expect(unmetBy({ cold: 5_000, warm: 100, away: 1_101 })).toHaveLength(1);
  });

  it('may begin later while other scenarios use the processors', () => {
    expect(unmetBy({ cold: 100, warm: 100, away: 1_101 }, false)).toEqual([]);
  });
});

describe('a fault of the network', () => {
  const strike = (place: Strike['place'], fault: Strike['fault']): Strike => ({
    place,
    fault,
    from: 1_000,
    to: 7_000,
  });
  const ledgers = (attempt: Partial<LedgerAttempt>, answer: Partial<ClientExchange>): Ledgers => {
    const clean = cleanLedgers();
    const runs = clean.database.runs.map((run) => ({
      ...run,
      attempts: run.attempts.map((one) => ({ ...one, ...attempt })),
    }));
    return {
      ...clean,
      client: { ...clean.client, exchanges: [exchange(answer)] },
      database: { ...clean.database, runs },
    };
  };

  it.each(['receivers', 'postgres'] as const)('before %s counts only if it had an effect', (place) => {
    const strikes = NETWORK_FAULTS.map((fault) => strike(place, fault));
    expect(withoutEffect(strikes, ledgers({}, {}))).toEqual(
      NETWORK_FAULTS.map((fault) => `${fault} before ${place} had an effect`),
    );
  });

  it('before the receivers has an effect on an attempt that was open then', () => {
    const effective = (fault: Strike['fault'], attempt: Partial<LedgerAttempt>) =>
      withoutEffect([strike('receivers', fault)], ledgers(attempt, {})).length === 0;
    expect(effective('stall', { errorCode: 'webhook_timeout' })).toBe(true);
    expect(effective('half_open', { errorCode: 'webhook_timeout' })).toBe(true);
    expect(effective('reset', { errorCode: 'webhook_connection_failed' })).toBe(true);
    expect(effective('slow', { status: 'succeeded', completedAt: 1_500 })).toBe(true);
    expect(effective('reset', { errorCode: 'webhook_timeout' })).toBe(false);
    expect(effective('stall', { errorCode: 'webhook_timeout', startedAt: 8_000, completedAt: 9_000 })).toBe(
      false,
    );
  });

  it('before Postgres has an effect on an answer of that time', () => {
    const effective = (fault: Strike['fault'], answer: Partial<ClientExchange>) =>
      withoutEffect([strike('postgres', fault)], ledgers({}, answer)).length === 0;
    for (const fault of ['stall', 'half_open', 'reset'] as const)
      expect(effective(fault, { status: 503 })).toBe(true);
    expect(effective('stall', { tookMs: 6_000 })).toBe(true);
    expect(effective('slow', { tookMs: 400 })).toBe(true);
    expect(effective('reset', { status: 503, sentAt: 8_000 })).toBe(false);
  });
});

it('injects every kind of fault once in a random order before it repeats one', () => {
  const kinds = ['a', 'b', 'c', 'd', 'e', 'f'];
  const bags = (seed: number) => {
    const drawn = shuffledBags(kinds, createRandom(seed));
    return Array.from({ length: 3 }, () => kinds.map(() => drawn.next().value));
  };
  for (const bag of bags(1)) expect([...bag].sort()).toEqual(kinds);
  expect(new Set([...bags(1), ...bags(2)].map((bag) => bag.join())).size).toBeGreaterThan(1);
  expect(bags(1)).toEqual(bags(1));
});
