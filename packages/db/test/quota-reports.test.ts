import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { changePlan, createIngest, inTransaction, lockPlan, reportQuotaThresholds } from '../src/index.ts';
import { actorNamed, createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { accepted, eventFor, plannedRuns, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newId = createUuidV7Source();

/** A tenant with an operational channel whose plan has 10 events a month. */
async function startTenant() {
  const { db } = database;
  const fixture = await createFixture(db, {
    plan: { eventsPerMonth: 10 },
    channels: [WEBHOOK, { ...WEBHOOK, operational: true }],
  });
  const ingest = createIngest(db);
  const { tenantId, planCode } = fixture;
  return {
    tenantId,
    /** Accepts events, all at once. */
    accept: async (count: number) => {
      const runs = plannedRuns(fixture).slice(0, 1);
      const events = Array.from({ length: count }, () => ingest(eventFor(fixture, { runs })));
      for (const outcome of await Promise.all(events)) accepted(outcome);
    },
    setPlan: (eventsPerMonth: number) => {
      const deps = { db, newId, actor: actorNamed('test') };
      return inTransaction(deps, async (tx) => {
        const plan = await lockPlan(tx, planCode ?? '');
        if (!plan) throw new Error('there is no such plan');
        const { createdAt: _createdAt, updatedAt: _updatedAt, ...current } = plan;
        await changePlan(tx, deps, plan, { ...current, eventsPerMonth });
      });
    },
    /** Moves what the tenant has used, and its plan, to the month before. */
    endMonth: async () => {
      await db.$executeRaw`
        UPDATE tenant_usage SET period_start = period_start - interval '1 month' WHERE tenant_id = ${tenantId}::uuid`;
      await db.$executeRaw`UPDATE plans SET updated_at = now() - interval '62 days' WHERE code = ${planCode}`;
      await db.$executeRaw`UPDATE tenants SET updated_at = now() - interval '62 days' WHERE id = ${tenantId}::uuid`;
    },
    reported: async () => {
      const events = await db.operationalEvent.findMany({
        where: { type: 'quota.threshold', environmentId: fixture.environmentId },
        orderBy: { id: 'asc' },
      });
      return events.map(({ payload }) => payload as { threshold: number });
    },
  };
}

describe('a quota threshold', () => {
  it('is reported once a month, also if one batch reaches several', async () => {
    const { db } = database;
    const { tenantId, accept, reported } = await startTenant();
    const told = async () => (await reported()).map(({ threshold }) => threshold);

    await accept(4);
    await reportQuotaThresholds(db);
    expect(await told()).toEqual([]);
    await accept(5);
    await Promise.all([reportQuotaThresholds(db), reportQuotaThresholds(db)]);
    expect((await told()).sort()).toEqual([50, 80]);
    await accept(1);
    await reportQuotaThresholds(db);
    await reportQuotaThresholds(db);
    expect((await told()).sort()).toEqual([100, 50, 80]);
    expect((await reported())[0]).toEqual({
      tenant_id: tenantId,
      threshold: 50,
      events_per_month: 10,
      period_start: expect.stringMatching(/^\d{4}-\d{2}-01$/),
    });
  });

  it('is reported if a lowered plan makes it reached, and no more than once', async () => {
    const { db } = database;
    const { accept, setPlan, reported } = await startTenant();
    await accept(4);
    await setPlan(5);
    await reportQuotaThresholds(db);
    expect(await reported()).toMatchObject([{ threshold: 50 }, { threshold: 80 }]);
    await setPlan(7);
    await reportQuotaThresholds(db);
    expect(await reported()).toHaveLength(2);
  });

  it('is reported shortly after the end of its month, by the plan of that month', async () => {
    const { db } = database;
    const { accept, endMonth, setPlan, reported } = await startTenant();
    await accept(5);
    await endMonth();
    // Far enough back for any day of the month.
    const hours = 24 * 31;
    await reportQuotaThresholds(db, hours);
    await reportQuotaThresholds(db, hours);
    expect(await reported()).toMatchObject([{ threshold: 50 }]);
    await setPlan(5);
    await reportQuotaThresholds(db, hours);
    expect(await reported()).toHaveLength(1);
  });
});
