import { randomUUID } from 'node:crypto';
import { createUuidV7Source, NEW_CONSUMER, orRefusal, STILL_IN_PROGRESS } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  acceptReplay,
  createIngest,
  putConsumer,
  readConsumerUsage,
  readDeliveries,
  readUsage,
} from '../src/index.ts';
import {
  actorNamed,
  createFixture,
  createTestDatabase,
  type TestDatabase,
  testKinds,
} from '../src/testing/index.ts';
import { accepted, eventFor, replayFor, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('replay', () => {
  it('adds immediate runs with consecutive numbers, each counted as 1', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const event = eventFor(fixture, { scheduleAt: new Date(Date.now() + 3_600_000) });
    const { messageId } = accepted(await createIngest(database.db)(event));
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => acceptReplay(database.db, replayFor(fixture, messageId))),
    );
    expect(outcomes.map((outcome) => outcome.outcome)).toEqual(Array(5).fill('accepted'));
    const runs = await readDeliveries(database.db, { environmentId: fixture.environmentId, messageId });
    expect(runs?.rows.map((run) => [run.replay, run.status])).toEqual([
      [0, 'scheduled'],
      ...[1, 2, 3, 4, 5].map((number) => [number, 'queued']),
    ]);
    expect((await readUsage(database.db, fixture.tenantId)).events.used).toBe(6);
  });

  it('is refused and leaves nothing if its time is ahead of the database, whose clock was set back', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const { messageId } = accepted(await createIngest(database.db)(eventFor(fixture)));
    const replay = replayFor(fixture, messageId, randomUUID());
    const createdAt = new Date(Date.now() + 3_600_000);
    expect(await acceptReplay(database.db, { ...replay, createdAt })).toEqual({ outcome: 'untimely' });
    expect((await acceptReplay(database.db, replay)).outcome).toBe('accepted');
    const runs = await readDeliveries(database.db, { environmentId: fixture.environmentId, messageId });
    expect(runs?.rows.map((run) => run.replay)).toEqual([0, 1]);
    expect((await readUsage(database.db, fixture.tenantId)).events.used).toBe(2);
  });

  it('by a caller of a consumer counts against its limit, also at once, and one by others does not', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const consumer = { environmentId: fixture.environmentId, id: 'org_1' };
    const deps = {
      db: database.db,
      newId: createUuidV7Source(),
      actor: actorNamed('test'),
      kinds: testKinds,
    };
    await putConsumer(deps, consumer, { ...NEW_CONSUMER, eventsPerMonth: 3 });
    const { messageId } = accepted(await createIngest(database.db)(eventFor(fixture)));
    const replay = (replayedBy: string | null) =>
      acceptReplay(database.db, { ...replayFor(fixture, messageId), replayedBy });
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => replay('org_1')));
    expect(outcomes.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(3);
    expect(outcomes.find(({ outcome }) => outcome !== 'accepted')).toMatchObject({
      outcome: 'quota_exceeded',
      consumerId: 'org_1',
      limit: 3,
      used: 3,
    });
    expect(await replay(null)).toMatchObject({ outcome: 'accepted' });
    expect(await readConsumerUsage(database.db, consumer)).toMatchObject({ events: 3 });
    expect((await readUsage(database.db, fixture.tenantId)).events.used).toBe(5);
  });

  it('with one key at once creates runs once', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const { messageId } = accepted(await createIngest(database.db)(eventFor(fixture)));
    const key = randomUUID();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () =>
        orRefusal(() => acceptReplay(database.db, replayFor(fixture, messageId, key))),
      ),
    );
    expect(outcomes.filter((outcome) => 'outcome' in outcome)).toMatchObject([{ outcome: 'accepted' }]);
    expect(outcomes.filter((outcome) => outcome === STILL_IN_PROGRESS)).toHaveLength(19);
  });

  it('stores nothing if the quota is exhausted or the message is unknown', async () => {
    const fixture = await createFixture(database.db, { plan: { eventsPerMonth: 1 }, channels: [WEBHOOK] });
    const { messageId } = accepted(await createIngest(database.db)(eventFor(fixture)));
    expect(await acceptReplay(database.db, replayFor(fixture, messageId, randomUUID()))).toMatchObject({
      outcome: 'quota_exceeded',
    });
    const other = await createFixture(database.db, { channels: [WEBHOOK] });
    const unknown = orRefusal(() => acceptReplay(database.db, replayFor(other, messageId, randomUUID())));
    expect(await unknown).toEqual({ refused: 'message_not_found' });
    expect(await database.db.deliveryRun.count({ where: { messageId } })).toBe(1);
    expect(
      await database.db.idempotencyRecord.count({
        where: { operation: 'messages.replay', environmentId: fixture.environmentId },
      }),
    ).toBe(0);
    expect((await readUsage(database.db, other.tenantId)).events.used).toBe(0);
  });
});
