import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createUuidV7Source, NEW_CONSUMER, orRefusal } from '@postrider/domain';
import { waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  createIngest,
  createReplayBatch,
  deleteConsumer,
  draftRuns,
  endRunsOfDeletedChannels,
  putConsumer,
  readConsumer,
} from '../src/index.ts';
import {
  actorNamed,
  createFixture,
  createOwnerClaim,
  createTestDatabase,
  type Fixture,
  type TestDatabase,
  testKinds,
} from '../src/testing/index.ts';
import { accepted, eventFor, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newId = createUuidV7Source();
const deps = () => ({ db: database.db, newId, actor: actorNamed('test'), kinds: testKinds });
/** Runs a program of this folder. */
const start = (program: string, ...args: readonly string[]) =>
  spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, program), database.url, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** How long a transaction of a test may take, in milliseconds. */
const PATIENT = { timeout: 30_000 };

interface Consumer {
  readonly fixture: Fixture;
  readonly id: string;
  readonly channels: readonly string[];
}

/** A consumer with channels, each with open runs, one third each queued, in retry and scheduled for tomorrow. */
async function aConsumer(fixture: Fixture, id: string, runs: number): Promise<Consumer> {
  await putConsumer(deps(), { environmentId: fixture.environmentId, id }, NEW_CONSUMER);
  const channels = [newId(), newId()];
  const planned = channels.map((channel) => ({
    channel: { id: channel, kind: 'webhook', name: id },
    templateVersionId: null,
    maxAttempts: 8,
  }));
  await database.db.channel.createMany({
    data: channels.map((channel) => ({
      ...{ id: channel, environmentId: fixture.environmentId, consumerId: id, kind: 'webhook', name: id },
      ...{ config: WEBHOOK.config, retry: { max_attempts: 8 }, sealedSecret: 'sealed' },
    })),
  });
  const event = eventFor(fixture);
  const runsOfEvent = [...draftRuns(planned, { now: event.createdAt }).runs, ...event.runs];
  const sent = await createIngest(database.db)({
    ...event,
    runs: runsOfEvent,
    message: { ...event.message, consumerId: id },
  });
  const { messageId } = accepted(sent);
  for (const channel of channels) {
    await database.db.$executeRaw`
      INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, replay, status, max_attempts,
                                 scheduled_at, due_at, created_at)
      SELECT gen_random_uuid(), ${fixture.environmentId}::uuid, ${messageId}::uuid, ${channel}::uuid, 'webhook', n,
             (ARRAY['queued', 'retrying', 'scheduled'])[1 + n % 3], 8,
             CASE WHEN n % 3 = 2 THEN now() + interval '1 day' END,
             now() + CASE WHEN n % 3 = 2 THEN interval '1 day' ELSE interval '0' END, now()
        FROM generate_series(1, ${runs - 1}::int) AS n`;
  }
  return { fixture, id, channels };
}

const open = (channels: readonly string[]) =>
  database.db.deliveryRun.count({ where: { channelId: { in: [...channels] }, completedAt: null } });
const remove = ({ fixture, id }: Consumer) =>
  deleteConsumer(deps(), { environmentId: fixture.environmentId, id });

