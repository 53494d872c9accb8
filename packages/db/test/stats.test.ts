import { createUuidV7Source, LOSSES_BEFORE_QUARANTINE } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  acceptInEnvironment,
  cancelRun,
  createErasure,
  createIngest,
  type EndedAttempt,
  endLostRun,
  erasePage,
  foldStats,
  readStats,
  releaseExpiredLeases,
  removeExpiredMessages,
  type StatsGroup,
} from '../src/index.ts';
import { MAX_PAGE_BYTES } from '../src/pages.ts';
import {
  actorNamed,
  createFixture,
  createOwnerClaim,
  createOwnerFinish,
  createTestDatabase,
  createTestKeys,
  type Fixture,
  failedWith,
  SUCCEEDED,
  type TestDatabase,
} from '../src/testing/index.ts';
import { eventFor, plannedRuns, WEBHOOK } from './support.ts';

let database: TestDatabase;
const newId = createUuidV7Source();
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const DAY_MS = 86_400_000;

async function foldAll(): Promise<void> {
  for (let last = 0n, rows = 7; rows > 0; ) ({ last, rows } = await foldStats(database.db, 7, last));
}

async function statsOf(fixture: Fixture, groupBy: StatsGroup | null = null) {
  const { environmentId } = fixture;
  const [from, to] = [new Date(Date.now() - DAY_MS), new Date(Date.now() + DAY_MS)];
  const read = (interval: 'minute' | 'hour') =>
    readStats(database.db, { environmentId, interval, from, to, groupBy });
  const [minutes, hours] = [await read('minute'), await read('hour')];
  expect(minutes?.totals).toEqual(hours?.totals);
  return hours;
}

/** The same figures, counted over the rows. */
async function rowsOf({ environmentId }: Fixture) {
  const [counted] = await database.db.$queryRaw<object[]>`
    SELECT (SELECT count(*)::int FROM messages WHERE environment_id = ${environmentId}::uuid AND NOT test) AS accepted,
           count(*) FILTER (WHERE attempt.status <> 'running')::int AS attempts,
           count(DISTINCT run.id) FILTER (WHERE run.status = 'succeeded')::int AS delivered,
           count(DISTINCT run.id) FILTER (WHERE run.status = 'failed')::int AS failed
      FROM delivery_runs run LEFT JOIN attempts attempt ON attempt.run_id = run.id
      JOIN messages message ON message.environment_id = run.environment_id AND message.id = run.message_id
     WHERE run.environment_id = ${environmentId}::uuid AND NOT message.test`;
  return counted;
}

const RETRIED = failedWith('webhook_timeout', { status: 'retrying', delayMs: 0 });
const FAILED = failedWith('webhook_http_error', { status: 'failed' }, { retryable: false });

async function attempt(runId: string, outcome: EndedAttempt['outcome']): Promise<void> {
  const claim = createOwnerClaim(database.db);
  const claimed = await claim({ runId, attemptId: newId() });
  if (claimed.outcome !== 'claimed') throw new Error(claimed.outcome);
  expect(await createOwnerFinish(database.db)(claimed.run, outcome)).toBe('finished');
}

async function accept(fixture: Fixture, changes: Parameters<typeof eventFor>[1] = {}) {
  const accepted = await createIngest(database.db)(eventFor(fixture, changes));
  if (accepted.outcome !== 'accepted') throw new Error(accepted.outcome);
  return { messageId: accepted.messageId, runIds: accepted.wakeUps.map(({ runId }) => runId) };
}

