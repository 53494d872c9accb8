import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { changePlan, createIngest, inTransaction, lockPlan, reportChangedQuota } from '../src/index.ts';
import { actorNamed, createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { accepted, eventFor, plannedRuns, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newId = createUuidV7Source();

describe('a quota threshold', () => {
  it('is reported if a plan is lowered during the acceptance that reaches it', async () => {
    const { db } = database;
    const fixture = await createFixture(db, {
      plan: { eventsPerMonth: 100 },
      channels: [WEBHOOK, { ...WEBHOOK, operational: true }],
    });
    const { tenantId, planCode } = fixture;
    const accept = () => createIngest(db)(eventFor(fixture, { runs: plannedRuns(fixture).slice(0, 1) }));
    accepted(await accept());
    const told = async () =>
      (await db.operationalEvent.findMany({ where: { type: 'quota.threshold' } })).map(
        ({ payload }) => (payload as { threshold: number }).threshold,
      );

    await db.$transaction(async (open) => {
      // What an acceptance by the plan of 100 events has written when it commits: it reaches no part of that.
      await open.$executeRaw`UPDATE tenant_usage SET events_used = events_used + 5 WHERE tenant_id = ${tenantId}::uuid`;
      const deps = { db, newId, actor: actorNamed('test') };
      await inTransaction(deps, async (tx) => {
        const plan = await lockPlan(tx, planCode ?? '');
        if (!plan) throw new Error('there is no such plan');
        const { createdAt: _createdAt, updatedAt: _updatedAt, ...current } = plan;
        await changePlan(tx, deps, plan, { ...current, eventsPerMonth: 10 });
      });
    });

    expect(await told()).toEqual([]);
    await reportChangedQuota(db);
    await reportChangedQuota(db);
    expect(await told()).toEqual([50]);
  });
});
