import { randomUUID } from 'node:crypto';
import { createIngest } from '@postrider/db';
import {
  createFixture,
  createOwnerClaim,
  createOwnerFinish,
  createTestDatabase,
  SUCCEEDED,
  testEvent,
} from '@postrider/db/testing';
import { expect, it } from '@postrider/testing';
import { endOfLog, writtenByTable } from '../src/measures/rows.ts';
import { withClient } from '../src/stack/databases.ts';

it('counts the rows and index entries of an event: 15 entries, and a claim that adds none', async () => {
  const database = await createTestDatabase();
  try {
    const { db, url } = database;
    const fixture = await createFixture(db, {
      channels: [{ kind: 'webhook', name: 'hook', config: { url: 'http://127.0.0.1:9/' } }],
    });
    const runs = fixture.channels.map(({ id }) => ({
      channel: { id, kind: 'webhook' as const, name: 'hook' },
      templateVersionId: null,
      maxAttempts: 3,
    }));
    const written = await withClient(url, async (client) => {
      await client.query('CREATE EXTENSION pg_walinspect');
      const from = await endOfLog(client);
      const event = testEvent(fixture, { runs });
      expect(await createIngest(db)(event)).toMatchObject({ outcome: 'accepted' });
      const runId = event.runs[0]?.id ?? '';
      expect(await createOwnerClaim(db)({ runId, attemptId: randomUUID() })).toMatchObject({
        outcome: 'claimed',
      });
      const outcome = { ...SUCCEEDED, response: { statusCode: 200, bodyExcerpt: 'ok' } };
      const written = await createOwnerFinish(db)({ runId, attemptNumber: 1, fence: 1 }, outcome);
      expect(written).toBe('finished');
      return writtenByTable(client, from, await endOfLog(client));
    });
    const counts = Object.fromEntries(written.map(({ table, bytes: _bytes, ...rest }) => [table, rest]));
    const inserted = { inserts: 1, hot_updates: 0, other_updates: 0 };
    expect(counts).toMatchObject({
      idempotency_records: { ...inserted, index_entries: 2 },
      messages: { ...inserted, index_entries: 3 },
      delivery_runs: { inserts: 1, hot_updates: 1, other_updates: 1, index_entries: 7 },
      attempts: { inserts: 1, hot_updates: 0, other_updates: 1, index_entries: 3 },
    });
  } finally {
    await database.drop();
  }
});
