import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  createIngest,
  expireHeldRuns,
  findHeldChannels,
  findResumedStreams,
  forgetResumedStreams,
  listPausedStreams,
  pauseStreams,
  readAttention,
  releaseHeldRuns,
  resumeStream,
  settleHealth,
  switchChannel,
} from '../../src/index.ts';
import { readRun } from '../../src/read/deliveries.ts';
import {
  actorNamed,
  createOwnerClaim,
  createTestDatabase,
  type Fixture,
  makeRunOlder,
  passTime,
  type TestDatabase,
  type TestEventInput,
  testKinds,
} from '../../src/testing/index.ts';
import { eventFor, onlyRun } from '../support.ts';
import { anEnvironment, count, type Figures, passStreamTime } from './support.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const newId = createUuidV7Source();

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const deps = () => ({ db: database.db, newId, actor: actorNamed('ada') });
const claim = (runId: string) => createOwnerClaim(database.db)({ runId, attemptId: newId() });
const runOf = (id: string) => database.db.deliveryRun.findUniqueOrThrow({ where: { id } });

const pause = () => pauseStreams({ db: database.db, newId });
const pausedIn = async ({ environmentId }: Fixture) =>
  (await listPausedStreams(database.db, { environmentId, after: null, limit: 10 })).rows;

/** An environment whose stream `news` is paused. */
async function pausedStream(): Promise<Fixture> {
  const fixture = await anEnvironment(database);
  await count(database, fixture, { delivered: 1_000, complained: 3 });
  await pause();
  expect(await pausedIn(fixture)).toHaveLength(1);
  return fixture;
}

/** Accepts an event for a channel, of the stream `news` unless told otherwise. Returns the UUID of its run. */
async function accept(fixture: Fixture, changes: Partial<TestEventInput> = {}, index = 0): Promise<string> {
  const kind = index === 0 ? 'email' : 'webhook';
  const channel = { id: fixture.channels[index]?.id ?? '', kind, name: 'any' } as const;
  const runs = [{ channel, templateVersionId: null, maxAttempts: 3 }];
  return onlyRun(await createIngest(database.db)(eventFor(fixture, { runs, stream: 'news', ...changes })));
}

const resume = ({ environmentId }: Fixture, stream = 'news') =>
  resumeStream(deps(), { environmentId, stream });

describe('a stream about which recipients complain', () => {
  it('is paused at the rate of its environment, and reported once by concurrent workers', async () => {
    const fixture = await anEnvironment(database);
    const { environmentId } = fixture;
    await count(database, fixture, { delivered: 600, complained: 1 });
    await count(database, fixture, { hour: -22, delivered: 400, complained: 2 });
    await count(database, fixture, { eventKey: 'tips.sent', delivered: 1_000, complained: 2 });
    await Promise.all([pause(), pause(), pause()]);

    expect(await pausedIn(fixture)).toEqual([
      {
        ...{ environmentId, stream: 'news', resumedAt: null, delivered: 1_000, complained: 3, waiting: 0 },
        pausedAt: expect.any(Date),
      },
    ]);
    const where = { environmentId, action: { startsWith: 'stream.' } };
    const shown = { stream: 'news', resumed_at: null, delivered: 1_000, complained: 3 };
    expect(await database.db.auditEntry.findMany({ where })).toMatchObject([
      { action: 'stream.paused', actor: 'worker', resourceId: 'news', before: null, after: shown },
    ]);
    expect(await database.db.operationalEvent.findMany({ where: { environmentId } })).toMatchObject([
      { type: 'stream.paused', payload: shown },
    ]);
    const [needs] = await readAttention(database.db, [environmentId]);
    expect(needs).toMatchObject({ weight: 1, pausedStreams: [{ stream: 'news', complained: 3 }] });
  });

  it.each<[string, number | null, Figures]>([
    ['the environment does not want it', null, { delivered: 1_000, complained: 900 }],
    ['the rate is not reached', 0.003, { delivered: 1_001, complained: 3 }],
    ['there are two complaints', 0.003, { delivered: 100, complained: 2 }],
    ['fewer than 100 emails were delivered', 0.003, { delivered: 99, complained: 50 }],
    ['the email is transactional', 0.003, { delivered: 1_000, complained: 900, eventKey: 'order.shipped' }],
    ['only webhooks were delivered', 0.003, { delivered: 1_000, complained: 900, channel: 1 }],
    ['it was more than a day ago', 0.003, { delivered: 1_000, complained: 900, hour: -25 }],
  ])('is not paused if %s', async (_name, rate, figures) => {
    const fixture = await anEnvironment(database, rate);
    await count(database, fixture, figures);
    await pause();
    expect(await pausedIn(fixture)).toEqual([]);
  });
});

