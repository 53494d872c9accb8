import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createIngest, createReplay, readUsage } from '../src/index.ts';
import { loadEnvironment } from '../src/snapshot/load.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { accepted, eventFor, replayFor, WEBHOOK } from './support.ts';

const INTEGER_MAX = 2_147_483_647;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('the usage of the previous month', () => {
  it('does not count in the current one', async () => {
    const { db } = database;
    const fixture = await createFixture(db, { plan: { eventsPerMonth: 1 }, channels: [WEBHOOK] });
    const { tenantId, environmentId } = fixture;
    const ingest = createIngest(db);
    accepted(await ingest(eventFor(fixture)));
    expect(await ingest(eventFor(fixture))).toMatchObject({ outcome: 'quota_exceeded', limit: 1, used: 1 });
    await db.$executeRaw`
      UPDATE tenant_usage SET period_start = period_start - interval '1 month' WHERE tenant_id = ${tenantId}::uuid`;
    await db.$executeRaw`
      UPDATE environment_usage SET period_start = period_start - interval '1 month'
       WHERE environment_id = ${environmentId}::uuid`;

    expect(await readUsage(db, tenantId)).toMatchObject({ events: { used: 0 } });
    expect(await loadEnvironment(db, environmentId, () => 0)).toMatchObject({ eventsUsed: 0 });
    expect(accepted(await ingest(eventFor(fixture)))).toMatchObject({ eventsUsed: 1 });
    expect(await ingest(eventFor(fixture))).toMatchObject({ outcome: 'quota_exceeded', used: 1 });
  });
});

describe('the deliveries of a month', () => {
  it('include runs of replays of older messages', async () => {
    const { db } = database;
    const fixture = await createFixture(db, { plan: { eventsPerMonth: null }, channels: [WEBHOOK] });
    const { tenantId } = fixture;
    const ingest = createIngest(db);
    const age = async (messageId: string) => {
      const [row] = await db.$queryRaw<{ id: string }[]>`
        WITH old AS (
          SELECT overlay(${messageId}::text PLACING '0190' FROM 1)::uuid AS id, now() - interval '40 days' AS made_at
        ), run AS (
          UPDATE delivery_runs SET created_at = made_at FROM old WHERE message_id = ${messageId}::uuid
        )
        UPDATE messages SET id = old.id, created_at = made_at FROM old WHERE messages.id = ${messageId}::uuid
        RETURNING messages.id`;
      return row?.id ?? '';
    };
    const [first, replayed] = [
      accepted(await ingest(eventFor(fixture))),
      accepted(await ingest(eventFor(fixture))),
    ];
    accepted(await ingest(eventFor(fixture)));
    await age(first.messageId);
    const old = await age(replayed.messageId);
    expect(await readUsage(db, tenantId)).toMatchObject({ deliveries: { pending: 1 } });

    await createReplay(db)(replayFor(fixture, old));
    expect(await readUsage(db, tenantId)).toMatchObject({ deliveries: { pending: 2 } });
  });
});

describe('the usage of an unlimited tenant', () => {
  it('exceeds a 32-bit integer', async () => {
    const { db } = database;
    const fixture = await createFixture(db, { plan: { eventsPerMonth: null }, channels: [WEBHOOK] });
    const { tenantId, environmentId } = fixture;
    const ingest = createIngest(db);
    const { messageId } = accepted(await ingest(eventFor(fixture)));
    await db.tenantUsage.updateMany({ where: { tenantId }, data: { eventsUsed: INTEGER_MAX } });
    await db.environmentUsage.updateMany({ where: { environmentId }, data: { eventsUsed: INTEGER_MAX } });
    await db.$executeRaw`
      INSERT INTO removed_deliveries (environment_id, period_start, channel_kind, status, runs)
      SELECT environment_id, period_start, 'webhook', 'succeeded', ${INTEGER_MAX + 1}::bigint
        FROM environment_usage WHERE environment_id = ${environmentId}::uuid`;

    accepted(await ingest(eventFor(fixture)));
    const replayed = await createReplay(db)(replayFor(fixture, messageId));
    expect(replayed.outcome).toBe('accepted');
    const used = INTEGER_MAX + 2;
    expect(await readUsage(db, tenantId)).toMatchObject({
      events: { used, limit: null },
      deliveries: { succeeded: INTEGER_MAX + 1, byChannelKind: { webhook: { succeeded: INTEGER_MAX + 1 } } },
      environments: [{ eventsUsed: used }],
    });
    expect(await loadEnvironment(db, environmentId, () => 0)).toMatchObject({ eventsUsed: used });
  });
});
