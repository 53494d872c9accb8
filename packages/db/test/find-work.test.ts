import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { claimRuns, createIngest, findWork, type SweepWithSearch, shareOfSweep } from '../src/index.ts';
import { createFixture, createTestDatabase, type Fixture, type TestDatabase } from '../src/testing/index.ts';
import { eventFor, onlyRun, WEBHOOK } from './support.ts';

let database: TestDatabase;
let fixture: Fixture;
beforeAll(async () => {
  database = await createTestDatabase();
  fixture = await createFixture(database.db, { channels: [WEBHOOK] });
  await database.db.$executeRaw`DELETE FROM audit_unchained`;
  await database.db.$executeRaw`UPDATE retention_turn SET next_at = now() + interval '1 hour'`;
});
afterAll(() => database.drop());

/** SQL that makes each kind of work, in order, with the sweep that has it then. */
const WORK: readonly (readonly [SweepWithSearch, string])[] = [
  [
    'ordering',
    `INSERT INTO ordering_ends (channel_id, environment_id, key) SELECT id, environment_id, 'a' FROM channels`,
  ],
  ['limits', 'UPDATE channels SET max_in_flight = 1'],
  ['deletedChannels', 'UPDATE channels SET deleted_at = now()'],
  ['expiredMessages', 'UPDATE retention_turn SET next_at = now()'],
  ['auditChain', 'INSERT INTO audit_unchained (entry_id) VALUES (gen_random_uuid())'],
  [
    'erasures',
    `INSERT INTO erasures (id, environment_id, status, recipient_email, recipient_sha256, created_at)
     SELECT gen_random_uuid(), id, 'pending', 'a@example.com', repeat('0', 64), now() FROM environments LIMIT 1`,
  ],
  [
    'replayBatches',
    `INSERT INTO replay_batches (id, environment_id, status, filter, messages_per_second, matched, matched_is_lower_bound, created_at)
     SELECT gen_random_uuid(), id, 'pending', '{}', 1, 1, false, now() FROM environments LIMIT 1`,
  ],
  [
    'stats',
    `INSERT INTO delivery_usage_deltas (environment_id, period_start, channel_kind, pending, succeeded, failed, cancelled)
     SELECT id, CURRENT_DATE, 'webhook', 1, 0, 0, 0 FROM environments LIMIT 1`,
  ],
  [
    'operationalEvents',
    `INSERT INTO operational_events (environment_id, type, dedupe_key, payload)
     SELECT id, 'run.exhausted', 'a', '{}' FROM environments LIMIT 1`,
  ],
];
/** SQL of each kind of work of sweeps that have several, with its undoing. */
const ALTERNATIVES: readonly (readonly [SweepWithSearch, string, string])[] = [
  [
    'health',
    `INSERT INTO stream_pauses (environment_id, stream, paused_at, resumed_at, delivered, complained)
     SELECT id, 'news', now(), now(), 100, 5 FROM environments`,
    'DELETE FROM stream_pauses',
  ],
  [
    'health',
    `INSERT INTO channel_health (channel_id, environment_id, state) SELECT id, environment_id, 'failing' FROM channels`,
    'DELETE FROM channel_health',
  ],
  [
    'health',
    'INSERT INTO channel_health (channel_id, environment_id, release_rate) SELECT id, environment_id, 1 FROM channels',
    'DELETE FROM channel_health',
  ],
  [
    'stats',
    `INSERT INTO stats_deltas (environment_id, minute, channel_id, event_key, error_code, latency_bucket, accepted, delivered, failed, attempts)
     SELECT environment_id, now(), id, 'a', '', 0, 1, 0, 0, 0 FROM channels`,
    'DELETE FROM stats_deltas',
  ],
];

const SWEEPS = [...new Set([...WORK, ...ALTERNATIVES].map(([sweep]) => sweep))];
const found = async () => {
  const { db } = database;
  const of = (share: 'sweep' | 'housekeep') =>
    findWork(
      db,
      share,
      SWEEPS.filter((sweep) => shareOfSweep(sweep) === share),
    );
  return [...(await of('sweep')), ...(await of('housekeep'))];
};

describe('the search for work of sweeps', () => {
  it('finds each sweep that has work, only if it is asked for, and nothing without work', async () => {
    expect(fixture.channels).toHaveLength(1);
    const before: string[] = [];
    expect(await found()).toEqual(before);
    for (const [sweep, sql, undo] of ALTERNATIVES) {
      await database.db.$executeRawUnsafe(sql);
      expect([sql, ...(await found())]).toEqual([sql, sweep]);
      await database.db.$executeRawUnsafe(undo);
    }
    for (const [sweep, sql] of WORK) {
      await database.db.$executeRawUnsafe(sql);
      before.push(sweep);
      expect((await found()).sort()).toEqual([...before].sort());
    }
    expect(await findWork(database.db, 'sweep', ['ordering'])).toEqual(['ordering']);
  });

  it('finds the leases that have expired, and no others', async () => {
    const { db } = database;
    const ofOthers = await createFixture(db, { channels: [WEBHOOK] });
    onlyRun(await createIngest(db)(eventFor(ofOthers)));
    const [{ id: channelId } = { id: '' }] = ofOthers.channels;
    const ask = { channelId, environmentId: ofOthers.environmentId, slots: 1, renders: 1, since: null };
    const [claim] = await claimRuns(db, [{ ...ask, attemptIds: [randomUUID()] }], { addressHashKey: null });
    expect(claim?.runs).toHaveLength(1);
    expect(await findWork(db, 'sweep', ['leases'])).toEqual([]);
    await db.$executeRaw`UPDATE delivery_runs SET lease_until = now() - interval '1 s'`;
    expect(await findWork(db, 'sweep', ['leases'])).toEqual(['leases']);
  });

  it('takes a sweep without a search for one that always has work', async () => {
    expect(await findWork(database.db, 'housekeep', ['oldStats'])).toEqual(['oldStats']);
  });
});
