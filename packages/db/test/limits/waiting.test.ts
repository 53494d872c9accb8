import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  type Database,
  expireLimitedRuns,
  findOverdueRuns,
  findWaitingLimited,
  openDatabase,
  readBacklog,
  readDeliveries,
} from '../../src/index.ts';
import { createTestDatabase, type TestDatabase } from '../../src/testing/index.ts';
import { claimOnce, createLimited, newId, setLimits } from './support.ts';

let database: TestDatabase;
let worker: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  worker = openDatabase(database.urlFor('postrider_worker'));
});
afterAll(async () => {
  await worker.$disconnect();
  await database.drop();
});

const limited = (limits: { maxPerSecond?: number; maxInFlight?: number }, count: number) =>
  createLimited(database.db, limits, count);

describe('runs that wait for the limits of their channel', () => {
  it('are no backlog and need no jobs, are found when nobody sees to them, and expire', async () => {
    const channel = await limited({ maxPerSecond: 0.01 }, 3);
    const find = async () =>
      (await findWaitingLimited(database.db, { limit: 1_000, after: null, graceMs: 500 })).find(
        ({ channelId }) => channelId === channel.channelId,
      );
    expect(await find()).toMatchObject({ isNeglected: true, hasExpired: false, kind: 'webhook' });
    await claimOnce(worker, channel);
    expect(await find()).toBeUndefined();
    const overdue = await findOverdueRuns(database.db, {
      ...{ kind: 'webhook', withoutChannels: [], graceMs: 0, perChannel: 100, limit: 10_000 },
    });
    expect(overdue.some(({ channelId }) => channelId === channel.channelId)).toBe(false);
    expect(await readBacklog(database.db)).toContainEqual(
      expect.objectContaining({ kind: 'email', dueRuns: 0 }),
    );
    await database.db.$executeRaw`
      UPDATE channels SET failure_policy = '{"max_age": 30}' WHERE id = ${channel.channelId}::uuid`;
    const found = await find();
    expect(found).toMatchObject({ isNeglected: false, hasExpired: true, maxAgeSeconds: 30 });
    expect(found && (await expireLimitedRuns({ db: database.db, newId }, found))).toBe(2);
    expect(await find()).toBeUndefined();
  });

  it('say how many are before them and when they are expected', async () => {
    const channel = await limited({ maxPerSecond: 0.02 }, 4);
    await claimOnce(worker, channel);
    const messageOf = async (runId = '') =>
      (await database.db.deliveryRun.findUniqueOrThrow({ where: { id: runId } })).messageId;
    const read = async (index: number) => {
      const { environmentId, runIds } = channel;
      const page = await readDeliveries(database.db, {
        environmentId,
        messageId: await messageOf(runIds[index]),
      });
      return page?.rows[0];
    };
    expect(await read(0)).toMatchObject({ heldBy: null, queue: null });
    const [second, last] = [await read(1), await read(3)];
    expect([second?.heldBy, second?.queue?.ahead, last?.queue?.ahead]).toEqual(['channel_limits', 0, 2]);
    expect(Number(last?.queue?.expectedAt) - Number(second?.queue?.expectedAt)).toBe(100_000);
    await setLimits(database.db, channel.channelId, { maxPerSecond: null, maxInFlight: 1 });
    expect((await read(2))?.queue).toEqual({ ahead: 1, expectedAt: null });
  });

  it('count no more of a long backlog for a page of runs than for a few', async () => {
    const { runIds, environmentId } = await limited({ maxPerSecond: 1 }, 1);
    await database.db.$executeRaw`
      INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, template_version_id, replay, status,
                                 max_attempts, due_at, created_at)
      SELECT gen_random_uuid(), environment_id, message_id, channel_id, channel_kind, template_version_id, again, 'queued',
             max_attempts, due_at + make_interval(secs => again / 1000.0), created_at
        FROM delivery_runs run CROSS JOIN generate_series(1, 599) AS again WHERE run.id = ${runIds[0]}::uuid`;
    const { messageId } = await database.db.deliveryRun.findUniqueOrThrow({ where: { id: runIds[0] ?? '' } });
    const read = async (after: number, limit: number) => {
      const place = await database.db.deliveryRun.findFirstOrThrow({ where: { messageId, replay: after } });
      const page = await readDeliveries(database.db, {
        ...{ environmentId, messageId, limit },
        after: place.id,
      });
      return page?.rows.at(-1)?.queue;
    };
    expect(await read(598, 1)).toMatchObject({ ahead: 599, expectedAt: expect.any(Date) });
    expect(await read(499, 100)).toEqual({ ahead: 500, expectedAt: null });
  });
});
