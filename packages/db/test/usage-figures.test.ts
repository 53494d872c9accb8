import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  acceptReplay,
  createIngest,
  foldDeliveryUsage,
  readUsage,
  type UnboundDatabase,
} from '../src/index.ts';
import { loadEnvironment } from '../src/snapshot/load.ts';
import {
  createFixture,
  createOwnerClaim,
  createOwnerFinish,
  createTestDatabase,
  failedWith,
  SUCCEEDED,
  type TestDatabase,
} from '../src/testing/index.ts';
import { accepted, eventFor, onlyRun, replayFor, WEBHOOK } from './support.ts';

const INTEGER_MAX = 2_147_483_647;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The usage, which is the same before and after a sweep has folded what was counted. */
async function usageOf(db: UnboundDatabase, tenantId: string) {
  const usage = await readUsage(db, tenantId);
  await foldDeliveryUsage(db, 1_000);
  expect(await readUsage(db, tenantId)).toEqual(usage);
  return usage;
}

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
    expect(await loadEnvironment(db, environmentId)).toMatchObject({ eventsUsed: 0 });
    expect(accepted(await ingest(eventFor(fixture)))).toMatchObject({ eventsUsed: 1 });
    expect(await ingest(eventFor(fixture))).toMatchObject({ outcome: 'quota_exceeded', used: 1 });
  });
});

describe('the deliveries of a month', () => {
  it('are counted by outcome as runs are made and end, without tests', async () => {
    const { db } = database;
    const fixture = await createFixture(db, { plan: { eventsPerMonth: null }, channels: [WEBHOOK] });
    const { tenantId, environmentId } = fixture;
    const ingest = createIngest(db);
    const runs = await Promise.all([1, 2, 3, 4].map(async () => onlyRun(await ingest(eventFor(fixture)))));
    await ingest(eventFor(fixture, { test: true }));
    expect(await usageOf(db, tenantId)).toMatchObject({ deliveries: { pending: 4, succeeded: 0 } });

    const [delivered = '', refused = '', cancelled = ''] = runs;
    for (const [runId, status] of [
      [delivered, 'succeeded'],
      [refused, 'failed'],
    ] as const) {
      await createOwnerClaim(db)({ runId, attemptId: randomUUID() });
      const outcome = status === 'succeeded' ? SUCCEEDED : failedWith('webhook_http_error', { status });
      await createOwnerFinish(db)({ runId, attemptNumber: 1, fence: 1 }, outcome);
    }
    await db.$executeRaw`
      UPDATE delivery_runs SET status = 'cancelled', completed_at = now() WHERE id = ${cancelled}::uuid`;
    await db.$executeRaw`UPDATE delivery_runs SET due_at = now() WHERE id = ${delivered}::uuid`;
    const counts = { pending: 1, succeeded: 1, failed: 1, cancelled: 1 };
    expect(await usageOf(db, tenantId)).toMatchObject({
      deliveries: { ...counts, byChannelKind: { webhook: counts } },
    });
    expect(await foldDeliveryUsage(db, 1_000)).toMatchObject({ rows: 0 });
    await db.$executeRaw`DELETE FROM messages WHERE environment_id = ${environmentId}::uuid`;
    expect(await usageOf(db, tenantId)).toMatchObject({ deliveries: counts });
  });

  it('include runs of replays of older messages', async () => {
    const { db } = database;
    const fixture = await createFixture(db, { plan: { eventsPerMonth: null }, channels: [WEBHOOK] });
    const { tenantId } = fixture;
    const { messageId } = accepted(await createIngest(db)(eventFor(fixture)));
    await foldDeliveryUsage(db, 1_000);
    await db.$executeRaw`UPDATE delivery_usage SET period_start = period_start - interval '1 month'`;
    expect(await usageOf(db, tenantId)).toMatchObject({ deliveries: { pending: 0 } });

    await acceptReplay(db, replayFor(fixture, messageId));
    expect(await usageOf(db, tenantId)).toMatchObject({ deliveries: { pending: 1 } });
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
      INSERT INTO delivery_usage (environment_id, period_start, channel_kind, pending, succeeded, failed, cancelled)
      SELECT environment_id, period_start, 'webhook', 0, ${INTEGER_MAX + 1}::bigint, 0, 0
        FROM environment_usage WHERE environment_id = ${environmentId}::uuid`;

    accepted(await ingest(eventFor(fixture)));
    const replayed = await acceptReplay(db, replayFor(fixture, messageId));
    expect(replayed.outcome).toBe('accepted');
    const used = INTEGER_MAX + 2;
    expect(await readUsage(db, tenantId)).toMatchObject({
      events: { used, limit: null },
      deliveries: { succeeded: INTEGER_MAX + 1, byChannelKind: { webhook: { succeeded: INTEGER_MAX + 1 } } },
      environments: [{ eventsUsed: used }],
    });
    expect(await loadEnvironment(db, environmentId)).toMatchObject({ eventsUsed: used });
  });
});
