import { createUuidV7Source, FIRST_RELEASE_RATE } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import type { SettleDeps } from '../src/health/settle.ts';
import {
  addSuppression,
  countPaused,
  createAddressHashKey,
  createIngest,
  deleteChannel,
  findHeldChannels,
  findReleasingChannels,
  foldStats,
  inTransaction,
  releaseHeldRuns,
  rescheduleMessage,
  settleHealth,
  switchChannel,
} from '../src/index.ts';
import {
  actorNamed,
  createFixture,
  createOwnerClaim,
  createTestDatabase,
  createTestKeys,
  passTime,
  type TestDatabase,
  testKinds,
} from '../src/testing/index.ts';
import { accepted, eventFor, onlyRun, plannedRuns, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newId = createUuidV7Source();
const deps = () => ({
  db: database.db,
  newId,
  kinds: testKinds,
  actor: actorNamed('test'),
});

/** A channel whose `count` runs wait for it. */
async function pausedChannel(count: number) {
  const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
  const channelId = fixture.channels[0]?.id ?? '';
  await switchChannel(deps(), { channelId, to: 'paused' });
  const runs = plannedRuns(fixture).map((run) => ({ ...run, isHeld: true }));
  const ingest = createIngest(database.db);
  for (let n = 0; n < count; n += 1) {
    expect(accepted(await ingest(eventFor(fixture, { runs }))).wakeUps).toEqual([]);
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
  (await findHeldChannels(database.db, { limit: 100 })).channels.some(
    (found) => found.channelId === channelId,
  );

async function clockMs(): Promise<number> {
  const [row] = await database.db.$queryRaw<{ ms: number }[]>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`;
  return row?.ms ?? Number.NaN;
}

describe('the release of held runs', () => {
  it('keeps its rate, which rises to a limit, with any number of workers, oldest first', async () => {
    const { channelId } = await pausedChannel(120);
    await database.db.$executeRaw`
      UPDATE channels SET failure_policy = '{"release_per_second": 10}' WHERE id = ${channelId}::uuid`;
    const order = (await heldRuns(channelId)).map(({ id }) => id);
    expect(await releasing(channelId)).toBe(false);
    // Since the last release, or since the resume. The database's clock also moves on.
    let since = await clockMs();
    await switchChannel(deps(), { channelId, to: 'resumed' });
    const released: string[] = [];
    const perSecond: number[] = [];
    for (let second = 1; released.length < order.length; second += 1) {
      const beganAt = await clockMs();
      await passTime(database.db, channelId, 1_000);
      const batches = await Promise.all(
        [1, 2, 3, 4].map(() => releaseHeldRuns({ db: database.db }, channelId)),
      );
      const batch = batches.flat().map(({ runId }) => runId);
      const seconds = 1 + ((await clockMs()) - since) / 1_000;
      since = beganAt;
      // The first second has its rate; a run that was not due yet may come a second later.
      const most = second === 1 ? FIRST_RELEASE_RATE * seconds : 10 * seconds + 1;
      expect(batch.length).toBeLessThanOrEqual(most);
      perSecond.push(batch.length);
      released.push(...batch.sort());
      expect(second).toBeLessThan(60);
    }
    expect(released).toEqual(order);
    expect(Math.max(...perSecond)).toBeGreaterThan(FIRST_RELEASE_RATE * 2);
    const due = await database.db.deliveryRun.count({
      where: { channelId, held: 'released', dueAt: { lte: new Date() } },
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
    await passTime(database.db, channelId, 2_000);
    expect(await releaseHeldRuns({ db: database.db }, channelId)).toMatchObject([{ runId, delayMs: 0 }]);
  });
});

describe('the sweep of many channels', () => {
  it('reaches every channel whose runs can be released, a few in each round', async () => {
    const channels = [await pausedChannel(1), await pausedChannel(1), await pausedChannel(1)];
    for (const { channelId } of channels) await switchChannel(deps(), { channelId, to: 'resumed' });
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const found = await findHeldChannels(database.db, { limit: 1, after });
      expect(found.channels.length).toBeLessThanOrEqual(1);
      seen.push(...found.channels.map(({ channelId }) => channelId));
      after = found.next;
    } while (after !== null);
    const sorted = channels.map(({ channelId }) => channelId).sort();
    expect(seen.filter((id) => sorted.includes(id))).toEqual(sorted);
    const releasing = await findReleasingChannels(database.db, 100);
    expect(releasing.filter((id) => sorted.includes(id)).sort()).toEqual(sorted);
    expect(await findReleasingChannels(database.db, 1)).toHaveLength(1);
  });

  it('reaches channels behind those that cannot be settled yet', async () => {
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

/** A channel that was paused because of failures; its next probe is due in five minutes. */
async function failedChannel(count: number) {
  const paused = await pausedChannel(count);
  await database.db.$executeRaw`
    UPDATE channel_health SET reason = 'failures', next_probe_at = now() + interval '5 minutes'
     WHERE channel_id = ${paused.channelId}::uuid`;
  return paused;
}
/** Runs one round of the sweep after this time, by default six minutes. Returns the probes of this channel. */
async function settle(channelId: string, passedMs = 360_000, more: Partial<SettleDeps> = {}) {
  await passTime(database.db, channelId, passedMs);
  const onError = (error: unknown) => {
    throw error;
  };
  const { probes } = await settleHealth(
    { db: database.db, newId, kinds: testKinds, ...more },
    { limit: 1_000, after: null, onError },
  );
  const runs = await database.db.deliveryRun.findMany({ where: { channelId }, select: { id: true } });
  return probes.filter(({ runId }) => runs.some(({ id }) => id === runId)).map(({ runId }) => runId);
}
const healthOf = (channelId: string) => database.db.channelHealth.findUniqueOrThrow({ where: { channelId } });

describe('the probe of a paused channel', () => {
  it('is the oldest run whose event has not expired; earlier ones end at once', async () => {
    const { fixture, channelId } = await failedChannel(5);
    const runs = await heldRuns(channelId);
    const oldest = runs.slice(0, 3).map(({ id }) => id);
    await database.db.$executeRaw`
      UPDATE messages SET expires_at = now() - interval '1 hour' FROM delivery_runs run
       WHERE run.message_id = messages.id AND run.id = ANY (${oldest}::uuid[])`;
    expect(await settle(channelId)).toEqual([runs[3]?.id]);
    const ended = await database.db.attempt.findMany({ where: { runId: { in: oldest } } });
    expect(ended.map(({ errorCode }) => errorCode)).toEqual(Array(3).fill('expired'));
    expect(await database.db.message.count({ where: { environmentId: fixture.environmentId } })).toBe(5);
    expect(await healthOf(channelId)).toMatchObject({ probes: 0, probeRunId: runs[3]?.id });
  });

  it('is the oldest run also where as many runs are held as are examined at once', async () => {
    const { channelId } = await failedChannel(500);
    const runs = await heldRuns(channelId);
    expect(await settle(channelId)).toEqual([runs[0]?.id]);
    expect(await heldRuns(channelId)).toEqual(runs.slice(1));
  });

  it('is the oldest run whose recipient is not suppressed; earlier ones end at once', async () => {
    const email = {
      kind: 'email',
      name: 'mail',
      config: { smtp: { host: 'mail.test', port: 25 }, from: { email: 'shop@mail.test' } },
    } as const;
    const fixture = await createFixture(database.db, { channels: [email] });
    const channelId = fixture.channels[0]?.id ?? '';
    const { environmentId } = fixture;
    await switchChannel(deps(), { channelId, to: 'paused' });
    await database.db.$executeRaw`
      UPDATE channel_health SET reason = 'failures', next_probe_at = now() WHERE channel_id = ${channelId}::uuid`;
    const ingest = createIngest(database.db);
    const runs = plannedRuns(fixture).map((run) => ({
      ...run,
      channel: { ...run.channel, kind: 'email' as const },
      isHeld: true,
    }));
    for (const name of ['ada', 'ada', 'grace', 'ada']) {
      accepted(await ingest(eventFor(fixture, { runs, recipient: { email: `${name}@example.com` } })));
    }
    const keys = createTestKeys(database.db);
    await addSuppression(
      { ...deps(), keys: await keys.get() },
      { environmentId, email: 'ada@example.com', scope: 'all', source: 'manual', reason: null },
    );
    const [, , third] = await heldRuns(channelId);
    const addressHashKey = createAddressHashKey(keys, () => undefined);
    expect(await settle(channelId, 360_000, { addressHashKey })).toEqual([third?.id]);
    const ended = await database.db.deliveryRun.findMany({
      where: { channelId, completedAt: { not: null } },
      select: { id: true, status: true, lastErrorCode: true },
    });
    const refused = { id: expect.any(String), status: 'failed', lastErrorCode: 'recipient_suppressed' };
    expect(ended).toEqual(Array(3).fill(refused));
    const attempts = await database.db.attempt.findMany({
      where: { runId: { in: ended.map(({ id }) => id) } },
      select: { errorMessage: true },
    });
    // As of a run that a claim ends.
    const errorMessage =
      "Nothing was sent: the recipient's address is on the suppression list (manual, scope all).";
    expect(attempts).toEqual(Array(3).fill({ errorMessage }));
  });

  it('ends with a run that a worker of the previous release has ended', async () => {
    const { channelId } = await failedChannel(2);
    const [probe] = await settle(channelId);
    await database.db.$executeRaw`
      UPDATE delivery_runs SET status = 'succeeded', completed_at = now() WHERE id = ${probe}::uuid AND held = 'probe'`;
    await settle(channelId);
    expect(await healthOf(channelId)).toMatchObject({ state: 'ok', probeRunId: null });
  });

  it('is inconclusive if its run is rescheduled before its claim: the next run is used at once', async () => {
    const { fixture, channelId } = await failedChannel(0);
    const scheduleAt = new Date(Date.now() + 3_600_000);
    const first = accepted(await createIngest(database.db)(eventFor(fixture, { scheduleAt })));
    const runId = first.wakeUps[0]?.runId ?? '';
    await database.db.$executeRaw`UPDATE delivery_runs SET due_at = now() WHERE id = ${runId}::uuid`;
    const claim = createOwnerClaim(database.db);
    expect(await claim({ runId, attemptId: newId() })).toEqual({ outcome: 'held' });
    expect(await settle(channelId)).toEqual([runId]);
    const second = onlyRun(await createIngest(database.db)(eventFor(fixture)));
    expect(await claim({ runId: second, attemptId: newId() })).toEqual({ outcome: 'held' });
    const { environmentId } = fixture;
    await inTransaction({ db: database.db }, (tx) =>
      rescheduleMessage(tx, { environmentId, messageId: first.messageId, scheduleAt }),
    );
    expect(await settle(channelId, 0)).toEqual([second]);
    expect(await healthOf(channelId)).toMatchObject({ probes: 0, probeRunId: second });
  });

  it('is held again if an operator pauses the channel before a claim', async () => {
    const { channelId } = await failedChannel(1);
    const [probe = ''] = await settle(channelId);
    await switchChannel(deps(), { channelId, to: 'paused' });
    const claimed = await createOwnerClaim(database.db)({ runId: probe, attemptId: newId() });
    expect(claimed).toEqual({ outcome: 'held' });
    expect(await settle(channelId, 7_200_000)).toEqual([]);
    await switchChannel(deps(), { channelId, to: 'resumed' });
    await passTime(database.db, channelId, 2_000);
    expect(await releaseHeldRuns({ db: database.db }, channelId)).toMatchObject([{ runId: probe }]);
  });
});

describe('paused channels', () => {
  it('are not counted once they are deleted', async () => {
    const before = await countPaused(database.db);
    const { channelId } = await pausedChannel(1);
    expect(await countPaused(database.db)).toEqual({
      channels: before.channels + 1,
      runs: before.runs + 1,
    });
    await deleteChannel(deps(), channelId);
    expect(await countPaused(database.db)).toEqual(before);
  });
});

describe('the health derived from counts', () => {
  it('is only written when it changes', async () => {
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