describe('a paused stream', () => {
  it('holds its email and nothing else: no attempt is used up, and no run ends', async () => {
    const fixture = await pausedStream();
    const { environmentId } = fixture;
    const held = await accept(fixture);
    expect(await claim(held)).toEqual({ outcome: 'held' });
    expect(await claim(held)).toEqual({ outcome: 'held' });
    expect(await runOf(held)).toMatchObject({ status: 'queued', held: 'stream:news', attemptCount: 0 });
    expect(await readRun(database.db, { environmentId, runId: held })).toMatchObject({
      heldBy: 'stream_paused',
      nextAttemptAt: null,
    });
    expect(await pausedIn(fixture)).toMatchObject([{ waiting: 1 }]);

    const others = [
      await accept(fixture, { stream: 'tips' }),
      await accept(fixture, { stream: null }),
      await accept(fixture, { test: true }),
      await accept(fixture, {}, 1),
      await accept(await anEnvironment(database)),
    ];
    for (const runId of others) expect(await claim(runId)).toMatchObject({ outcome: 'claimed' });
  });

  it('ends a run whose event has expired, also one that was held before', async () => {
    const fixture = await pausedStream();
    const expiresAt = new Date(Date.now() - 1_000);
    expect(await claim(await accept(fixture, { expiresAt }))).toEqual({ outcome: 'expired' });
    const held = await accept(fixture);
    await claim(held);
    await database.db.$executeRaw`
      UPDATE messages SET expires_at = now() FROM delivery_runs run
       WHERE run.message_id = messages.id AND run.id = ${held}::uuid`;
    await database.db.$executeRaw`
      UPDATE delivery_runs SET held = 'released', due_at = now() WHERE id = ${held}::uuid`;
    expect(await claim(held)).toEqual({ outcome: 'expired' });
  });

  it('lets the channel be probed by a run of another stream', async () => {
    const fixture = await pausedStream();
    const channelId = fixture.channels[0]?.id ?? '';
    await switchChannel(deps(), { channelId, to: 'paused' });
    const [news, tips] = [await accept(fixture), await accept(fixture, { stream: 'tips' })];
    for (const runId of [news, tips]) expect(await claim(runId)).toEqual({ outcome: 'held' });
    expect(await runOf(news)).toMatchObject({ held: 'paused' });
    await database.db.$executeRaw`
      UPDATE channel_health SET reason = 'failures', next_probe_at = now() WHERE channel_id = ${channelId}::uuid`;
    const onError = (error: unknown) => {
      throw error;
    };
    await settleHealth({ db: database.db, newId, kinds: testKinds }, { limit: 100, after: null, onError });
    expect(await runOf(news)).toMatchObject({ held: 'stream:news' });
    expect(await runOf(tips)).toMatchObject({ held: 'probe' });
    await resume(fixture);
    expect((await findResumedStreams(database.db, 100)).has(channelId)).toBe(false);
    await switchChannel(deps(), { channelId, to: 'resumed' });
    expect((await findResumedStreams(database.db, 100)).get(channelId)).toEqual(['stream:news']);
  });
});

describe('a run that waited for its stream for longer than `max_age`, and then for its paused channel', () => {
  it('ends once it has waited for the channel alone for so long', async () => {
    const fixture = await pausedStream();
    const channelId = fixture.channels[0]?.id ?? '';
    const accepted = await accept(fixture);
    expect(await claim(accepted)).toEqual({ outcome: 'held' });
    await resume(fixture);
    const runId = await makeRunOlder(database.db, accepted, 8 * DAY);
    const streams = (await findResumedStreams(database.db, 100)).get(channelId);
    await releaseHeldRuns({ db: database.db }, channelId, streams);
    await passTime(database.db, channelId, 1_000);
    await releaseHeldRuns({ db: database.db }, channelId, streams);
    expect(await runOf(runId)).toMatchObject({ held: 'released' });
    await switchChannel(deps(), { channelId, to: 'paused' });
    expect(await runOf(runId)).toMatchObject({ held: 'paused' });

    const hasExpired = async () =>
      (await findHeldChannels(database.db, { limit: 1_000 })).channels.some(
        (found) => found.channelId === channelId && found.hasExpired,
      );
    const expire = () => expireHeldRuns({ db: database.db, newId }, channelId);
    await passTime(database.db, channelId, 6 * DAY);
    expect(await hasExpired()).toBe(false);
    expect(await expire()).toBe(0);
    // Another pause of a paused channel does not start it again.
    await switchChannel(deps(), { channelId, to: 'paused' });
    await passTime(database.db, channelId, DAY + HOUR);
    expect(await hasExpired()).toBe(true);
    expect(await expire()).toBe(1);
    expect(await runOf(runId)).toMatchObject({ status: 'failed', lastErrorCode: 'expired' });
  });
});

