import { createIngest, openPooledDatabase } from '@postrider/db';
import { createFixture, createTestDatabase, type TestDatabase, testEvent } from '@postrider/db/testing';
import { createUuidV7Source, SERVICE_KINDS } from '@postrider/domain';
import { waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createClaims } from '../../src/scheduler/claim-batching.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.$executeRaw`
    CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NEW; END $$`;
});
afterAll(() => database.drop());

const WEBHOOK = { kind: 'webhook', name: 'hook', config: { url: 'http://127.0.0.1:9/hook' } } as const;
const newId = createUuidV7Source();
/** As many as a worker's deliveries have. */
const WORK = { work: { connections: 5 } };

/** A tenant with a due run for each of its channels, of an event that has expired. */
async function tenantWith(channels: number) {
  const fixture = await createFixture(database.db, {
    channels: Array.from({ length: channels }, () => WEBHOOK),
  });
  const { environmentId, tenantId } = fixture;
  const accept = () =>
    createIngest(database.db)(
      testEvent(fixture, {
        runs: fixture.channels.map(({ id }) => ({
          channel: { id, kind: 'webhook', name: 'hook' },
          templateVersionId: null,
          maxAttempts: 3,
        })),
      }),
    );
  await accept();
  const where = { environmentId };
  await database.db.message.updateMany({ where, data: { expiresAt: new Date(0) } });
  const runs = await database.db.deliveryRun.findMany({ where });
  const expired = runs.map(({ id: runId, channelId }) => ({
    facts: { channelId, environmentId, tenantId, kind: 'webhook' as const },
    runId,
  }));
  return { accept, expired };
}

/** The statements that a lock of the test keeps waiting. */
async function waitingForTest(): Promise<number> {
  const [row] = await database.db.$queryRaw<{ waiting: number }[]>`
    SELECT count(*)::int AS waiting FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event = 'advisory'`;
  return row?.waiting ?? 0;
}

describe('the refusals of a tenant with many channels', () => {
  it('leave a connection to the claims of other tenants, and take turns with their refusals', async () => {
    const { db } = openPooledDatabase(database.urlFor('postrider_worker'), { shares: WORK });
    const errors: unknown[] = [];
    const claims = createClaims({
      ...{ db, kinds: SERVICE_KINDS, newId, onBatch: () => undefined },
      addressHashKey: async () => null,
      linger: { ms: 0, enoughItems: 1 },
      onNotRefused: (error) => errors.push(error),
      monotonicMs: () => performance.now(),
    });
    const greedy = await tenantWith(12);
    const other = await tenantWith(1);
    await other.accept();
    const [otherExpired] = other.expired;
    if (!otherExpired) throw new Error('the other tenant has no run');
    await database.db.$executeRaw`
      CREATE TRIGGER wait_for_test BEFORE UPDATE ON delivery_runs
        FOR EACH ROW WHEN (NEW.status = 'failed') EXECUTE FUNCTION wait_for_test()`;

    const refusals = await database.db.$transaction(
      async (tx) => {
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(4711)`;
        const refused = [...greedy.expired, otherExpired].map(({ facts, runId }) =>
          claims.refuse(facts, [runId]),
        );
        await waitFor('refusals that wait', async () => (await waitingForTest()) >= 4);
        const { facts } = otherExpired;
        const attemptIds = [newId(), newId()];
        const claimed = await claims.claim({ ...facts, slots: 2, renders: 0, attemptIds, since: null });
        expect(claimed?.runs).toHaveLength(1);
        return { refused };
      },
      { timeout: 60_000 },
    );
    expect(await Promise.all(refusals.refused)).toEqual(refusals.refused.map(() => 1));
    expect(errors).toEqual([]);
    // Ids of attempts are made when a refusal begins.
    const attempts = await database.db.attempt.findMany({
      where: { status: 'failed' },
      orderBy: { id: 'asc' },
    });
    const place = attempts.findIndex(({ runId }) => runId === otherExpired.runId);
    expect(place).toBeGreaterThan(-1);
    expect(place).toBeLessThan(8);
    await db.$disconnect();
  });
});

describe('a channel whose complete search is slow', () => {
  it.each([
    { last: 'slow', isCancelled: false },
    { last: 'cancelled', isCancelled: true },
  ])(
    'searches alone after a $last one, so that the other channels do not wait for it',
    async ({ isCancelled }) => {
      const { db } = openPooledDatabase(database.urlFor('postrider_worker'), { shares: WORK });
      let nowMs = 0;
      const claims = createClaims({
        ...{ db, kinds: SERVICE_KINDS, newId, onBatch: () => undefined },
        addressHashKey: async () => null,
        linger: { ms: 0, enoughItems: 1 },
        onNotRefused: () => undefined,
        monotonicMs: () => nowMs,
      });
      const [slow, other] = [await tenantWith(1), await tenantWith(1)];
      const [slowFacts, otherFacts] = [slow, other].map(({ expired }) => expired[0]?.facts);
      if (!slowFacts || !otherFacts) throw new Error('a tenant has no channel');
      const claim = (facts: typeof slowFacts) =>
        claims.claim({ ...facts, slots: 2, renders: 0, attemptIds: [newId(), newId()], since: null });
      await database.db.$executeRawUnsafe(`
      CREATE OR REPLACE TRIGGER wait_for_slow BEFORE UPDATE ON delivery_runs
        FOR EACH ROW WHEN (NEW.status = 'running' AND NEW.channel_id = '${slowFacts.channelId}') EXECUTE FUNCTION wait_for_test()`);
      const whileSlow = <Result>(work: () => Promise<Result>) =>
        database.db.$transaction(
          async (tx) => {
            await tx.$executeRaw`SELECT pg_advisory_xact_lock(4711)`;
            return work();
          },
          { timeout: 60_000 },
        );

      await slow.accept();
      const first = await whileSlow(async () => {
        const claimed = claim(slowFacts);
        await waitFor('the slow claim', async () => (await waitingForTest()) === 1);
        nowMs += 1_000;
        if (isCancelled) {
          const cancelled = expect(claimed).rejects.toMatchObject({ code: '57014' });
          await database.db.$executeRaw`
          SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`;
          await cancelled;
        }
        return { claimed };
      });
      if (!isCancelled) {
        expect((await first.claimed)?.runs).toHaveLength(1);
        await slow.accept();
      }
      await other.accept();
      const second = await whileSlow(async () => {
        const claimed = claim(slowFacts);
        expect((await claim(otherFacts))?.runs).toHaveLength(1);
        return { claimed };
      });
      expect((await second.claimed)?.runs).toHaveLength(1);
      await db.$disconnect();
    },
  );
});
