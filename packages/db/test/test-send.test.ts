import { createUuidV7Source, orRefusal } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { acceptTestSend, createIngest, readMessage, readUsage } from '../src/index.ts';
import {
  actorNamed,
  createFixture,
  createOwnerClaim,
  createTestDatabase,
  type Fixture,
  type TestDatabase,
} from '../src/testing/index.ts';
import { eventFor, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newId = createUuidV7Source();
const actor = actorNamed('ada', 'request-1');

const channelOf = (fixture: Fixture) => fixture.channels[0]?.id ?? '';
const send = (fixture: Fixture) =>
  acceptTestSend(
    { db: database.db, newId, actor },
    {
      channelId: channelOf(fixture),
      templateVersionId: null,
      eventKey: 'postrider.test',
      recipient: {},
      payload: { a: 1 },
    },
  );
const taken = async (fixture: Fixture) => {
  const sent = await send(fixture);
  const [run] = sent.wakeUps;
  return createOwnerClaim(database.db)({ runId: run?.runId ?? '', attemptId: newId() });
};

describe('a test of a channel', () => {
  it('is a marked message with one run and one attempt, and is audited', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK, WEBHOOK] });
    const sent = await send(fixture);
    const { messageId } = sent.accepted;
    const message = await readMessage(database.db, { environmentId: fixture.environmentId, messageId });
    expect(message).toMatchObject({
      test: true,
      eventKey: 'postrider.test',
      payload: '{"a": 1}',
      requestId: 'request-1',
    });
    expect(message?.runs).toMatchObject([{ channel: { id: channelOf(fixture) }, status: 'queued' }]);
    expect(sent.wakeUps).toMatchObject([{ delayMs: 0 }]);
    expect(await database.db.deliveryRun.findFirst({ where: { messageId } })).toMatchObject({
      maxAttempts: 1,
    });
    const entry = await database.db.auditEntry.findFirst({
      where: { environmentId: fixture.environmentId, action: 'channel.test_sent' },
    });
    expect(entry).toMatchObject({ actor: 'ada', tenantId: fixture.tenantId, before: null });
  });

  it('is not counted, and is sent even if the quota is exhausted', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK], plan: { eventsPerMonth: 1 } });
    const ingest = createIngest(database.db);
    expect((await ingest(eventFor(fixture))).outcome).toBe('accepted');
    expect((await ingest(eventFor(fixture))).outcome).toBe('quota_exceeded');
    const before = await readUsage(database.db, fixture.tenantId);
    await send(fixture);
    expect(await readUsage(database.db, fixture.tenantId)).toEqual(before);
    expect(before.deliveries).toMatchObject({ pending: 1 });
  });

  it('is accepted for a disabled channel, unlike events', async () => {
    const fixture = await createFixture(database.db, { channels: [{ ...WEBHOOK, enabled: false }] });
    expect(await taken(fixture)).toMatchObject({ outcome: 'claimed', run: { message: { test: true } } });
  });

  it('is refused for a deleted channel', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const sent = await send(fixture);
    await database.db.channel.update({ where: { id: channelOf(fixture) }, data: { deletedAt: new Date() } });
    const runId = sent.wakeUps[0]?.runId ?? '';
    expect(await createOwnerClaim(database.db)({ runId, attemptId: newId() })).toEqual({
      outcome: 'channel_disabled',
    });
    expect(await orRefusal(() => send(fixture))).toEqual({ refused: 'channel_not_found' });
  });

  it('is refused for a kind that the plan does not include', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    await database.db.plan.update({
      where: { code: fixture.planCode ?? '' },
      data: { channelKinds: ['email'] },
    });
    expect(await orRefusal(() => send(fixture))).toMatchObject({ refused: 'conflict' });
  });

  it('is limited to 30 a minute in an environment, with concurrent calls', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const other = await createFixture(database.db, { channels: [WEBHOOK], tenantId: fixture.tenantId });
    const outcomes = await Promise.all(Array.from({ length: 33 }, () => orRefusal(() => send(fixture))));
    expect(outcomes.filter((outcome) => 'accepted' in outcome)).toHaveLength(30);
    const refused = await orRefusal(() => send(fixture));
    expect(refused).toMatchObject({ refused: 'rate_limited' });
    const wait = Number('refused' in refused && refused.headers?.['Retry-After']);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    await send(other);
    await database.db.$executeRaw`
      UPDATE messages SET created_at = created_at - interval '1 minute'
       WHERE environment_id = ${fixture.environmentId}::uuid`;
    await send(fixture);
  });
});
