import { waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { Client } from 'pg';
import { createIngest, createIngestBatch } from '../../src/index.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../../src/testing/index.ts';
import { eventFor, plannedRuns, WEBHOOK } from '../support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/**
 * Locks the row of the key, and releases it as soon as two statements have waited for it. The database does so itself: the time
 * between a second try and the last one is too short for a test on a busy machine.
 */
const HOLD_FOR_TWO_TRIES = `DO $$
  DECLARE
    tries timestamptz[] := '{}';
  BEGIN
    PERFORM FROM ordering_keys WHERE key = 'a' FOR UPDATE;
    WHILE cardinality(tries) < 2 LOOP
      PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
      tries := ARRAY(
        SELECT unnest(tries) UNION
        SELECT query_start FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock');
    END LOOP;
  END $$`;

describe('events with an ordering key whose row stays locked for longer than one wait', () => {
  const ways = ['one event', 'one event with a file', 'a batch', 'an atomic batch'];

  it.each(ways)('are accepted when it is free, without an error: %s', async (how) => {
    const fixture = await createFixture(database.db, { channels: [{ ...WEBHOOK, ordering: 'key' }] });
    const runs = plannedRuns(fixture).map((run) => ({ ...run, isOrdered: true }));
    const event = () => eventFor(fixture, { runs, orderingKey: 'a' });
    const ingest = createIngest(database.db);
    expect(await ingest(event())).toMatchObject({ outcome: 'accepted' });
    const holder = new Client(database.url);
    await holder.connect();
    try {
      const holding = holder.query(HOLD_FOR_TWO_TRIES);
      holding.catch(() => undefined);
      await waitFor('the lock', async () => {
        const free = await database.db.$queryRaw<unknown[]>`
          SELECT FROM ordering_keys WHERE key = 'a' FOR UPDATE SKIP LOCKED`;
        return free.length === 0;
      });
      const accepting = how.endsWith('batch')
        ? createIngestBatch(database.db)({ events: [event(), event()], atomic: how === 'an atomic batch' })
        : ingest(how.endsWith('file') ? { ...event(), files: [Buffer.from('%PDF')] } : event());
      const accepted = { outcome: 'accepted' };
      const decided = { outcome: 'decided', outcomes: [accepted, accepted] };
      expect(await accepting).toMatchObject(how.endsWith('batch') ? decided : accepted);
      await holding;
    } finally {
      await holder.end();
    }
  });
});
