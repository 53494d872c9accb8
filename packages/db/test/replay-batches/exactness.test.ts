import { createUuidV7Source, NEW_CONSUMER, orRefusal } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { Client } from 'pg';
import {
  acceptReplay,
  cancelReplayBatch,
  createIngest,
  openDatabase,
  putConsumer,
  readConsumerUsage,
  readUsage,
  replayPage,
  type UnboundDatabase,
} from '../../src/index.ts';
import {
  asOwner,
  createFixture,
  createTestDatabase,
  type Fixture,
  type TestDatabase,
  testKinds,
} from '../../src/testing/index.ts';
import { eventFor, replayFor, WEBHOOK } from '../support.ts';
import {
  acceptMany,
  actor,
  batchNow,
  createBatch,
  createGate,
  createPaceClock,
  endRuns,
  pageDeps,
  replaysOf,
  runBatch,
} from './support.ts';

let database: TestDatabase;
let db: UnboundDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());

const fixtureOf = (input: Parameters<typeof createFixture>[1] = {}) =>
  createFixture(db, { channels: [WEBHOOK], ...input });
const onceEach = (ids: readonly string[]) => new Map(ids.map((id) => [id, 1]));
const sorted = (map: ReadonlyMap<string, number>) => [...map].sort();

async function expectWhole(fixture: Fixture, batchId: string, ids: readonly string[]): Promise<void> {
  expect(sorted(await replaysOf(db, fixture))).toEqual(sorted(onceEach(ids)));
  expect(await batchNow(db, batchId)).toMatchObject({ status: 'completed', replayed: ids.length });
  expect((await readUsage(db, fixture.tenantId)).events.used).toBe(2 * ids.length);
}

