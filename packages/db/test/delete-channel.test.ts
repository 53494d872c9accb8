import { randomUUID } from 'node:crypto';
import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  createIngest,
  deleteChannel,
  endRunsOfDeletedChannels,
  markEndedChannels,
  releaseExpiredLeases,
  TOGETHER_LIMIT_MS,
} from '../src/index.ts';
import {
  actorNamed,
  createFixture,
  createOwnerClaim,
  createOwnerFinish,
  createTestDatabase,
  type Fixture,
  failedWith,
  SUCCEEDED,
  type TestDatabase,
  testKinds,
} from '../src/testing/index.ts';
import { accepted, eventFor, onlyRun, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newId = createUuidV7Source();
const actor = actorNamed('test');

const aFixture = () => createFixture(database.db, { channels: [WEBHOOK] });
const channelOf = (fixture: Fixture) => fixture.channels[0]?.id ?? '';
const remove = (fixture: Fixture) =>
  deleteChannel({ db: database.db, newId, actor, kinds: testKinds }, channelOf(fixture));
const accept = (fixture: Fixture, changes: Parameters<typeof eventFor>[1] = {}) =>
  createIngest(database.db)(eventFor(fixture, changes));
const claim = (runId: string) => createOwnerClaim(database.db)({ runId, attemptId: newId() });
const sweep = (limit = 1_000) => endRunsOfDeletedChannels({ db: database.db, newId }, limit);
const runsOf = (fixture: Fixture) =>
  database.db.deliveryRun.findMany({
    where: { channelId: channelOf(fixture) },
    include: { attempts: { orderBy: { number: 'asc' } } },
    orderBy: { id: 'asc' },
  });

/** Waiting runs of one message each, as acceptance would have made them. */
async function plantRuns(fixture: Fixture, count: number): Promise<void> {
  const messageId = onlyRunMessage(await accept(fixture));
  await database.db.$executeRaw`
    INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, replay, status, max_attempts,
                               due_at, created_at)
    SELECT gen_random_uuid(), ${fixture.environmentId}::uuid, ${messageId}::uuid, ${channelOf(fixture)}::uuid, 'webhook',
           n, 'queued', 8, now(), now()
      FROM generate_series(1, ${count - 1}::int) AS n`;
}
const onlyRunMessage = (outcome: Parameters<typeof accepted>[0]) => accepted(outcome).messageId;

const open = (fixture: Fixture) =>
  database.db.deliveryRun.count({
    where: { channelId: channelOf(fixture), status: { in: ['scheduled', 'queued', 'retrying', 'running'] } },
  });

describe('deleting a channel', () => {
  it('ends waiting runs with an attempt that says why, and keeps ended ones', async () => {
    const fixture = await aFixture();
    const done = onlyRun(await accept(fixture));
    const finish = createOwnerFinish(database.db);
    const outcome = await claim(done);
    if (outcome.outcome !== 'claimed') throw new Error(outcome.outcome);
    await finish(outcome.run, SUCCEEDED);
    const retrying = onlyRun(await accept(fixture));
    const second = await claim(retrying);
    if (second.outcome !== 'claimed') throw new Error(second.outcome);
    await finish(second.run, failedWith('webhook_timeout', { status: 'retrying', delayMs: 60_000 }));
    await accept(fixture);
    await accept(fixture, { scheduleAt: new Date(Date.now() + 86_400_000) });

    expect(await remove(fixture)).toBe(true);
    const ended = { status: 'failed', completedAt: expect.any(Date) };
    const gone = { status: 'failed', errorCode: 'channel_disabled', retryable: false };
    expect(await runsOf(fixture)).toMatchObject([
      { status: 'succeeded', attempts: [{ status: 'succeeded' }] },
      { ...ended, attemptCount: 2, attempts: [{ errorCode: 'webhook_timeout' }, { ...gone, number: 2 }] },
      { ...ended, attempts: [{ ...gone, number: 1 }] },
      { ...ended, attempts: [{ ...gone, number: 1 }] },
    ]);
  });

  it('erases its secrets and is audited once, with concurrent calls', async () => {
    const fixture = await aFixture();
    const outcomes = await Promise.all([remove(fixture), remove(fixture), remove(fixture)]);
    expect(outcomes.sort()).toEqual([false, false, true]);
    const row = await database.db.channel.findUniqueOrThrow({ where: { id: channelOf(fixture) } });
    expect(row).toMatchObject({ sealedSecret: null, deletedAt: expect.any(Date) });
    const entries = await database.db.auditEntry.findMany({
      where: { environmentId: fixture.environmentId, action: 'channel.deleted' },
    });
    expect(entries).toMatchObject([{ after: null, before: { name: WEBHOOK.name } }]);
  });

  it('erases secrets and the feedback token, also when the previous release deletes it', async () => {
    const fixture = await aFixture();
    const id = channelOf(fixture);
    await database.db.channel.update({
      where: { id },
      data: {
        sealedSecret: 'sealed',
        sealedPreviousSecret: 'sealed',
        previousSecretExpiresAt: new Date(),
        sealedCredentials: { password: 'sealed' },
        feedbackTokenHash: new Uint8Array(32),
      },
    });
    await database.db.$executeRaw`
      UPDATE channels SET deleted_at = now(), sealed_secret = NULL, sealed_previous_secret = NULL,
             previous_secret_expires_at = NULL WHERE id = ${id}::uuid`;
    expect(await database.db.channel.findUniqueOrThrow({ where: { id } })).toMatchObject({
      sealedSecret: null,
      sealedPreviousSecret: null,
      previousSecretExpiresAt: null,
      sealedCredentials: null,
      feedbackTokenHash: null,
    });
  });

  it('ends a bounded number of runs, and leaves the others to the sweep', async () => {
    const fixture = await aFixture();
    await plantRuns(fixture, 2_600);
    await remove(fixture);
    expect(await open(fixture)).toBe(2_100);
    const unswept = await database.db.deliveryRun.findFirstOrThrow({
      where: { channelId: channelOf(fixture), status: 'queued' },
    });
    expect(await claim(unswept.id)).toEqual({ outcome: 'channel_disabled' });
    const sweeps = await Promise.all([sweep(), sweep()]);
    let swept = sweeps.reduce((sum, count) => sum + count, 0);
    for (let count = await sweep(); count > 0; count = await sweep()) swept += count;
    expect(swept).toBe(2_099);
    expect(await open(fixture)).toBe(0);
    const attempts = await database.db.attempt.count({ where: { run: { channelId: channelOf(fixture) } } });
    expect(attempts).toBe(2_600);
  });

  it('lets an open attempt finish, and ends its run instead of retrying it', async () => {
    const fixture = await aFixture();
    const finishing = await claim(onlyRun(await accept(fixture)));
    const failing = await claim(onlyRun(await accept(fixture)));
    const lost = onlyRun(await accept(fixture));
    await claim(lost);
    await remove(fixture);
    expect((await runsOf(fixture)).map(({ status }) => status)).toEqual(['running', 'running', 'running']);
    const finish = createOwnerFinish(database.db);
    if (finishing.outcome !== 'claimed' || failing.outcome !== 'claimed') throw new Error('not claimed');
    await finish(finishing.run, SUCCEEDED);
    await finish(failing.run, failedWith('webhook_timeout', { status: 'retrying', delayMs: 43_200_000 }));
    await database.db.$executeRaw`
      UPDATE delivery_runs SET lease_until = now() - interval '1 second' WHERE id = ${lost}::uuid`;
    await releaseExpiredLeases(database.db, 10);
    expect(await sweep()).toBe(2);
    expect(await runsOf(fixture)).toMatchObject([
      { status: 'succeeded' },
      { status: 'failed', attempts: [{ errorCode: 'webhook_timeout' }, { errorCode: 'channel_disabled' }] },
      { status: 'failed', attempts: [{ errorCode: 'worker_lost' }, { errorCode: 'channel_disabled' }] },
    ]);
  });

  it('concurrent with claims: each run is either claimed or ended, and none is claimed afterwards', async () => {
    const fixture = await aFixture();
    const runs: string[] = [];
    for (let n = 0; n < 40; n += 1) runs.push(onlyRun(await accept(fixture)));
    const claimRun = createOwnerClaim(database.db);
    const [, ...claims] = await Promise.all([
      remove(fixture),
      ...runs.map((runId) => claimRun({ runId, attemptId: newId() })),
    ]);
    while ((await sweep()) > 0);
    for (const run of await runsOf(fixture)) {
      const index = runs.indexOf(run.id);
      const isClaimed = claims[index]?.outcome === 'claimed';
      expect(run).toMatchObject(
        isClaimed
          ? { status: 'running', attempts: [{ status: 'running' }] }
          : { status: 'failed', attempts: [{ errorCode: 'channel_disabled' }] },
      );
      expect(run.attempts).toHaveLength(1);
    }
    expect(await claim(runs[0] ?? '')).toMatchObject({ outcome: 'not_claimable' });
  });

  it('concurrent with acceptance: every accepted event has a run, and each of them ends', async () => {
    const fixture = await aFixture();
    const ingest = createIngest(database.db, { maxItems: 4 });
    const [, ...outcomes] = await Promise.all([
      remove(fixture),
      ...Array.from({ length: 40 }, () => ingest(eventFor(fixture, { key: randomUUID() }))),
    ]);
    const late = await ingest(eventFor(fixture));
    expect(new Set([...outcomes, late].map(({ outcome }) => outcome))).toEqual(new Set(['accepted']));
    while ((await sweep()) > 0);
    const runs = await runsOf(fixture);
    expect(runs).toHaveLength(41);
    expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['failed']));
    expect(new Set(runs.map(({ attempts }) => attempts.length))).toEqual(new Set([1]));
  });

  it('is not checked again once no run is open and none can be added', async () => {
    const [quiet, fresh, busy, committed] = await Promise.all([
      aFixture(),
      aFixture(),
      aFixture(),
      aFixture(),
    ]);
    await claim(onlyRun(await accept(busy)));
    for (const fixture of [quiet, fresh, busy, committed]) await remove(fixture);
    const age = (fixture: Fixture, seconds: number) => database.db.$executeRaw`
      UPDATE channels SET deleted_at = now() - make_interval(secs => ${seconds}) WHERE id = ${channelOf(fixture)}::uuid`;
    for (const fixture of [quiet, busy]) await age(fixture, 121);
    // The longest apply of a configuration deleted it and has just committed.
    await age(committed, TOGETHER_LIMIT_MS / 1_000);
    await markEndedChannels(database.db, 100);
    const ended = async (fixture: Fixture) =>
      (await database.db.channel.findUniqueOrThrow({ where: { id: channelOf(fixture) } })).runsEndedAt !==
      null;
    expect(await Promise.all([quiet, fresh, busy, committed].map(ended))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
