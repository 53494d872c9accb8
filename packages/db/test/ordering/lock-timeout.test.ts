import { waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createIngest, createIngestBatch } from '../../src/index.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../../src/testing/index.ts';
import { eventFor, plannedRuns, WEBHOOK } from '../support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The times at which statements began that now wait for a lock, in this database. */
const waitingSince = async () => {
  const rows = await database.db.$queryRaw<{ since: string }[]>`
    SELECT query_start::text AS since FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return rows.map(({ since }) => since);
};

describe('events with an ordering key whose row stays locked for longer than one wait', () => {
  const ways = ['one event', 'one event with a file', 'a batch', 'an atomic batch'];

  it.each(ways)('are accepted when it is free, without an error: %s', async (how) => {
    const fixture = await createFixture(database.db, { channels: [{ ...WEBHOOK, ordering: 'key' }] });
    const runs = plannedRuns(fixture).map((run) => ({ ...run, isOrdered: true }));
    const event = () => eventFor(fixture, { runs, orderingKey: 'a' });
    const ingest = createIngest(database.db);
    expect(await ingest(event())).toMatchObject({ outcome: 'accepted' });
    let hasEnded = false;
    const result = await database.db.$transaction(
      async (tx) => {
        await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
        await tx.$queryRaw`SELECT FROM ordering_keys WHERE key = 'a' FOR UPDATE`;
        const accepting = how.endsWith('batch')
          ? createIngestBatch(database.db)({ events: [event(), event()], atomic: how === 'an atomic batch' })
          : ingest(how.endsWith('file') ? { ...event(), files: [Buffer.from('%PDF')] } : event());
        const settled = Promise.allSettled([accepting]).then((outcome) => {
          hasEnded = true;
          return outcome;
        });
        const tries = new Set<string>();
        await waitFor('a second try', async () => {
          for (const since of await waitingSince()) tries.add(since);
          return hasEnded || tries.size >= 2;
        });
        return { settled };
      },
      { timeout: 60_000 },
    );
    const accepted = { outcome: 'accepted' };
    const decided = { outcome: 'decided', outcomes: [accepted, accepted] };
    const expected = how.endsWith('batch') ? decided : accepted;
    expect(await result.settled).toMatchObject([{ status: 'fulfilled', value: expected }]);
  });
});