describe('a bulk replay', () => {
  it('replays each message once in pages, newest first, and counts each as 1', async () => {
    const fixture = await fixtureOf();
    const ids = await acceptMany(db, fixture, 40);
    const batch = await createBatch(db, fixture, { messagesPerSecond: 20 });
    expect(batch).toMatchObject({ status: 'pending', matched: 40, matchedIsLowerBound: false });

    const { clock, paceClock } = createPaceClock();
    const first = await replayPage(pageDeps(db, paceClock), batch);
    expect(first).toMatchObject({ outcome: 'advanced' });
    expect([...(await replaysOf(db, fixture)).keys()].sort()).toEqual(ids.slice(0, 10).sort());
    expect(await batchNow(db, batch.id)).toMatchObject({ status: 'running', replayed: 10, position: ids[9] });
    clock.nowMs += 1_000;

    await runBatch(db, batch);
    await expectWhole(fixture, batch.id, ids);
  });

  it('only includes messages from before its creation', async () => {
    const fixture = await fixtureOf();
    const ids = await acceptMany(db, fixture, 3);
    const batch = await createBatch(db, fixture);
    await acceptMany(db, fixture, 3);
    await runBatch(db, batch);
    expect(sorted(await replaysOf(db, fixture))).toEqual(sorted(onceEach(ids)));
  });

  it('by many workers replays each message once', async () => {
    const fixture = await fixtureOf();
    const ids = await acceptMany(db, fixture, 120);
    const batch = await createBatch(db, fixture, { messagesPerSecond: 20 });
    const { clock, paceClock } = createPaceClock();
    const executors = Array.from({ length: 6 }, () => openDatabase(database.url, { poolSize: 2 }));
    const outcomes = new Set<string>();
    while (!(await batchNow(db, batch.id)).completedAt) {
      const made = await Promise.all(
        executors.map((own) => replayPage(pageDeps(asOwner(own), paceClock), batch)),
      );
      for (const { outcome } of made) outcomes.add(outcome);
      clock.nowMs += 1_000;
    }
    await Promise.all(executors.map((own) => own.$disconnect()));
    expect(outcomes.has('not_available')).toBe(true);
    await expectWhole(fixture, batch.id, ids);
  });

  it('continues with another worker after one was killed during a page', async () => {
    const fixture = await fixtureOf();
    const ids = await acceptMany(db, fixture, 40);
    const batch = await createBatch(db, fixture, { messagesPerSecond: 20 });
    const { clock, paceClock } = createPaceClock();
    await replayPage(pageDeps(db, paceClock), batch);
    clock.nowMs += 1_000;

    // The usage row is what a page writes last: who holds it stops the page with its runs inserted.
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM environment_usage WHERE environment_id = $1 FOR UPDATE', [
      fixture.environmentId,
    ]);
    const doomed = openDatabase(database.url, { poolSize: 1 });
    const [{ pid } = { pid: 0 }] = await doomed.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    const page = replayPage(pageDeps(asOwner(doomed), paceClock), batch).catch((error: unknown) => error);
    for (let waits = false; !waits; ) {
      const { rows } = await holder.query('SELECT FROM pg_locks WHERE pid = $1 AND NOT granted', [pid]);
      waits = rows.length > 0;
    }
    await holder.query('SELECT pg_terminate_backend($1)', [pid]);
    expect(await page).toBeInstanceOf(Error);
    await holder.query('ROLLBACK');
    await holder.end();
    await doomed.$disconnect();

    expect(await batchNow(db, batch.id)).toMatchObject({ replayed: 10 });
    expect((await replaysOf(db, fixture)).size).toBe(10);
    await runBatch(db, batch);
    await expectWhole(fixture, batch.id, ids);
  });

  it('continues with another worker after one froze during a page, whose commit is refused', async () => {
    const fixture = await fixtureOf();
    const ids = await acceptMany(db, fixture, 20);
    const batch = await createBatch(db, fixture, { messagesPerSecond: 20 });
    const frozen = openDatabase(database.url, { poolSize: 1 });
    const locked = createGate();
    const thawed = createGate();
    const late = frozen
      .$transaction(
        async (tx) => {
          await tx.$executeRaw`UPDATE replay_batches SET replayed = 99 WHERE id = ${batch.id}::uuid`;
          locked.open();
          await thawed.opened;
        },
        { timeout: 60_000 },
      )
      .then(
        () => 'committed',
        () => 'refused',
      );
    await locked.opened;
    expect(await replayPage(pageDeps(db), batch)).toEqual({ outcome: 'not_available' });
    // Postgres ends the frozen transaction after 3 s; until then nobody else makes a page.
    await runBatch(db, batch);
    thawed.open();
    expect(await late).toBe('refused');
    await frozen.$disconnect();
    await expectWhole(fixture, batch.id, ids);
  });

  it('that is cancelled makes no further page', async () => {
    const fixture = await fixtureOf();
    await acceptMany(db, fixture, 40);
    const batch = await createBatch(db, fixture, { messagesPerSecond: 20 });
    const deps = { db, newId: createUuidV7Source(), actor };
    const [, cancelled] = await Promise.all([
      replayPage(pageDeps(db), batch),
      cancelReplayBatch(deps, batch.id),
    ]);
    expect(cancelled).toMatchObject({ status: 'cancelled' });
    const { replayed } = await batchNow(db, batch.id);
    expect([0, 10]).toContain(replayed);
    expect(await replayPage(pageDeps(db), batch)).toEqual({ outcome: 'not_available' });
    expect((await replaysOf(db, fixture)).size).toBe(replayed);
    expect((await batchNow(db, batch.id)).status).toBe('cancelled');
  });
});

describe('the quota', () => {
  it('is used up to the last event, and the batch shows why it ended', async () => {
    const fixture = await fixtureOf({ plan: { eventsPerMonth: 30 } });
    const ids = await acceptMany(db, fixture, 20);
    const batch = await createBatch(db, fixture, { messagesPerSecond: 12 });
    const ended = await runBatch(db, batch);
    expect(ended).toMatchObject({
      status: 'failed',
      reason: 'quota_exceeded',
      replayed: 10,
      position: ids[9],
    });
    expect(sorted(await replaysOf(db, fixture))).toEqual(sorted(onceEach(ids.slice(0, 10))));
    expect((await readUsage(db, fixture.tenantId)).events.used).toBe(30);
  });

  it('is not exceeded with concurrent events', async () => {
    const fixture = await fixtureOf({ plan: { eventsPerMonth: 60 } });
    await acceptMany(db, fixture, 20);
    const batch = await createBatch(db, fixture, { messagesPerSecond: 12 });
    const ingest = createIngest(db);
    const events = Array.from({ length: 25 }, () => ingest(eventFor(fixture)));
    const [ended, ...outcomes] = await Promise.all([runBatch(db, batch), ...events]);
    // Which of the two finds the quota used up depends on which is faster; together they want more than there is.
    const taken = outcomes.filter(({ outcome }) => outcome === 'accepted').length;
    const { used } = (await readUsage(db, fixture.tenantId)).events;
    expect(used).toBe(60);
    expect(20 + taken + ended.replayed).toBe(used);
    expect((await replaysOf(db, fixture)).size).toBe(ended.replayed);
    if (ended.replayed < 20) expect(ended).toMatchObject({ status: 'failed', reason: 'quota_exceeded' });
  });
});