describe('deleting a consumer', () => {
  it('ends ten thousand open runs, also when the process is killed, sends none of them, and touches nothing else', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const gone = await aConsumer(fixture, 'gone', 5_000);
    const kept = await aConsumer(fixture, 'kept', 100);
    const own = fixture.channels.map(({ id }) => id);
    expect(await open(gone.channels)).toBe(10_000);
    const [ofOthers, ofEnvironment] = [await open(kept.channels), await open(own)];

    expect(await remove(gone)).toBe(true);
    // The answer: nothing of it can be claimed, although most of its runs still wait.
    expect(await open(gone.channels)).toBe(9_500);
    const waiting = await database.db.deliveryRun.findMany({
      where: {
        channelId: { in: [...gone.channels] },
        status: { in: ['queued', 'retrying'] },
        completedAt: null,
      },
      distinct: ['channelId', 'status'],
    });
    expect(waiting.length).toBeGreaterThan(1);
    for (const { id } of waiting) {
      const claim = await createOwnerClaim(database.db)({ runId: id, attemptId: newId() });
      expect(claim).toEqual({ outcome: 'channel_disabled' });
    }
    const rows = await database.db.channel.findMany({ where: { id: { in: [...gone.channels] } } });
    expect(rows.map(({ sealedSecret, deletedAt }) => [sealedSecret, deletedAt !== null])).toEqual([
      [null, true],
      [null, true],
    ]);

    const before = await open(gone.channels);
    const sweeping = start('support-sweep-process.ts');
    await once(sweeping.stdout, 'data');
    sweeping.kill('SIGKILL');
    await once(sweeping, 'exit');
    const left = await open(gone.channels);
    expect(left).toBeLessThan(before);
    expect(left).toBeGreaterThan(0);
    while ((await endRunsOfDeletedChannels({ db: database.db, newId }, 1_000)) > 0);
    expect(await open(gone.channels)).toBe(0);

    const ended = await database.db.$queryRaw<
      { status: string; code: string; runs: number; attempts: number }[]
    >`
      SELECT run.status, attempt.error_code AS code, count(DISTINCT run.id)::int AS runs, count(*)::int AS attempts
        FROM delivery_runs run JOIN attempts attempt ON attempt.run_id = run.id
       WHERE run.channel_id = ANY(${[...gone.channels]}::uuid[]) GROUP BY 1, 2`;
    expect(ended).toEqual([{ status: 'failed', code: 'channel_disabled', runs: 10_000, attempts: 10_000 }]);
    expect([await open(kept.channels), await open(own)]).toEqual([ofOthers, ofEnvironment]);
    expect(
      await readConsumer(database.db, { environmentId: fixture.environmentId, id: 'kept' }),
    ).not.toBeNull();
  });

  it('changes nothing if the process is killed before the answer, and can be repeated', async () => {
    const { db } = database;
    const fixture = await createFixture(db, { channels: [WEBHOOK] });
    const consumer = await aConsumer(fixture, 'org_1', 10);
    const key = { environmentId: fixture.environmentId, id: consumer.id };
    await db.$transaction(async (tx) => {
      // It is idle for as long as a process takes to start.
      await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = '0'`;
      await tx.$queryRaw`SELECT FROM channels WHERE id = ${consumer.channels[1]}::uuid FOR UPDATE`;
      const deleting = start('support-delete-process.ts', key.environmentId, key.id);
      // It has changed the consumer, and waits for its channel.
      await waitFor('the deletion to wait', async () => {
        const waiting = await db.$queryRaw<object[]>`
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return waiting.length > 0;
      });
      deleting.kill('SIGKILL');
      await once(deleting, 'exit');
    }, PATIENT);
    expect(await readConsumer(db, key)).not.toBeNull();
    expect(await open(consumer.channels)).toBe(20);
    expect(await remove(consumer)).toBe(true);
    expect(await open(consumer.channels)).toBe(0);
  });

  it('leaves no open bulk replay that is created meanwhile, which would block a later consumer with its id', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const { environmentId } = fixture;
    for (let round = 0; round < 20; round += 1) {
      const consumerId = `org_${round}`;
      await putConsumer(deps(), { environmentId, id: consumerId }, NEW_CONSUMER);
      const owner = { environmentId, consumerId };
      const input = { ...owner, filter: {}, channelIds: [newId()], messagesPerSecond: 1 };
      const [created] = await Promise.all([
        orRefusal(() => createReplayBatch(deps(), input)),
        deleteConsumer(deps(), { environmentId, id: consumerId }),
      ]);
      if ('refused' in created) expect(created.message).toBe('The consumer has been deleted.');
      await putConsumer(deps(), { environmentId, id: consumerId }, NEW_CONSUMER);
      expect(await createReplayBatch(deps(), input)).toMatchObject({ status: 'pending' });
    }
  });

  it('erases what can be personal, and keeps its messages for an id that is created again', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const consumer = await aConsumer(fixture, 'org_42', 1);
    const key = { environmentId: fixture.environmentId, id: 'org_42' };
    const personal = { name: 'Ada', contactEmail: 'ada@example.com', attributes: { phone: '1' } };
    await putConsumer(deps(), key, { ...NEW_CONSUMER, ...personal });
    expect(await Promise.all([remove(consumer), remove(consumer)])).toEqual(
      expect.arrayContaining([true, false]),
    );
    const [row] = await database.db.consumer.findMany({ where: key });
    expect(row).toMatchObject({
      name: null,
      contactEmail: null,
      attributes: {},
      deletedAt: expect.any(Date),
    });
    expect(await readConsumer(database.db, key)).toBeNull();
    await putConsumer(deps(), key, NEW_CONSUMER);
    expect(
      await database.db.channel.count({
        where: { consumerId: 'org_42', environmentId: key.environmentId, deletedAt: null },
      }),
    ).toBe(0);
    expect(
      await database.db.message.count({ where: { consumerId: 'org_42', environmentId: key.environmentId } }),
    ).toBe(1);
  });
});
