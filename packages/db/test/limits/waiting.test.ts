import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  acrossEnvironments,
  type Database,
  expireLimitedRuns,
  findExpiredLimited,
  openDatabase,
  pollChannels,
  readBacklog,
  readDeliveries,
  recordPresence,
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

/** The times in which there were workers, in minutes before now. */
async function presentBetween(...times: readonly (readonly [from: number, to: number])[]): Promise<void> {
  await database.db.workerPresence.deleteMany();
  for (const [from, to] of times) {
    await database.db.$executeRaw`
      INSERT INTO worker_presence (began_at, seen_at)
      VALUES (now() - make_interval(mins => ${from}::int), now() - make_interval(mins => ${to}::int))`;
  }
}

describe('runs that wait for the limits of their channel', () => {
  it('are not in the backlog, are found by a poll only when the limits allow one, and expire', async () => {
    await presentBetween([60, 0]);
    const channel = await limited({ maxPerSecond: 0.01 }, 3);
    const poll = async (aheadMs: number) => {
      const asked = { kinds: ['webhook'], without: [], aheadMs, limit: 1_000 };
      return (await pollChannels(database.db, asked)).find(
        ({ channelId }) => channelId === channel.channelId,
      );
    };
    const isPolled = async () => (await poll(0)) !== undefined;
    const find = async () =>
      (await findExpiredLimited(database.db, { limit: 1_000, after: null })).find(
        ({ channelId }) => channelId === channel.channelId,
      );
    expect(await poll(0)).toMatchObject({ hasMaxInFlight: false });
    expect(await find()).toBeUndefined();
    await claimOnce(worker, channel);
    expect([await isPolled(), await find()]).toEqual([false, undefined]);
    // The rate allows the next one only later.
    expect((await poll(120_000))?.dueInMs).toBeGreaterThan(0);
    const [state] = await database.db.$queryRaw<{ rate_state: number }[]>`
      SELECT rate_state FROM channel_limit_states WHERE channel_id = ${channel.channelId}::uuid`;
    const allow = (rateState: number | undefined) => database.db.$executeRaw`
      UPDATE channel_limit_states SET rate_state = ${rateState}::float8 WHERE channel_id = ${channel.channelId}::uuid`;
    // It is late by the time since its rate allows a run, which was due long before.
    await database.db.$executeRaw`
      UPDATE delivery_runs SET due_at = due_at - interval '1 hour' WHERE channel_id = ${channel.channelId}::uuid AND status = 'queued'`;
    await allow(Date.now() - 60_000);
    expect((await poll(0))?.dueInMs).toBeGreaterThan(-1_800_000);
    expect((await poll(0))?.dueInMs).toBeLessThan(0);
    // The state of a lower rate says nothing. The next claim corrects it.
    await allow(Date.now() + 600_000);
    expect((await poll(0))?.dueInMs).toBe(0);
    await allow(state?.rate_state);
    expect(await readBacklog(database.db)).toContainEqual(
      expect.objectContaining({ kind: 'email', dueRuns: 0 }),
    );
    await database.db.$executeRaw`
      UPDATE channels SET failure_policy = '{"max_age": 30}' WHERE id = ${channel.channelId}::uuid`;
    const found = await find();
    expect(found).toMatchObject({ maxAgeSeconds: 30 });
    expect(found && (await expireLimitedRuns({ db: database.db, newId }, found))).toBe(2);
    expect(await find()).toBeUndefined();
  });

  it('expire by the time with workers, not by the time without', async () => {
    const channel = await limited({ maxPerSecond: 0.01 }, 3);
    const { channelId } = channel;
    await claimOnce(worker, channel);
    await database.db.$executeRaw`
      UPDATE delivery_runs SET due_at = due_at - interval '9 hours' WHERE channel_id = ${channelId}::uuid`;
    // Ten minutes before the outage, and fifteen since.
    await presentBetween([800, 530], [15, 0]);
    const expireAfter = async (minutes: number) => {
      const policy = JSON.stringify({ max_age: minutes * 60 });
      await database.db.$executeRaw`
        UPDATE channels SET failure_policy = ${policy}::jsonb WHERE id = ${channelId}::uuid`;
      const found = (await findExpiredLimited(database.db, { limit: 1_000, after: null })).find(
        (each) => each.channelId === channelId,
      );
      const asked = { channelId, maxAgeSeconds: minutes * 60 };
      return [found !== undefined, await expireLimitedRuns({ db: database.db, newId }, asked)];
    };
    expect(await expireAfter(30)).toEqual([false, 0]);
    expect(await expireAfter(20)).toEqual([true, 2]);
  });

  it('are polled again when a lease ends, when the limits change, and for a test', async () => {
    const channel = await limited({ maxInFlight: 1 }, 3);
    const { channelId } = channel;
    const isPolled = async () => {
      const asked = { kinds: ['webhook'], without: [], aheadMs: 0, limit: 1_000 };
      return (await pollChannels(database.db, asked)).some((polled) => polled.channelId === channelId);
    };
    await claimOnce(worker, channel);
    expect(await isPolled()).toBe(false);
    await setLimits(database.db, channelId, { maxInFlight: 2 });
    expect(await isPolled()).toBe(true);
    await setLimits(database.db, channelId, { maxInFlight: 1 });
    expect(await isPolled()).toBe(false);
    await database.db.$executeRaw`
      UPDATE delivery_runs SET test = true WHERE id = ${channel.runIds[2]}::uuid`;
    expect(await isPolled()).toBe(true);
  });

  it('report their place and expected time', async () => {
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

  it('cost no more for a page of runs than for a few', async () => {
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

describe('the presence of workers', () => {
  const asWorker = () => acrossEnvironments(worker);
  const intervals = () => database.db.workerPresence.findMany({ orderBy: { beganAt: 'asc' } });
  const lastSeen = (secondsAgo: number) =>
    database.db
      .$executeRaw`UPDATE worker_presence SET seen_at = now() - make_interval(secs => ${secondsAgo}::int)`;

  it('is one interval without a gap, and another one after a gap', async () => {
    await presentBetween();
    await Promise.all([recordPresence(asWorker()), recordPresence(asWorker()), recordPresence(database.db)]);
    const [first] = (await intervals()).slice(-1);
    await recordPresence(asWorker());
    expect((await intervals()).at(-1)).toEqual(first);
    await lastSeen(30);
    await recordPresence(asWorker());
    const [extended] = (await intervals()).slice(-1);
    expect(extended?.beganAt).toEqual(first?.beganAt);
    expect(Number(extended?.seenAt)).toBeGreaterThanOrEqual(Number(first?.seenAt));
    await lastSeen(120);
    const before = (await intervals()).length;
    await recordPresence(asWorker());
    expect(await intervals()).toHaveLength(before + 1);
  });

  it('keeps only the last intervals', async () => {
    await database.db.$executeRaw`
      INSERT INTO worker_presence (began_at, seen_at)
      SELECT at, at FROM generate_series(now() - interval '30 days', now() - interval '1 day', interval '1 hour') AS at`;
    await recordPresence(asWorker());
    expect((await intervals()).length).toBeLessThanOrEqual(201);
  });
});
