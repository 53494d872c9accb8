import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { isAttemptPosition, listChannelAttempts } from '../src/index.ts';
import { createFixture, createTestDatabase, type Fixture, type TestDatabase } from '../src/testing/index.ts';
import { WEBHOOK } from './support.ts';

let database: TestDatabase;
let fixture: Fixture;

beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 1 });
  const { db } = database;
  fixture = await createFixture(db, { channels: [WEBHOOK, { ...WEBHOOK, name: 'other' }] });
  const { environmentId } = fixture;
  // 300 messages. Every third was tried three times, with the last one successful.
  await db.$executeRaw`
    INSERT INTO messages (environment_id, id, event_key, recipient, payload, trace_id, created_at)
    SELECT ${environmentId}::uuid, gen_random_uuid(), 'order.shipped', '{}', '{}', repeat('0', 32), now() FROM generate_series(1, 300)`;
  for (const { id } of fixture.channels)
    await db.$executeRaw`
      INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, status, max_attempts, due_at, created_at, attempt_count)
      SELECT gen_random_uuid(), environment_id, id, ${id}::uuid, 'webhook', 'retrying', 3, now(), now(),
             CASE WHEN row_number() OVER (ORDER BY id) % 3 = 0 THEN 3 ELSE 0 END
        FROM messages WHERE environment_id = ${environmentId}::uuid`;
  await db.$executeRaw`
    INSERT INTO attempts (run_id, number, id, fence, status, error_code, started_at, completed_at, response_status)
    SELECT id, number, gen_random_uuid(), 1, CASE number WHEN 3 THEN 'succeeded' ELSE 'failed' END,
           CASE number WHEN 3 THEN NULL ELSE 'webhook_http_error' END, now(), now(), CASE number WHEN 3 THEN 200 ELSE 500 END
      FROM delivery_runs, generate_series(1, 3) AS number WHERE attempt_count > 0`;
}, 60_000);
afterAll(() => database.drop());

/** All attempts of the first channel, by pages of 7. */
async function listAll(filters: object = {}) {
  const found = [];
  let after: string | null = null;
  do {
    const [channel] = fixture.channels;
    const query = {
      channelId: channel?.id ?? '',
      environmentId: fixture.environmentId,
      after,
      limit: 7,
      ...filters,
    };
    const page: Awaited<ReturnType<typeof listChannelAttempts>> = await listChannelAttempts(
      database.db,
      query,
    );
    found.push(...page.rows);
    after = page.nextAfter;
    expect(after === null || isAttemptPosition(after)).toBe(true);
  } while (after !== null);
  return found;
}

describe('the attempts of a channel', () => {
  it('are on exactly one page each, newest message first, and those of no other channel', async () => {
    const all = await listAll();
    expect(all).toHaveLength(300);
    expect(new Set(all.map(({ id }) => id)).size).toBe(300);
    const order = all.map(({ messageId, runId, number }) => `${messageId} ${runId} ${number}`);
    expect(order).toEqual([...order].sort().reverse());
  });

  it('can be searched by outcome and error', async () => {
    const failed = await listAll({ outcome: 'failed', errorCode: 'webhook_http_error' });
    expect(failed).toHaveLength(200);
    expect(failed[0]).toMatchObject({
      eventKey: 'order.shipped',
      runStatus: 'retrying',
      response: { statusCode: 500 },
    });
    expect(await listAll({ outcome: 'succeeded' })).toHaveLength(100);
    expect(await listAll({ startedAfter: new Date(Date.now() + 60_000) })).toEqual([]);
  });
});
