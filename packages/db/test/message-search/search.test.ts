import { randomUUID } from 'node:crypto';
import { createUuidV7Source, type MessageFilter } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  acceptInEnvironment,
  cancelRun,
  createIngest,
  listMessages,
  releaseExpiredLeases,
  type UnboundDatabase,
} from '../../src/index.ts';
import { countMessages, findMessages } from '../../src/read/message-search.ts';
import {
  createFixture,
  createOwnerClaim,
  createTestDatabase,
  type Fixture,
  type TestDatabase,
} from '../../src/testing/index.ts';
import { accepted, eventFor, onlyRun, WEBHOOK } from '../support.ts';

let database: TestDatabase;
let db: UnboundDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());

async function acceptMany(fixture: Fixture, eventKeys: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const eventKey of eventKeys) {
    ids.unshift(accepted(await createIngest(db)(eventFor(fixture, { eventKey }))).messageId);
  }
  return ids;
}

describe('a search that reaches its limit', () => {
  it('returns its matches and a position, so that all calls together find each message once', async () => {
    const fixture = await createFixture(db, { channels: [WEBHOOK] });
    const { environmentId } = fixture;
    const ids = await acceptMany(
      fixture,
      Array.from({ length: 24 }, (_, index) => (index % 8 === 0 ? 'invoice.paid' : 'order.shipped')),
    );
    const filter: MessageFilter = { channelKind: 'webhook', runStatus: 'queued' };
    await db.deliveryRun.updateMany({
      where: { environmentId, message: { eventKey: 'order.shipped' } },
      data: { status: 'succeeded', completedAt: new Date() },
    });
    const pages: (readonly string[])[] = [];
    let after: string | null = null;
    do {
      const page = await findMessages(db, { environmentId, filter, after, limit: 10, maxExamined: 5 });
      pages.push(page.rows);
      after = page.nextAfter;
    } while (after !== null);
    expect(pages.map((page) => page.length)).toEqual([0, 1, 0, 1, 1]);
    expect(pages.flat()).toEqual(ids.filter((_id, index) => (ids.length - 1 - index) % 8 === 0));
  });

  it('treats times before 1970 as earlier than every message', async () => {
    const fixture = await createFixture(db, { channels: [WEBHOOK] });
    const { environmentId } = fixture;
    await acceptMany(fixture, ['order.shipped']);
    const count = async (filter: MessageFilter) =>
      (await countMessages(db, { environmentId, filter, maxExamined: 10 })).matched;
    const year0 = new Date('0000-01-01T00:00:00Z');
    const year9999 = new Date('9999-12-31T23:59:59.999Z');
    expect(
      await Promise.all([year0, new Date(-1), new Date(0)].map((time) => count({ createdAfter: time }))),
    ).toEqual([1, 1, 1]);
    expect(
      await Promise.all([year0, new Date(-1), new Date(0)].map((time) => count({ createdBefore: time }))),
    ).toEqual([0, 0, 0]);
    expect([await count({ createdAfter: year9999 }), await count({ createdBefore: year9999 })]).toEqual([
      0, 1,
    ]);
  });

  it('reports a lower bound as such', async () => {
    const fixture = await createFixture(db, { channels: [WEBHOOK] });
    const { environmentId } = fixture;
    await acceptMany(
      fixture,
      Array.from({ length: 6 }, () => 'order.shipped'),
    );
    const count = (maxExamined: number) => countMessages(db, { environmentId, filter: {}, maxExamined });
    expect(await count(4)).toEqual({ matched: 4, isLowerBound: true });
    expect(await count(100)).toEqual({ matched: 6, isLowerBound: false });
  });
});

describe('the last error of a run', () => {
  const idsWith = async (environmentId: string, filter: MessageFilter) =>
    (await listMessages(db, { environmentId, filter, after: null, limit: 10 })).rows.map(({ id }) => id);

  it('is that of a lost worker', async () => {
    const fixture = await createFixture(db, { channels: [WEBHOOK] });
    const { environmentId } = fixture;
    const event = await createIngest(db)(eventFor(fixture));
    await createOwnerClaim(db)({ runId: onlyRun(event), attemptId: randomUUID() });
    expect(await idsWith(environmentId, { errorCode: 'worker_lost' })).toEqual([]);
    await db.deliveryRun.updateMany({ where: { environmentId }, data: { leaseUntil: new Date(0) } });
    await releaseExpiredLeases(db, 10);
    expect(await idsWith(environmentId, { errorCode: 'worker_lost', runStatus: 'retrying' })).toEqual([
      accepted(event).messageId,
    ]);
  });

  it('is that of a cancel, and of a channel that was disabled', async () => {
    const fixture = await createFixture(db, { channels: [WEBHOOK] });
    const { environmentId } = fixture;
    const scheduleAt = new Date(Date.now() + 3_600_000);
    const scheduled = await createIngest(db)(eventFor(fixture, { scheduleAt }));
    await acceptInEnvironment(db, environmentId, (tx) =>
      cancelRun(tx, { newId: createUuidV7Source(), environmentId, runId: onlyRun(scheduled) }),
    );
    const immediate = await createIngest(db)(eventFor(fixture));
    await db.channel.updateMany({ where: { environmentId }, data: { enabled: false } });
    await createOwnerClaim(db)({ runId: onlyRun(immediate), attemptId: randomUUID() });
    expect(await idsWith(environmentId, { errorCode: 'scheduled_cancelled' })).toEqual([
      accepted(scheduled).messageId,
    ]);
    expect(await idsWith(environmentId, { errorCode: 'channel_disabled' })).toEqual([
      accepted(immediate).messageId,
    ]);
  });

  it.each(['failed', 'cancelled', 'retrying'] as const)(
    'is found by status where the release before ended an attempt: run %s, and the trigger notes the error',
    async (status) => {
      const fixture = await createFixture(db, { channels: [WEBHOOK] });
      const { environmentId } = fixture;
      const event = await createIngest(db)(eventFor(fixture));
      await createIngest(db)(eventFor(fixture));
      const runId = onlyRun(event);
      await createOwnerClaim(db)({ runId, attemptId: randomUUID() });
      await db.deliveryRun.update({
        where: { id: runId },
        data: { status, leaseUntil: null, completedAt: status === 'retrying' ? null : new Date() },
      });
      await db.attempt.updateMany({
        where: { runId },
        data: { status: 'failed', errorCode: 'webhook_http_error', completedAt: new Date(), durationMs: 1 },
      });
      expect(await idsWith(environmentId, { runStatus: status })).toEqual([accepted(event).messageId]);
    },
  );
});
