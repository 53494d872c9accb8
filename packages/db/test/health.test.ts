import { createUuidV7Source, FIRST_RELEASE_RATE } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  createIngest,
  findHeldChannels,
  foldStats,
  releaseHeldRuns,
  settleHealth,
  switchChannel,
} from '../src/index.ts';
import {
  createFixture,
  createOwnerClaim,
  createTestDatabase,
  type TestDatabase,
} from '../src/testing/index.ts';
import { accepted, eventFor, onlyRun, plannedRuns, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newId = createUuidV7Source();
const deps = () => ({ db: database.db, newId, actor: { name: 'test', requestId: null, traceId: null } });

/** A channel whose `count` runs wait for it. */
async function pausedChannel(count: number) {
  const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
  const channelId = fixture.channels[0]?.id ?? '';
  await switchChannel(deps(), { channelId, to: 'paused' });
  const runs = plannedRuns(fixture).map((run) => ({ ...run, isHeld: true }));
  const ingest = createIngest(database.db);
  for (let n = 0; n < count; n += 1) {
    expect(accepted(await ingest(eventFor(fixture, { runs }))).enqueue).toEqual([]);
  }
  return { fixture, channelId };
}
const heldRuns = (channelId: string) =>
  database.db.deliveryRun.findMany({
    where: { channelId, held: 'paused' },
    orderBy: { id: 'asc' },
    select: { id: true },
  });
const releasing = async (channelId: string) =>
  (await findHeldChannels(database.db, { limit: 100 })).some((found) => found.channelId === channelId);

describe('the release of runs that waited', () => {
  it('keeps to its rate, which rises to its limit, however many workers release at once, oldest first', async () => {
    const { channelId } = await pausedChannel(120);
    await database.db.$executeRaw`
      UPDATE channels SET failure_policy = '{"release_per_second": 10}' WHERE id = ${channelId}::uuid`;
    const order = (await heldRuns(channelId)).map(({ id }) => id);
    expect(await releasing(channelId)).toBe(false);
    await switchChannel(deps(), { channelId, to: 'resumed' });
    const released: string[] = [];
    const perSecond: number[] = [];
    for (let second = 1; released.length < order.length; second += 1) {
      const batches = await Promise.all(
        [1, 2, 3, 4].map(() => releaseHeldRuns({ db: database.db, offsetMs: second * 1_000 }, channelId)),
      );
      const batch = batches.flat().map(({ runId }) => runId);
      perSecond.push(batch.length);
      released.push(...batch.sort());
      expect(second).toBeLessThan(60);
    }
    expect(released).toEqual(order);
    // The first second has its rate; a run that was not due yet may come a second later.
    expect(perSecond[0]).toBeLessThanOrEqual(FIRST_RELEASE_RATE);
    expect(Math.max(...perSecond)).toBeLessThanOrEqual(11);
    expect(Math.max(...perSecond)).toBeGreaterThan(FIRST_RELEASE_RATE * 2);
    const due = await database.db.deliveryRun.count({
      where: { channelId, held: null, dueAt: { lte: new Date() } },
    });
    expect(due).toBe(order.length);
    expect(await releasing(channelId)).toBe(false);
  });

  it('finds a run that was held after its channel was resumed', async () => {
    const { fixture, channelId } = await pausedChannel(0);
    const runId = onlyRun(await createIngest(database.db)(eventFor(fixture)));
    expect(await createOwnerClaim(database.db)({ runId, attemptId: newId() })).toEqual({ outcome: 'held' });
    await switchChannel(deps(), { channelId, to: 'resumed' });
    await database.db.$executeRaw`
      UPDATE channel_health SET release_rate = NULL, released_at = NULL WHERE channel_id = ${channelId}::uuid`;
    expect(await releasing(channelId)).toBe(true);
    expect(await releaseHeldRuns({ db: database.db }, channelId)).toEqual([]);
    const offsetMs = 2_000;
    expect(await releaseHeldRuns({ db: database.db, offsetMs }, channelId)).toMatchObject([
      { runId, attempt: 1 },
    ]);
  });
});

describe('the sweep of many channels', () => {
  it('comes to every channel whose runs can be released, a few in a round', async () => {
    const channels = [await pausedChannel(1), await pausedChannel(1), await pausedChannel(1)];
    for (const { channelId } of channels) await switchChannel(deps(), { channelId, to: 'resumed' });
    const seen: string[] = [];
    let after: string | null = null;
    for (;;) {
      const [found] = await findHeldChannels(database.db, { limit: 1, after });
      if (!found) break;
      seen.push(found.channelId);
      after = found.channelId;
    }
    const sorted = channels.map(({ channelId }) => channelId).sort();
    expect(seen.filter((id) => sorted.includes(id))).toEqual(sorted);
  });

  it('comes to channels behind those that cannot be settled yet', async () => {
    const fixture = await createFixture(database.db, {
      channels: Array.from({ length: 4 }, () => WEBHOOK),
    });
    const ids = fixture.channels.map(({ id }) => id).sort();
    const last = ids.at(-1) ?? '';
    for (const id of ids) {
      await database.db.$executeRaw`
        INSERT INTO channel_health (channel_id, environment_id, state, failing_since, failures)
        VALUES (${id}::uuid, ${fixture.environmentId}::uuid, 'failing', now() - interval '10 days', ${id === last ? 99 : 1})`;
    }
    const state = async () =>
      (await database.db.channelHealth.findUniqueOrThrow({ where: { channelId: last } })).state;
    const options = {
      limit: 1,
      onError: (error: unknown) => {
        throw error;
      },
    };
    let after: string | null = null;
    for (let round = 0; (await state()) === 'failing'; round += 1) {
      expect(round).toBeLessThan(20);
      after = (await settleHealth(deps(), { ...options, after })).next;
    }
    expect(await state()).toBe('paused');
  });
});

describe('the health that follows from counts', () => {
  it('is written when it changes, and not for each attempt or fold', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const channelId = fixture.channels[0]?.id ?? '';
    const count = (errorCode: string, attempts: number) => database.db.$executeRaw`
      INSERT INTO stats_deltas (environment_id, minute, channel_id, event_key, error_code, latency_bucket, accepted, delivered,
                                failed, attempts)
      VALUES (${fixture.environmentId}::uuid, date_trunc('minute', now()), ${channelId}::uuid, 'a.b', ${errorCode}, -1, 0, 0, 0,
              ${attempts}::int)`;
    const version = async () => {
      const [row] = await database.db.$queryRaw<{ xmin: string; failures: number; timeouts: number }[]>`
        SELECT xmin::text, failures, timeouts FROM channel_health WHERE channel_id = ${channelId}::uuid`;
      return row;
    };
    await count('', 3);
    await foldStats(database.db, 1_000);
    const first = await version();
    expect(first).toMatchObject({ failures: 0 });
    for (const code of ['', 'template_render_failed', 'scheduled_cancelled']) {
      await count(code, 5);
      await foldStats(database.db, 1_000);
    }
    expect(await version()).toEqual(first);
    await count('webhook_timeout', 4);
    await count('webhook_http_error', 1);
    await foldStats(database.db, 1_000);
    expect(await version()).toMatchObject({ failures: 5, timeouts: 4 });
    await count('webhook_timeout', 500);
    await foldStats(database.db, 1_000);
    const full = await version();
    expect(full).toMatchObject({ failures: 100 });
    await count('webhook_timeout', 500);
    await foldStats(database.db, 1_000);
    expect(await version()).toEqual(full);
    await count('webhook_timeout', 5);
    await count('', 1);
    await foldStats(database.db, 1_000);
    expect(await version()).toMatchObject({ failures: 0, timeouts: 0 });
    expect(
      (await database.db.channelHealth.findUniqueOrThrow({ where: { channelId } })).failingSince,
    ).toBeNull();
  });
});
