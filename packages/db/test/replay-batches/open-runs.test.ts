import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { replayPage } from '../../src/index.ts';
import { countOpenReplayRuns } from '../../src/replay-batches/page-bounds.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../../src/testing/index.ts';
import { WEBHOOK } from '../support.ts';
import { acceptMany, batchNow, createBatch, pageDeps } from './support.ts';

const HOUR_MS = 3_600_000;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Two channels. The second gets open runs of replays by a consumer. */
async function withReplays() {
  const { db } = database;
  const fixture = await createFixture(db, { channels: [WEBHOOK, WEBHOOK] });
  const { environmentId, channels } = fixture;
  const [own = '', others = ''] = channels.map(({ id }) => id);
  await acceptMany(db, fixture, 1);
  const add = (channelId: string, from: number, to: number, secondsAgo: number) => db.$executeRaw`
    INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, replay, status, max_attempts, due_at,
                               created_at, replayed_by_consumer)
    SELECT gen_random_uuid(), environment_id, messages.id, ${channelId}::uuid, 'webhook', number, 'queued', 3, now(),
           now() - make_interval(secs => ${secondsAgo}::int), true
      FROM messages, generate_series(${from}::int, ${to}::int) AS number WHERE environment_id = ${environmentId}::uuid`;
  return { db, fixture, own, others, add };
}

describe('the open runs of other consumers', () => {
  it('do not change how many open runs a bulk replay of a consumer has', async () => {
    const { db, fixture, own, others, add } = await withReplays();
    await add(own, 1, 300, 60);
    await add(others, 1, 10_000, 30);
    const batch = {
      environmentId: fixture.environmentId,
      createdAt: new Date(Date.now() - HOUR_MS),
      ...{ consumerId: 'org_1', channelIds: [own] },
    };
    expect(await countOpenReplayRuns(db, batch)).toEqual({ count: 300, isLowerBound: false });
  });

  it('do not stop a bulk replay of the environment', async () => {
    const { db, fixture, others, add } = await withReplays();
    await add(others, 100_001, 110_000, 30);
    await acceptMany(db, fixture, 2);
    const batch = await createBatch(db, fixture);
    await db.$executeRaw`
      UPDATE replay_batches SET created_at = ${new Date(Date.now() - HOUR_MS)}::timestamptz WHERE id = ${batch.id}::uuid`;
    const page = await replayPage(pageDeps(db), batch);
    expect(page).toMatchObject({ outcome: 'advanced' });
    expect(await batchNow(db, batch.id)).toMatchObject({ replayed: 1, reason: null });
  });
});
