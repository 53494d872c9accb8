import { createUuidV7Source, NEW_CONSUMER, orRefusal } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  acceptReplay,
  cancelReplayBatch,
  createReplayBatch,
  MAX_OPEN_REPLAY_RUNS,
  putConsumer,
  replayPage,
  type UnboundDatabase,
} from '../../src/index.ts';
import { cutPage } from '../../src/replay-batches/page-bounds.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../../src/testing/index.ts';
import { replayFor, WEBHOOK } from '../support.ts';
import {
  acceptMany,
  actor,
  batchNow,
  createBatch,
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

const SECOND = { ...WEBHOOK, name: 'second' };
const EMAIL = {
  kind: 'email',
  name: 'mail',
  config: { smtp: { host: '127.0.0.1', port: 9, secure: false }, from: { email: 'a@example.com' } },
} as const;

describe('a bulk replay with a filter on runs', () => {
  it('only delivers to the channels of matching runs', async () => {
    const fixture = await createFixture(db, { channels: [WEBHOOK, SECOND] });
    const [one = '', two = ''] = fixture.channels.map(({ id }) => id);
    const ids = await acceptMany(db, fixture, 3);
    await endRuns(db, { environmentId: fixture.environmentId }, 'succeeded');
    await endRuns(db, { messageId: ids[0] ?? '', channelId: one }, 'failed');
    await endRuns(db, { messageId: ids[1] ?? '', channelId: two }, 'failed');
    const ended = await runBatch(db, await createBatch(db, fixture, { filter: { runStatus: 'failed' } }));
    expect(ended).toMatchObject({ status: 'completed', matched: 2, replayed: 2 });
    const made = await db.deliveryRun.findMany({
      where: { environmentId: fixture.environmentId, replay: { gt: 0 } },
    });
    expect(new Set(made.map((run) => `${run.messageId} ${run.channelId}`))).toEqual(
      new Set([`${ids[0]} ${one}`, `${ids[1]} ${two}`]),
    );
  });

  it('finds nothing once the newest runs have succeeded', async () => {
    const fixture = await createFixture(db, { channels: [WEBHOOK] });
    const { environmentId } = fixture;
    await acceptMany(db, fixture, 3);
    await endRuns(db, { environmentId }, 'failed');
    await runBatch(db, await createBatch(db, fixture, { filter: { runStatus: 'failed' } }));
    await db.deliveryRun.updateMany({
      where: { environmentId, replay: 1 },
      data: { status: 'succeeded', completedAt: new Date() },
    });
    const again = await runBatch(db, await createBatch(db, fixture, { filter: { runStatus: 'failed' } }));
    expect(again).toMatchObject({ status: 'completed', matched: 0, replayed: 0 });
  });

  it('only delivers to chosen channels', async () => {
    const fixture = await createFixture(db, { channels: [WEBHOOK, SECOND] });
    const named = fixture.channels[1]?.id ?? '';
    await acceptMany(db, fixture, 2);
    await runBatch(db, await createBatch(db, fixture, { channelIds: [named] }));
    const made = await db.deliveryRun.findMany({
      where: { environmentId: fixture.environmentId, replay: { gt: 0 } },
    });
    expect(made.map(({ channelId }) => channelId)).toEqual([named, named]);
  });
});

describe('messages that cannot be replayed', () => {
  it('are counted by reason, and the others are replayed', async () => {
    const fixture = await createFixture(db, { channels: [{ ...WEBHOOK, eventKeys: ['order.shipped'] }] });
    const { environmentId } = fixture;
    await acceptMany(db, fixture, 2);
    await acceptMany(db, fixture, 3, { eventKey: 'invoice.paid' });
    const [test = ''] = await acceptMany(db, fixture, 1);
    await db.message.update({
      where: { environmentId_id: { environmentId, id: test } },
      data: { test: true },
    });
    const ended = await runBatch(db, await createBatch(db, fixture));
    expect(ended).toMatchObject({
      status: 'completed',
      matched: 6,
      replayed: 2,
      skipped: {
        no_matching_channel: 3,
        test_message: 1,
        template_not_found: 0,
        filtered: 0,
        too_large_for_filters: 0,
        unknown_filter: 0,
        recipient_email_missing: 0,
        message_erased: 0,
      },
    });
  });

  it('because a template or an address is missing are skipped as a whole, like in a single replay', async () => {
    const fixture = await createFixture(db, { channels: [WEBHOOK, EMAIL] });
    const { environmentId } = fixture;
    const webhookOnly = { ...fixture, channels: fixture.channels.slice(0, 1) };
    await acceptMany(db, webhookOnly, 2);
    const first = await runBatch(db, await createBatch(db, fixture));
    expect(first).toMatchObject({ replayed: 0, skipped: { template_not_found: 2 } });
    await db.templateVersion.create({
      data: {
        id: createUuidV7Source()(),
        environmentId,
        eventKey: 'order.shipped',
        channelKind: 'email',
        version: 1,
        subject: 's',
        text: 't',
        active: true,
      },
    });
    await acceptMany(db, webhookOnly, 1, { recipient: { name: 'Ada' } });
    const second = await runBatch(db, await createBatch(db, fixture));
    expect(second).toMatchObject({ replayed: 2, skipped: { recipient_email_missing: 1 } });
  });

  it('because their channel has a filter of a later release are skipped alone', async () => {
    const later = { ...SECOND, eventKeys: ['order.refunded'], filter: { $later: [] } };
    const fixture = await createFixture(db, { channels: [{ ...WEBHOOK, eventKeys: ['order.*'] }, later] });
    await acceptMany(db, fixture, 2);
    await acceptMany(db, fixture, 1, { eventKey: 'order.refunded' });
    const ended = await runBatch(db, await createBatch(db, fixture));
    expect(ended).toMatchObject({ status: 'completed', replayed: 2, skipped: { unknown_filter: 1 } });
  });

  it('because their channel was disabled are counted, too', async () => {
    const fixture = await createFixture(db, { channels: [WEBHOOK] });
    await acceptMany(db, fixture, 2);
    const batch = await createBatch(db, fixture);
    await db.channel.updateMany({
      where: { environmentId: fixture.environmentId },
      data: { enabled: false },
    });
    expect(await runBatch(db, batch)).toMatchObject({ replayed: 0, skipped: { no_matching_channel: 2 } });
  });
});

describe('the pace', () => {
  it("allows no more messages than its rate, and at most half a second's worth at once", async () => {
    const fixture = await createFixture(db, { channels: [WEBHOOK] });
    await acceptMany(db, fixture, 60);
    const batch = await createBatch(db, fixture, { messagesPerSecond: 8 });
    const { clock, paceClock } = createPaceClock();
    const replayedAfter = async (pages: number) => {
      for (let page = 0; page < pages; page += 1) await replayPage(pageDeps(db, paceClock), batch);
      return (await batchNow(db, batch.id)).replayed;
    };
    expect(await replayedAfter(5)).toBe(4);
    for (let second = 1; second <= 4; second += 1) {
      for (let step = 0; step < 4; step += 1) {
        clock.nowMs += 250;
        await replayedAfter(2);
      }
      expect((await batchNow(db, batch.id)).replayed).toBe(4 + 8 * second);
    }
    // A pause does not add up to more than half a second's worth.
    clock.nowMs += 60_000;
    expect(await replayedAfter(5)).toBe(40);
  });
});

describe('open runs of replays', () => {
  it('never exceed the limit, and the batch shows that it waits', async () => {
    const channels = Array.from({ length: 10 }, (_, index) => ({ ...WEBHOOK, name: `hook ${index}` }));
    const fixture = await createFixture(db, { channels });
    const { environmentId } = fixture;
    await acceptMany(db, fixture, 105);
    const batch = await createBatch(db, fixture);
    const open = () =>
      db.deliveryRun.count({ where: { environmentId, replay: { gt: 0 }, status: 'queued' } });
    const waiting = await runBatch(db, batch, ({ outcome }) => outcome === 'waiting');
    expect(waiting).toMatchObject({ status: 'running', reason: 'too_many_open_runs', replayed: 100 });
    expect(await open()).toBe(MAX_OPEN_REPLAY_RUNS);
    await db.deliveryRun.updateMany({
      where: { environmentId, replay: { gt: 0 }, channelId: fixture.channels[0]?.id ?? '' },
      data: { status: 'succeeded', completedAt: new Date() },
    });
    expect(await runBatch(db, batch)).toMatchObject({ status: 'completed', reason: null, replayed: 105 });
    expect(await open()).toBe(900 + 50);
    expect((await replaysOf(db, fixture)).size).toBe(105);
  });

  it('of callers of consumers do not stop that of the environment, nor its own theirs', async () => {
    const fixture = await createFixture(db, { channels: [WEBHOOK] });
    const { environmentId } = fixture;
    const [channelId = ''] = fixture.channels.map(({ id }) => id);
    const deps = { db, newId: createUuidV7Source(), actor };
    await putConsumer(deps, { environmentId, id: 'org_1' }, NEW_CONSUMER);
    await acceptMany(db, fixture, 5);
    const [messageId = ''] = await acceptMany(db, fixture, 1, { consumerId: 'org_1' });
    const own = await createBatch(db, fixture, { filter: { consumer: 'org_1' } });
    const ofConsumer = await createBatch(db, fixture, { consumerId: 'org_1', channelIds: [channelId] });
    const fill = (replayedByConsumer: boolean | null) => db.$executeRaw`
      INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, replay, status, max_attempts, due_at,
                                 created_at, replayed_by_consumer)
      SELECT gen_random_uuid(), ${environmentId}::uuid, ${messageId}::uuid, ${channelId}::uuid, 'webhook', 1000 + n, 'queued', 1, now(),
             clock_timestamp(), ${replayedByConsumer}::bool
        FROM generate_series(1, ${MAX_OPEN_REPLAY_RUNS}::int) AS n`;
    await acceptReplay(db, { ...replayFor(fixture, messageId), replayedBy: 'org_1' });
    const [replayed] = await db.deliveryRun.findMany({ where: { environmentId, replay: 1 } });
    expect(replayed?.replayedByConsumer).toBe(true);
    await fill(true);
    expect(await runBatch(db, own)).toMatchObject({ status: 'completed', replayed: 1 });
    const isWaiting = ({ outcome }: { outcome: string }) => outcome === 'waiting';
    expect(await runBatch(db, ofConsumer, isWaiting)).toMatchObject({ reason: 'too_many_open_runs' });
    await db.deliveryRun.deleteMany({ where: { environmentId, replay: { gt: 1_000 } } });
    await fill(null);
    expect(await runBatch(db, ofConsumer)).toMatchObject({ status: 'completed' });
  });

  it('that an earlier bulk replay left to a failing channel do not stop a later one', async () => {
    const channels = Array.from({ length: 10 }, (_, index) => ({ ...WEBHOOK, name: `hook ${index}` }));
    const fixture = await createFixture(db, { channels });
    await acceptMany(db, fixture, 100);
    expect(await runBatch(db, await createBatch(db, fixture))).toMatchObject({ status: 'completed' });
    const later = await createBatch(db, fixture);
    expect(await runBatch(db, later, ({ outcome }) => outcome === 'waiting')).toMatchObject({
      status: 'completed',
      replayed: 100,
    });
  });

  it('may exceed it for a single message', () => {
    const run = {
      channel: { id: 'c', kind: 'webhook', name: 'c' },
      templateVersionId: null,
      maxAttempts: 1,
    } as const;
    const message = { id: 'm', outcome: 'replay', runs: [run, run, run] } as const;
    const bounds = { nextAfter: null, mostReplays: 10, mostOpenRuns: 2 };
    expect(cutPage([message, message], { ...bounds, openRuns: 0 }).replays).toHaveLength(1);
    expect(cutPage([message, message], { ...bounds, openRuns: 1 }).isEmpty).toBe(true);
  });
});

describe('bulk replays of one environment', () => {
  it('are one at a time, with any number of requests', async () => {
    const fixture = await createFixture(db, { channels: [WEBHOOK] });
    const { environmentId } = fixture;
    await acceptMany(db, fixture, 1);
    const deps = { db, newId: createUuidV7Source(), actor };
    const input = {
      environmentId,
      filter: {},
      channelIds: null,
      consumerId: null,
      messagesPerSecond: 1,
    };
    const created = await Promise.all(
      Array.from({ length: 5 }, () => orRefusal(() => createReplayBatch(deps, input))),
    );
    expect(created.filter((each) => 'refused' in each && each.refused === 'conflict')).toHaveLength(4);
    const { id = '' } = (await db.replayBatch.findFirst({ where: { environmentId } })) ?? {};
    expect(await cancelReplayBatch(deps, id)).toMatchObject({ status: 'cancelled' });
    expect(await createReplayBatch(deps, input)).toMatchObject({ status: 'pending' });
    const actions = await db.auditEntry.findMany({
      where: { environmentId, resourceType: 'replay_batch' },
      orderBy: { id: 'asc' },
    });
    expect(actions.map(({ action }) => action)).toEqual([
      'replay_batch.created',
      'replay_batch.cancelled',
      'replay_batch.created',
    ]);
  });
});
