import { createUuidV7Source, orRefusal, type Plan } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { putPlan } from '../src/configure/plans.ts';
import {
  changePlan,
  changeTenant,
  createEnvironment,
  createPlan,
  createTenant,
  inTransaction,
  lockPlan,
  lockTenant,
  readPlan,
} from '../src/index.ts';
import { actorNamed, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

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
  actor: actorNamed('ada'),
});
/** Changes a plan to what `next` makes of the locked one. */
const updatePlan = (code: string, next: (current: Plan) => Plan, by = deps()) =>
  inTransaction(by, async (tx) => {
    const current = await lockPlan(tx, code);
    if (!current) throw new Error(`no plan ${code}`);
    const { createdAt: _createdAt, updatedAt: _updatedAt, ...plan } = current;
    return changePlan(tx, by, current, next(plan));
  });
/** Runs work while the clock of this process is an hour ahead. */
async function ahead<Result>(work: () => Promise<Result>): Promise<Result> {
  const OwnDate = Date;
  const ahead = () => OwnDate.now() + 3_600_000;
  globalThis.Date = new Proxy(OwnDate, {
    construct: (target, given) => Reflect.construct(target, given.length > 0 ? given : [ahead()]),
    get: (target, name) => (name === 'now' ? ahead : Reflect.get(target, name)),
  });
  try {
    return await work();
  } finally {
    globalThis.Date = OwnDate;
  }
}
const auditCount = (resourceId: string) => database.db.auditEntry.count({ where: { resourceId } });

describe('a change', () => {
  it('sees the result of the previous one, with any number at once', async () => {
    await createPlan(deps(), { ...PLAN, code: 'counter' });
    const increment = () =>
      updatePlan('counter', (current) => ({
        ...current,
        eventsPerMonth: (current.eventsPerMonth ?? 0) + 1,
      }));
    await Promise.all(Array.from({ length: 12 }, increment));
    expect((await readPlan(database.db, 'counter'))?.eventsPerMonth).toBe(12);
    expect(await auditCount('counter')).toBe(13);
  });

  it('is rolled back if its audit entry cannot be written', async () => {
    await createPlan(deps(), { ...PLAN, code: 'unaudited' });
    const failing = { ...deps(), newId: () => 'no UUID' };
    const change = updatePlan('unaudited', (current) => ({ ...current, name: 'Changed' }), failing);
    await expect(change).rejects.toThrow();
    expect((await readPlan(database.db, 'unaudited'))?.name).toBe('Plan');
    expect(await auditCount('unaudited')).toBe(1);
  });

  it('and its audit entry have the time of the database, not that of the process', async () => {
    const changed = await ahead(async () => {
      await createPlan(deps(), { ...PLAN, code: 'dated' });
      return updatePlan('dated', (current) => ({ ...current, name: 'Changed' }));
    });
    const entries = await database.db.auditEntry.findMany({ where: { resourceId: 'dated' } });
    const times = [changed.createdAt, changed.updatedAt, ...entries.map(({ createdAt }) => createdAt)];
    expect(times).toHaveLength(4);
    for (const time of times) expect(time.getTime()).toBeLessThan(Date.now() + 60_000);
    expect(changed.updatedAt.getTime()).toBeGreaterThanOrEqual(changed.createdAt.getTime());
  });

  it('that only locks a plan writes nothing', async () => {
    await createPlan(deps(), { ...PLAN, code: 'refused' });
    const before = await readPlan(database.db, 'refused');
    expect(await inTransaction(deps(), (tx) => lockPlan(tx, 'refused'))).toEqual(before);
    expect(await readPlan(database.db, 'refused')).toEqual(before);
    expect(await auditCount('refused')).toBe(1);
  });

  it('cannot change the code of a plan', async () => {
    await createPlan(deps(), { ...PLAN, code: 'kept' });
    const changed = await updatePlan('kept', (current) => ({ ...current, code: 'other' }));
    expect(changed).toMatchObject({ code: 'kept' });
    expect(await readPlan(database.db, 'other')).toBeNull();
  });

  it('that does not change a plan writes nothing', async () => {
    const plan = { ...PLAN, code: 'put' };
    await putPlan(deps(), plan);
    await putPlan(deps(), plan);
    expect(await auditCount('put')).toBe(1);
    await putPlan(deps(), { ...plan, name: 'Other' });
    expect(await auditCount('put')).toBe(2);
    expect((await readPlan(database.db, 'put'))?.name).toBe('Other');
  });
});

describe('an unknown resource', () => {
  it('is refused with its code, or is null', async () => {
    const nobody = createUuidV7Source()();
    await putPlan(deps(), PLAN);
    const unknownPlan = { refused: 'validation_failed', details: [{ path: '/plan', code: 'unknown_plan' }] };
    const withoutPlan = orRefusal(() => createTenant(deps(), { ...TENANT, planCode: 'none' }));
    expect(await withoutPlan).toMatchObject(unknownPlan);
    expect(await orRefusal(() => createEnvironment(deps(), { tenantId: nobody, name: 'a' }))).toEqual({
      refused: 'tenant_not_found',
    });
    expect(await inTransaction(deps(), (tx) => lockTenant(tx, nobody))).toBeNull();
    const { id } = await createTenant(deps(), TENANT);
    const moved = inTransaction(deps(), async (tx) => {
      const current = await lockTenant(tx, id);
      return current && changeTenant(tx, deps(), current, { ...TENANT, planCode: 'none' });
    });
    expect(await orRefusal(() => moved)).toMatchObject(unknownPlan);
  });
});
