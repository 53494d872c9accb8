import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  type ConfigureDeps,
  changeTogether,
  createPlan,
  inTransaction,
  isTimeUp,
  readPlan,
  type UnboundDatabase,
} from '../src/index.ts';
import { actorNamed, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

const plan = (code: string) => ({
  ...{ code, name: 'Plan', eventsPerMonth: null, requestsPerSecond: null, burst: null },
  ...{ maxPayloadBytes: null, maxScheduleDays: null, retentionDays: null, channelKinds: ['webhook'] },
});

describe('changes that are made together', () => {
  let database: TestDatabase;
  let db: UnboundDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    db = database.db;
  });
  afterAll(() => database.drop());

  const depsOf = (client: UnboundDatabase): ConfigureDeps => ({
    db: client,
    newId: createUuidV7Source(),
    actor: actorNamed('ada', 'r1'),
  });
  const isThere = async (code: string) => (await readPlan(db, code)) !== null;

  it('are seen by others when all are made, and not if they are not kept', async () => {
    for (const isKept of [true, false]) {
      const codes = [`one-${isKept}`, `two-${isKept}`];
      const result = await changeTogether({ db }, async (together) => {
        for (const code of codes) {
          await createPlan(depsOf(together), plan(code));
          expect(await readPlan(together, code)).toMatchObject({ code });
          expect(await isThere(code)).toBe(false);
        }
        return { isKept, made: codes.length };
      });
      expect(result).toEqual({ isKept, made: 2 });
      expect(await Promise.all(codes.map(isThere))).toEqual([isKept, isKept]);
      expect(await db.auditEntry.count({ where: { resourceId: { in: codes } } })).toBe(isKept ? 2 : 0);
    }
  });

  it('lose only what one of them did before it failed, also in PostgreSQL', async () => {
    await changeTogether({ db }, async (together) => {
      await createPlan(depsOf(together), plan('before'));
      const failing = inTransaction({ db: together }, async (tx) => {
        await tx.$executeRaw`UPDATE plans SET name = 'Changed' WHERE code = 'before'`;
        await tx.$executeRaw`SELECT 1 / 0`;
      });
      await expect(failing).rejects.toThrow('division by zero');
      await createPlan(depsOf(together), plan('after'));
      return { isKept: true };
    });
    expect(await readPlan(db, 'before')).toMatchObject({ name: 'Plan' });
    expect(await isThere('after')).toBe(true);
  });

  it('do not nest deeper with each of them that fails', async () => {
    const openSteps = await changeTogether({ db }, async (together) => {
      for (let step = 0; step < 20; step += 1) {
        const failing = inTransaction({ db: together }, () => Promise.reject(new Error('refused')));
        await expect(failing).rejects.toThrow('refused');
      }
      const rows = await together.$queryRaw<{ count: bigint }[]>`
        SELECT count(*) FROM pg_backend_memory_contexts WHERE name = 'CurTransactionContext'`;
      return { isKept: false, contexts: Number(rows[0]?.count) };
    });
    expect(openSteps.contexts).toBeLessThan(5);
  });

  it('are all lost if the connection is lost', async () => {
    const lost = changeTogether({ db }, async (together) => {
      await createPlan(depsOf(together), plan('lost'));
      const [row] = await together.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
      await db.$executeRaw`SELECT pg_terminate_backend(${row?.pid}::int)`;
      await createPlan(depsOf(together), plan('never'));
      return { isKept: true };
    });
    await expect(lost).rejects.toThrow();
    expect(isTimeUp(await lost.catch((error: unknown) => error))).toBe(false);
    expect([await isThere('lost'), await isThere('never')]).toEqual([false, false]);
  });

  it('are all lost after the time limit, which the error tells apart from an outage', async () => {
    const slow = changeTogether(
      { db },
      async (together) => {
        await createPlan(depsOf(together), plan('slow'));
        // Only the time limit ends it.
        for (;;) await readPlan(together, 'slow');
      },
      500,
    );
    expect(isTimeUp(await slow.catch((error: unknown) => error))).toBe(true);
    expect(await isThere('slow')).toBe(false);
  });
});
