import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { Client } from 'pg';
import { claimWithinLimits, foldStats, switchChannel } from '../src/index.ts';
import { actorNamed, createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { WEBHOOK } from './support.ts';

let database: TestDatabase;
/** Holds the lock that inserts wait for. */
let holder: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  holder = new Client({ connectionString: database.url });
  await holder.connect();
  // PostgreSQL looks for a conflicting row, and then adds the new row to the indexes, oldest index first. So an older index than
  // the primary key, whose function waits, holds an insert between the two.
  await holder.query(`
    CREATE FUNCTION hold(id uuid) RETURNS uuid IMMUTABLE LANGUAGE plpgsql
      AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN id; END $$`);
  for (const table of ['channel_health', 'channel_limit_states']) {
    await holder.query(`
      ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey;
      CREATE INDEX ON ${table} (hold(channel_id));
      ALTER TABLE ${table} ADD CONSTRAINT ${table}_pkey PRIMARY KEY (channel_id)`);
  }
});
afterAll(async () => {
  await holder.end();
  await database.drop();
});

const newId = createUuidV7Source();
const deps = () => ({ db: database.db, newId, actor: actorNamed('test') });

async function createOne() {
  const { environmentId, channels } = await createFixture(database.db, { channels: [WEBHOOK] });
  return { environmentId, channelId: channels[0]?.id ?? '' };
}

const WAITING = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Runs two calls that both look for a conflicting row before either inserts its own. */
async function atOnce<One, Two>(one: () => Promise<One>, two: () => Promise<Two>): Promise<[One, Two]> {
  await holder.query('SELECT pg_advisory_lock(1)');
  const both = Promise.all([one(), two()]);
  both.catch(() => undefined);
  while ((await holder.query(WAITING)).rows.length < 2);
  await holder.query('SELECT pg_advisory_unlock(1)');
  return both;
}

describe('two transactions that write the first row of a channel at the same time', () => {
  it('both succeed, when one stores a result and one pauses the channel', async () => {
    const { environmentId, channelId } = await createOne();
    await database.db.$executeRaw`
      INSERT INTO stats_deltas (environment_id, minute, channel_id, event_key, error_code, latency_bucket, accepted, delivered,
                                failed, attempts)
      VALUES (${environmentId}::uuid, date_trunc('minute', now()), ${channelId}::uuid, 'a.b', '', -1, 0, 0, 0, 1)`;
    await atOnce(
      () => foldStats(database.db, 100),
      () => switchChannel(deps(), { channelId, to: 'paused' }),
    );
    expect(await database.db.channelHealth.findMany({ where: { channelId } })).toMatchObject([
      { state: 'paused', reason: 'manual', lastSuccessAt: expect.any(Date) },
    ]);
  });

  it('both leave the runs to a later claim, when they are claims within limits', async () => {
    const channel = await createOne();
    const asked = { ...channel, slots: 1, renders: 0, attemptIds: [newId()], since: null };
    const ask = () => claimWithinLimits(database.db, asked, { addressHashKey: null });
    expect(await atOnce(ask, ask)).toEqual(['missed', 'missed']);
    expect(await ask()).toMatchObject({ hasLimits: false, limitedBy: null });
  });
});