describe('the figures', () => {
  it('are not read beyond a number of stored rows', async () => {
    const fixture = await createFixture(database.db);
    const { environmentId } = fixture;
    await database.db.$executeRaw`
      INSERT INTO stats (environment_id, span_seconds, start, channel_id, event_key, error_code, latency_bucket,
                         accepted, delivered, failed, attempts)
      SELECT ${environmentId}::uuid, 3600, date_trunc('hour', now()) - make_interval(hours => i % 4), gen_random_uuid(),
             'order.shipped', '', -1, 1, 0, 0, 0
        FROM generate_series(1, 40) AS i`;
    const now = Date.now();
    const read = (hours: number, maxStoredRows: number) =>
      readStats(
        database.db,
        {
          environmentId,
          interval: 'hour',
          from: new Date(now - hours * 3_600_000),
          to: new Date(now),
          groupBy: null,
        },
        { maxStoredRows },
      );
    expect((await read(24, 40))?.totals.accepted).toBe(40);
    expect(await read(24, 39)).toBeNull();
    expect((await read(1, 39))?.totals.accepted).toBe(10);
  });

  it('are the same, however few stored rows a statement reads', async () => {
    const { environmentId } = await createFixture(database.db);
    await database.db.$executeRaw`
      INSERT INTO stats (environment_id, span_seconds, start, channel_id, sender, event_key, error_code, latency_bucket,
                         accepted, delivered, failed, attempts)
      SELECT ${environmentId}::uuid, 3600, date_trunc('hour', now()) - make_interval(hours => i / 40),
             ('00000000-0000-0000-0000-00000000000' || i % 2)::uuid, CASE WHEN i % 3 = 0 THEN 'main' ELSE '' END,
             'order.e' || i % 5, CASE WHEN i % 4 = 0 THEN 'webhook_timeout' ELSE '' END, i / 20 % 3 - 1, 1, i, 0, i
        FROM generate_series(0, 119) AS i
      ON CONFLICT DO NOTHING`;
    const now = Date.now();
    const query = {
      environmentId,
      interval: 'hour',
      from: new Date(now - DAY_MS),
      to: new Date(now),
    } as const;
    for (const groupBy of [null, 'channel', 'channel_kind', 'sender', 'event_key', 'error_code'] as const) {
      const read = (maxRowsByStatement: number) =>
        readStats(database.db, { ...query, groupBy }, { maxRowsByStatement });
      const atOnce = await read(1_000);
      expect(atOnce?.buckets).toHaveLength(3);
      expect(await read(7)).toEqual(atOnce);
      expect(await read(40)).toEqual(atOnce);
    }
  });

  it('have no more groups than fit into a response of 2 MiB', async () => {
    const { environmentId } = await createFixture(database.db);
    const insert = (from: number, to: number) => database.db.$executeRaw`
      INSERT INTO stats (environment_id, span_seconds, start, channel_id, event_key, error_code, latency_bucket,
                         accepted, delivered, failed, attempts)
      SELECT ${environmentId}::uuid, 3600, date_trunc('hour', now()), '00000000-0000-0000-0000-000000000000',
             'order.' || lpad(i::text, 122, 'x'), '', 12, 1000000, 1000000, 1000000, 1000000
        FROM generate_series(${from}::int, ${to}::int) AS i`;
    const now = Date.now();
    const query = {
      environmentId,
      interval: 'hour',
      from: new Date(now - 3_600_000),
      to: new Date(now + 3_600_000),
    } as const;
    const read = () => readStats(database.db, { ...query, groupBy: 'event_key' });
    await insert(1, 5_000);
    const most = await read();
    expect(most?.buckets[0]?.groups).toHaveLength(5_000);
    expect(JSON.stringify(most).length).toBeLessThan(MAX_PAGE_BYTES);
    await insert(5_001, 5_001);
    expect(await read()).toBeNull();
    expect((await readStats(database.db, { ...query, groupBy: null }))?.totals.accepted).toBe(5_001_000_000);
  });

  it('match the rows, with any result of attempts, and count nothing twice', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK, { ...WEBHOOK, name: 'Other' }] });
    const one = await accept(fixture);
    const other = await accept(fixture);
    await accept(fixture);
    const [first = '', second = ''] = one.runIds;
    const [third = '', fourth = ''] = other.runIds;
    await attempt(first, SUCCEEDED);
    await attempt(second, RETRIED);
    await attempt(second, SUCCEEDED);
    await attempt(third, FAILED);
    await attempt(fourth, RETRIED);
    await foldAll();

    const stats = await statsOf(fixture);
    expect(stats?.totals).toMatchObject((await rowsOf(fixture)) ?? {});
    expect(stats?.totals).toMatchObject({ accepted: 3, attempts: 5, delivered: 2, failed: 1 });
    expect(stats?.totals.latency).toEqual({
      p50: expect.any(Number),
      p95: expect.any(Number),
      p99: expect.any(Number),
    });
    const byError = (await statsOf(fixture, 'error_code'))?.buckets.flatMap(({ groups }) => groups) ?? [];
    const sumOf = (code: string) =>
      byError.filter(({ key }) => key === code).reduce((sum, { attempts }) => sum + attempts, 0);
    expect([sumOf('webhook_timeout'), sumOf('webhook_http_error')]).toEqual([2, 1]);
    const byChannel = (await statsOf(fixture, 'channel'))?.buckets.flatMap(({ groups }) => groups) ?? [];
    expect(new Set(byChannel.map(({ key }) => key))).toEqual(new Set(fixture.channels.map(({ id }) => id)));
    expect(byChannel.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(5);
  });

  it('count an attempt for the mail account that decided it, also beside others of its batch', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK, { ...WEBHOOK, name: 'Other' }] });
    const runIds = (await Promise.all([1, 2, 3].map(() => accept(fixture)))).flatMap((each) => each.runIds);
    const outcomes = ['main', 'main', 'backup', undefined, 'backup', 'main'].map((account, index) => ({
      ...(index === 0 ? FAILED : SUCCEEDED),
      account,
    }));
    await Promise.all(runIds.map((runId, index) => attempt(runId, outcomes[index] ?? SUCCEEDED)));
    await foldAll();
    const groups = (await statsOf(fixture, 'sender'))?.buckets.flatMap((bucket) => bucket.groups) ?? [];
    const [one, other] = fixture.channels.map(({ id }) => id);
    expect(Object.fromEntries(groups.map((group) => [group.key, group]))).toMatchObject({
      [`${one}/main`]: { attempts: 1, delivered: 0, failed: 1 },
      [`${one}/backup`]: { attempts: 2, delivered: 2, failed: 0 },
      [`${other}/main`]: { attempts: 2, delivered: 2, failed: 0 },
    });
    expect(groups).toHaveLength(3);
    expect((await statsOf(fixture))?.totals).toMatchObject({ attempts: 6, delivered: 5, failed: 1 });
  });

  it('contain a limited number of event keys, and the sum of the others', async () => {
    const [greedy, other] = [await createFixture(database.db), await createFixture(database.db)];
    const fold = () => foldStats(database.db, 100, 0n, { maxEventKeys: 2 });
    await accept(greedy, { eventKey: 'key.a' });
    await accept(other, { eventKey: 'key.z' });
    await fold();
    for (const eventKey of ['key.b', 'key.c', 'key.d', 'key.a']) await accept(greedy, { eventKey });
    await fold();
    const keysOf = async (fixture: Fixture) => {
      const groups = (await statsOf(fixture, 'event_key'))?.buckets.flatMap((bucket) => bucket.groups) ?? [];
      return Object.fromEntries(groups.map(({ key, accepted }) => [key, accepted]));
    };
    expect(await keysOf(greedy)).toEqual({ 'key.a': 2, 'key.b': 1, '(other)': 2 });
    expect(await keysOf(other)).toEqual({ 'key.z': 1 });
    expect((await statsOf(greedy))?.totals.accepted).toBe(5);
  });

  it('count cancelled runs, and those of lost workers', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const scheduled = await accept(fixture, { scheduleAt: new Date(Date.now() + DAY_MS) });
    const { environmentId } = fixture;
    const cancelled = await acceptInEnvironment(database.db, environmentId, (tx) =>
      cancelRun(tx, { newId, environmentId, runId: scheduled.runIds[0] ?? '' }),
    );
    expect(cancelled.isCancelled).toBe(true);
    const lost = await accept(fixture);
    const runId = lost.runIds[0] ?? '';
    await createOwnerClaim(database.db)({ runId, attemptId: newId() });
    await database.db.$executeRaw`
      UPDATE delivery_runs SET lease_until = now() - interval '1 second' WHERE id = ${runId}::uuid`;
    await releaseExpiredLeases(database.db, 10);
    await foldAll();

    const stats = await statsOf(fixture);
    expect(stats?.totals).toMatchObject((await rowsOf(fixture)) ?? {});
    expect(stats?.totals).toMatchObject({ accepted: 2, attempts: 2, delivered: 0, failed: 0, latency: null });
  });

  it('count an attempt once if a sweep closed it before the quarantine ended its run', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const accepted = await createIngest(database.db)(
      eventFor(fixture, { runs: plannedRuns(fixture, LOSSES_BEFORE_QUARANTINE + 3) }),
    );
    const runId = accepted.outcome === 'accepted' ? (accepted.wakeUps[0]?.runId ?? '') : '';
    const claimAlone = createOwnerClaim(database.db, { inQuarantine: true });
    let attemptId = '';
    for (let losses = 0; losses <= LOSSES_BEFORE_QUARANTINE; losses += 1) {
      attemptId = newId();
      const claimed = await claimAlone({ runId, attemptId });
      expect(claimed.outcome).toBe('claimed');
      await database.db.$executeRaw`
        UPDATE delivery_runs SET lease_until = now() - interval '1 second' WHERE id = ${runId}::uuid`;
      await releaseExpiredLeases(database.db, 10);
    }
    expect((await endLostRun(database.db, { runId, attemptId })).outcome).toBe('ended');
    await foldAll();

    const stats = await statsOf(fixture);
    expect(stats?.totals).toMatchObject((await rowsOf(fixture)) ?? {});
    expect(stats?.totals).toMatchObject({ attempts: LOSSES_BEFORE_QUARANTINE + 1, failed: 1 });
  });

  it('are kept when messages are erased or removed', async () => {
    const fixture = await createFixture(database.db, {
      channels: [WEBHOOK],
      plan: { retentionDays: 1 },
    });
    const { runIds } = await accept(fixture);
    await attempt(runIds[0] ?? '', SUCCEEDED);
    const actor = actorNamed('test');
    const { environmentId } = fixture;
    const erasure = await createErasure(
      { db: database.db, newId, actor },
      { environmentId, recipientEmail: 'ada@example.com' },
    );
    await erasePage({ db: database.db, newId, keys: createTestKeys(database.db) }, { id: erasure.id });
    await database.db.$executeRaw`DELETE FROM messages WHERE environment_id = ${environmentId}::uuid`;
    await removeExpiredMessages(database.db);
    await foldAll();

    expect((await statsOf(fixture))?.totals).toMatchObject({
      accepted: 1,
      attempts: 1,
      delivered: 1,
      failed: 0,
    });
  });

  it('are folded once by concurrent sweeps', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    for (let index = 0; index < 20; index += 1) await accept(fixture);
    await Promise.all(Array.from({ length: 4 }, foldAll));
    await foldAll();
    expect((await statsOf(fixture))?.totals.accepted).toBe(20);
    const [left] = await database.db.$queryRaw<
      { rows: number }[]
    >`SELECT count(*)::int AS rows FROM stats_deltas`;
    expect(left?.rows).toBe(0);
  });

  it('do not include tests', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const { messageId, runIds } = await accept(fixture);
    await foldAll();
    await database.db.$executeRaw`
      UPDATE messages SET test = true WHERE environment_id = ${fixture.environmentId}::uuid AND id = ${messageId}::uuid`;
    await attempt(runIds[0] ?? '', SUCCEEDED);
    await foldAll();
    expect((await statsOf(fixture))?.totals).toMatchObject({ attempts: 0, delivered: 0 });
    expect(plannedRuns(fixture)).toHaveLength(1);
  });
});
