import { createUuidV7Source } from '@postrider/domain';
import { waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  actorNamed,
  asOwner,
  createFixture,
  createTestDatabase,
  type TestDatabase,
} from '../src/testing/index.ts';
import { recordAudit } from '../src/transactions/audit.ts';

const actor = actorNamed('ada', 'request-1');
const change = { action: 'plan.created', resourceId: 'free', before: null, after: { code: 'free' } } as const;

describe('the audit log', () => {
  let database: TestDatabase;
  const deps = { newId: createUuidV7Source(), actor };

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('records who changed what in which request', async () => {
    await recordAudit(database.db, deps, change);
    const [entry] = await database.db.auditEntry.findMany({ where: { resourceId: 'free' } });
    expect(entry).toMatchObject({
      actor: 'ada',
      action: 'plan.created',
      resourceType: 'plan',
      before: null,
      after: { code: 'free' },
      requestId: 'request-1',
    });
  });

  it('names the tenant of the environment of what was changed', async () => {
    const { tenantId, environmentId } = await createFixture(database.db, { channels: [] });
    await recordAudit(database.db, deps, { ...change, resourceId: 'of environment', environmentId });
    await recordAudit(database.db, deps, { ...change, resourceId: 'of tenant', tenantId });
    const placeOf = (resourceId: string) =>
      database.db.auditEntry.findFirst({
        where: { resourceId },
        select: { tenantId: true, environmentId: true },
      });
    expect(await placeOf('of environment')).toEqual({ tenantId, environmentId });
    expect(await placeOf('of tenant')).toEqual({ tenantId, environmentId: null });
  });

  it('has no entry for a change that was rolled back', async () => {
    const failed = database.db.$transaction(async (tx) => {
      await recordAudit(asOwner(tx), deps, { ...change, resourceId: 'rolled-back' });
      throw new Error('the change failed');
    });
    await expect(failed).rejects.toThrow('the change failed');
    expect(await database.db.auditEntry.count({ where: { resourceId: 'rolled-back' } })).toBe(0);
  });

  it('dates an entry when it is written, however long its transaction has been open', async () => {
    await database.db.$transaction(async (tx) => {
      const began = await waitFor('time to pass in the transaction', async () => {
        const [row] = await tx.$queryRaw<{ began: Date; passed: boolean }[]>`
          SELECT now() AS began, clock_timestamp() > now() + interval '50 ms' AS passed`;
        return row?.passed && row.began;
      });
      await recordAudit(asOwner(tx), deps, { ...change, resourceId: 'late' });
      const entry = await tx.auditEntry.findFirstOrThrow({ where: { resourceId: 'late' } });
      expect(entry.createdAt.getTime()).toBeGreaterThanOrEqual(began.getTime() + 50);
    });
  });

  it('cannot be changed', async () => {
    await recordAudit(database.db, deps, { ...change, resourceId: 'kept' });
    const update = database.db.auditEntry.updateMany({
      where: { resourceId: 'kept' },
      data: { actor: 'somebody else' },
    });
    await expect(update).rejects.toThrow('append only');
  });
});
