import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { findWork, type SweepWithSearch, shareOfSweep } from '../src/index.ts';
import { createFixture, createTestDatabase, type Fixture, type TestDatabase } from '../src/testing/index.ts';
import { WEBHOOK } from './support.ts';

let database: TestDatabase;
let fixture: Fixture;
beforeAll(async () => {
  database = await createTestDatabase();
  fixture = await createFixture(database.db, { channels: [WEBHOOK] });
  await database.db.$executeRaw`DELETE FROM audit_unchained`;
  await database.db.$executeRaw`UPDATE retention_turn SET next_at = now() + interval '1 hour'`;
});
afterAll(() => database.drop());

/** SQL that makes work for each sweep. */
const WORK: Readonly<Partial<Record<SweepWithSearch, string>>> = {
  health: `INSERT INTO stream_pauses (environment_id, stream, paused_at, resumed_at, delivered, complained)
           SELECT id, 'news', now(), now(), 100, 5 FROM environments`,
  ordering: `INSERT INTO ordering_ends (channel_id, environment_id, key) SELECT id, environment_id, 'a' FROM channels`,
  limits: 'UPDATE channels SET max_in_flight = 1',
  deletedChannels: 'UPDATE channels SET deleted_at = now()',
  expiredMessages: 'UPDATE retention_turn SET next_at = now()',
  auditChain: 'INSERT INTO audit_unchained (entry_id) VALUES (gen_random_uuid())',
};

const SWEEPS = Object.keys(WORK) as SweepWithSearch[];
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
    for (const sweep of SWEEPS) {
      await database.db.$executeRawUnsafe(WORK[sweep] ?? '');
      before.push(sweep);
      expect((await found()).sort()).toEqual([...before].sort());
    }
    expect(await findWork(database.db, 'sweep', ['ordering'])).toEqual(['ordering']);
  });

  it('takes a sweep without a search for one that always has work', async () => {
    expect(await findWork(database.db, 'housekeep', ['oldStats'])).toEqual(['oldStats']);
  });
});