describe('a channel that the service paused, and whose runs all waited for a stream', () => {
  it('is probed by the oldest of them once the stream is resumed, without a new event', async () => {
    const fixture = await pausedStream();
    const channelId = fixture.channels[0]?.id ?? '';
    const runIds = [await accept(fixture), await accept(fixture)];
    for (const runId of runIds) expect(await claim(runId)).toEqual({ outcome: 'held' });
    await switchChannel(deps(), { channelId, to: 'paused' });
    await database.db.$executeRaw`
      UPDATE channel_health SET reason = 'failures', next_probe_at = now() WHERE channel_id = ${channelId}::uuid`;
    const onError = (error: unknown) => {
      throw error;
    };
    const settle = () =>
      settleHealth({ db: database.db, newId, kinds: testKinds }, { limit: 100, after: null, onError });
    const heldNow = async () => (await Promise.all(runIds.map(runOf))).map(({ held }) => held);
    await settle();
    expect(await heldNow()).toEqual(['stream:news', 'stream:news']);
    await resume(fixture);
    await settle();
    expect(await heldNow()).toEqual(['probe', 'stream:news']);
    expect(await claim(runIds[0] ?? '')).toMatchObject({ outcome: 'claimed' });
  });
});

describe('the resume of a stream', () => {
  it('is one change with its report, and null for a stream that was not paused', async () => {
    const fixture = await pausedStream();
    const { environmentId } = fixture;
    expect(await resume(fixture, 'tips')).toBeNull();
    const resumed = await resume(fixture);
    expect(resumed).toMatchObject({ stream: 'news', resumedAt: expect.any(Date), waiting: 0 });
    expect(await resume(fixture)).toEqual(resumed);
    expect(await pausedIn(fixture)).toEqual([]);
    const where = { environmentId, action: 'stream.resumed' };
    const entries = await database.db.auditEntry.findMany({ where });
    expect(entries).toMatchObject([
      { actor: 'ada', before: { resumed_at: null }, after: { stream: 'news' } },
    ]);
    const reported = await database.db.operationalEvent.findMany({ where: { environmentId } });
    expect(reported.map(({ type }) => type).sort()).toEqual(['stream.paused', 'stream.resumed']);
  });

  it('releases the held runs at the rate of their channel, oldest first, and those that were held later', async () => {
    const fixture = await pausedStream();
    const channelId = fixture.channels[0]?.id ?? '';
    const runIds: string[] = [];
    for (let n = 0; n < 6; n += 1) runIds.push(await accept(fixture));
    for (const runId of runIds.slice(0, 5)) expect(await claim(runId)).toEqual({ outcome: 'held' });
    const streams = async () => (await findResumedStreams(database.db, 100)).get(channelId);
    expect(await streams()).toBeUndefined();
    await resume(fixture);
    // As a claim leaves it that began before the resume.
    await database.db.$executeRaw`
      UPDATE delivery_runs SET held = 'stream:news', due_at = '9999-12-31T00:00:00Z' WHERE id = ${runIds[5]}::uuid`;

    // The release begins at its first rate.
    expect(await releaseHeldRuns({ db: database.db }, channelId, await streams())).toEqual([]);
    const released: string[] = [];
    for (let seconds = 1; released.length < runIds.length; seconds += 1) {
      expect(seconds).toBeLessThan(20);
      await passTime(database.db, channelId, 1_000);
      const batch = await releaseHeldRuns({ db: database.db }, channelId, await streams());
      released.push(...batch.map(({ runId }) => runId));
    }
    expect(released).toEqual(runIds);
    expect(await streams()).toBeUndefined();
    for (const runId of released) expect(await claim(runId)).toMatchObject({ outcome: 'claimed' });
  });

  it('lets only the hours that begin later pause it again', async () => {
    const fixture = await pausedStream();
    await resume(fixture);
    await pause();
    expect(await pausedIn(fixture)).toEqual([]);
    await passStreamTime(database, fixture, 2);
    await count(database, fixture, { delivered: 2_000, complained: 8 });
    await pause();
    expect(await pausedIn(fixture)).toMatchObject([{ delivered: 2_000, complained: 8, resumedAt: null }]);
    expect(await claim(await accept(fixture))).toEqual({ outcome: 'held' });
  });

  it('is forgotten after two days, but not while runs wait for the stream', async () => {
    const fixture = await pausedStream();
    const { environmentId } = fixture;
    const runId = await accept(fixture);
    await claim(runId);
    await resume(fixture);
    const isKnown = async () => {
      await forgetResumedStreams(database.db);
      return (await database.db.streamPause.count({ where: { environmentId } })) === 1;
    };
    const holdFor = (held: string | null) =>
      database.db.$executeRaw`UPDATE delivery_runs SET held = ${held} WHERE id = ${runId}::uuid`;
    await holdFor(null);
    await passStreamTime(database, fixture, 47);
    expect(await isKnown()).toBe(true);
    await holdFor('stream:news');
    await passStreamTime(database, fixture, 2);
    expect(await isKnown()).toBe(true);
    await holdFor(null);
    expect(await isKnown()).toBe(false);
  });
});
