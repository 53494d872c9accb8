import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { countOpenReplayRuns, MAX_OPEN_REPLAY_RUNS } from '../../src/replay-batches/page-bounds.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../../src/testing/index.ts';
import { WEBHOOK } from '../support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('the open runs of a bulk replay of a consumer', () => {
  it('are never taken for few because those of other consumers are newer', async () => {
    const { db } = database;
    const { environmentId, channels } = await createFixture(db, { channels: [WEBHOOK, WEBHOOK] });
    const [own = '', others = ''] = channels.map(({ id }) => id);
    const createdAt = new Date(Date.now() - 3_600_000);
    const counted = () =>
      countOpenReplayRuns(db, { environmentId, createdAt, consumerId: 'org_1', channelIds: [own] });
    await db.$executeRaw`
      INSERT INTO messages (environment_id, id, created_at, event_key, recipient, payload, trace_id)
      VALUES (${environmentId}::uuid, gen_random_uuid(), now(), 'any', '{}', '{}', 'any')`;
    const add = (channelId: string, from: number, to: number, secondsAgo: number) => db.$executeRaw`
      INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, replay, status, max_attempts, due_at,
                                 created_at, replayed_by_consumer)
      SELECT gen_random_uuid(), environment_id, messages.id, ${channelId}::uuid, 'webhook', number, 'queued', 3, now(),
             now() - make_interval(secs => ${secondsAgo}::int), true
        FROM messages, generate_series(${from}::int, ${to}::int) AS number WHERE environment_id = ${environmentId}::uuid`;
    await add(own, 1, 300, 60);
    await add(others, 1, 9_000, 30);
    expect(await counted()).toBe(300);
    await add(others, 9_001, 10_000, 30);
    // The 300 are not among those that are counted.
    expect(await counted()).toBe(MAX_OPEN_REPLAY_RUNS);
  });
});
