import { createUuidV7Source, type Plan } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { putPlan } from '../src/configure/plans.ts';
import {
  createEnvironment,
  createPlan,
  createTenant,
  readPlan,
  updatePlan,
  updateTenant,
} from '../src/index.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

const PLAN: Plan = {
  code: 'plan',
  name: 'Plan',
  eventsPerMonth: 0,
  requestsPerSecond: null,
  burst: null,
  maxPayloadBytes: null,
  maxScheduleDays: null,
  retentionDays: null,
  channelKinds: ['email'],
};
const TENANT = { name: 'Acme', planCode: 'plan', billingStatus: 'active', graceEndsAt: null } as const;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 6 });
});
afterAll(() => database.drop());

const deps = () => ({
  db: database.db,
  newId: createUuidV7Source(),
  actor: { name: 'ada', requestId: null, traceId: null },
});
const auditCount = (resourceId: string) => database.db.auditEntry.count({ where: { resourceId } });

describe('a change', () => {
  it('decides on what the one before it has left, however many come at once', async () => {
    await createPlan(deps(), { ...PLAN, code: 'counter' });
    const increment = () =>
      updatePlan<never>(deps(), 'counter', (current) => ({
        outcome: 'change',
        next: { ...current, eventsPerMonth: (current.eventsPerMonth ?? 0) + 1 },
      }));
    await Promise.all(Array.from({ length: 12 }, increment));
    expect((await readPlan(database.db, 'counter'))?.eventsPerMonth).toBe(12);
    expect(await auditCount('counter')).toBe(13);
  });

  it('leaves nothing when its audit entry cannot be written', async () => {
    await createPlan(deps(), { ...PLAN, code: 'unaudited' });
    const failing = { ...deps(), newId: () => 'no UUID' };
    const change = updatePlan<never>(failing, 'unaudited', (current) => ({
      outcome: 'change',
      next: { ...current, name: 'Changed' },
    }));
    await expect(change).rejects.toThrow();
    expect((await readPlan(database.db, 'unaudited'))?.name).toBe('Plan');
    expect(await auditCount('unaudited')).toBe(1);
  });

  it('gives a refusal back as it is, and changes nothing', async () => {
    await createPlan(deps(), { ...PLAN, code: 'refused' });
    const before = await readPlan(database.db, 'refused');
    const refused = await updatePlan(deps(), 'refused', () => ({ outcome: 'refused', refusal: 'because' }));
    expect(refused).toEqual({ outcome: 'refused', refusal: 'because' });
    expect(await readPlan(database.db, 'refused')).toEqual(before);
  });

  it('cannot change the code of a plan', async () => {
    await createPlan(deps(), { ...PLAN, code: 'kept' });
    const change = (current: Plan) => ({ outcome: 'change', next: { ...current, code: 'other' } }) as const;
    const changed = await updatePlan<never>(deps(), 'kept', change);
    expect(changed).toMatchObject({ outcome: 'updated', plan: { code: 'kept' } });
    expect(await readPlan(database.db, 'other')).toBeNull();
  });

  it('that puts a plan as it is writes nothing', async () => {
    const plan = { ...PLAN, code: 'put' };
    await putPlan(deps(), plan);
    await putPlan(deps(), plan);
    expect(await auditCount('put')).toBe(1);
    await putPlan(deps(), { ...plan, name: 'Other' });
    expect(await auditCount('put')).toBe(2);
    expect((await readPlan(database.db, 'put'))?.name).toBe('Other');
  });
});

describe('what does not exist', () => {
  it('is said, not thrown', async () => {
    const nobody = createUuidV7Source()();
    await putPlan(deps(), PLAN);
    expect(await createTenant(deps(), { ...TENANT, planCode: 'none' })).toEqual({
      outcome: 'plan_not_found',
    });
    expect(await createEnvironment(deps(), { tenantId: nobody, name: 'a' })).toEqual({
      outcome: 'tenant_not_found',
    });
    const change = () => ({ outcome: 'change', next: TENANT }) as const;
    expect(await updateTenant<never>(deps(), nobody, change)).toEqual({ outcome: 'not_found' });
    const made = await createTenant(deps(), TENANT);
    const id = made.outcome === 'created' ? made.tenant.id : '';
    const toNowhere = () => ({ outcome: 'change', next: { ...TENANT, planCode: 'none' } }) as const;
    expect(await updateTenant<never>(deps(), id, toNowhere)).toEqual({ outcome: 'plan_not_found' });
  });
});