describe('the limit of a consumer', () => {
  it('is used by its bulk replays up to the last event, within what the quota of its tenant leaves', async () => {
    for (const { eventsPerMonth, left } of [
      { eventsPerMonth: null, left: 4 },
      { eventsPerMonth: 23, left: 3 },
    ]) {
      const fixture = await fixtureOf({ plan: { eventsPerMonth } });
      const consumer = { environmentId: fixture.environmentId, id: 'org_1' };
      const deps = { db, newId: createUuidV7Source(), actor, kinds: testKinds };
      await putConsumer(deps, consumer, { ...NEW_CONSUMER, eventsPerMonth: 24 });
      await db.channel.updateMany({
        where: { environmentId: fixture.environmentId },
        data: { consumerId: 'org_1' },
      });
      await acceptMany(db, fixture, 20, { consumerId: 'org_1' });
      const channelIds = fixture.channels.map(({ id }) => id);
      const batch = await createBatch(db, fixture, { consumerId: 'org_1', channelIds });
      expect(await runBatch(db, batch)).toMatchObject({
        status: 'failed',
        reason: 'quota_exceeded',
        replayed: left,
      });
      expect((await readConsumerUsage(db, consumer)).events).toBe(20 + left);
      expect((await readUsage(db, fixture.tenantId)).events.used).toBe(20 + left);
    }
  });
});

describe('the callers of a consumer', () => {
  it('replay at most 10,000 messages in a day, one by one and in bulk together', async () => {
    const fixture = await fixtureOf();
    const { environmentId } = fixture;
    const channelIds = fixture.channels.map(({ id }) => id);
    const input = { consumerId: 'org_1', channelIds };
    for (const id of ['org_1', 'org_2'])
      await putConsumer(
        { db, newId: createUuidV7Source(), actor },
        { environmentId, id },
        { ...NEW_CONSUMER, eventsPerMonth: 50 },
      );
    await db.channel.updateMany({ where: { environmentId }, data: { consumerId: 'org_1' } });
    const [messageId = ''] = await acceptMany(db, fixture, 5, { consumerId: 'org_1' });
    const replayOne = (replayedBy: string) =>
      orRefusal(() => acceptReplay(db, { ...replayFor(fixture, messageId), replayedBy }));
    const day = (replaysOfDay: number, days: number) => db.$executeRaw`
      UPDATE consumer_usage SET replays_of_day = ${replaysOfDay}, replayed_on = (now() AT TIME ZONE 'UTC')::date - ${days}::int
       WHERE environment_id = ${environmentId}::uuid AND consumer_id = 'org_1'`;
    const batch = await createBatch(db, fixture, input);
    await day(9_997, 0);
    expect(await replayOne('org_1')).toMatchObject({ outcome: 'accepted' });
    expect(await runBatch(db, batch)).toMatchObject({ reason: 'quota_exceeded', replayed: 2 });
    await expect(createBatch(db, fixture, input)).rejects.toThrow('replayed 10,000 messages today');
    expect(await replayOne('org_1')).toMatchObject({
      refused: 'rate_limited',
      headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
    });
    // What was refused is not charged.
    expect((await readConsumerUsage(db, { environmentId, id: 'org_1' })).events).toBe(5 + 3);
    await createBatch(db, fixture, { ...input, consumerId: 'org_2' });
    // A transaction that began before midnight comes after one that began later.
    await day(9_999, -1);
    expect(await replayOne('org_1')).toMatchObject({ outcome: 'accepted' });
    expect(await replayOne('org_1')).toMatchObject({ refused: 'rate_limited' });
    await day(10_000, 1);
    expect(await replayOne('org_1')).toMatchObject({ outcome: 'accepted' });
    await createBatch(db, fixture, input);
  });
});

describe('an unpaid tenant', () => {
  it('ends the batch before its first page', async () => {
    const fixture = await fixtureOf();
    await acceptMany(db, fixture, 2);
    const batch = await createBatch(db, fixture);
    await db.tenant.update({ where: { id: fixture.tenantId }, data: { billingStatus: 'suspended' } });
    expect(await runBatch(db, batch)).toMatchObject({
      status: 'failed',
      reason: 'payment_required',
      replayed: 0,
    });
    expect((await replaysOf(db, fixture)).size).toBe(0);
    await endRuns(db, { environmentId: fixture.environmentId }, 'succeeded');
  });
});
