import { randomUUID } from 'node:crypto';
import { createUuidV7Source, orRefusal } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { Prisma, type Queryable, type UnboundDatabase } from '../src/client.ts';
import {
  acceptInEnvironment,
  type ClaimedRun,
  cancelRun,
  createIngest,
  releaseExpiredLeases,
} from '../src/index.ts';
import {
  type ClaimOutcome,
  createFixture,
  createOwnerClaim,
  createOwnerFinish,
  createTestDatabase,
  type Fixture,
  failedWith,
  SUCCEEDED,
  type TestDatabase,
} from '../src/testing/index.ts';
import { eventFor, onlyRun, plannedRuns, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newId = createUuidV7Source();

async function waitingRun(fixture: Fixture, changes: Parameters<typeof eventFor>[1] = {}): Promise<string> {
  return onlyRun(await createIngest(database.db)(eventFor(fixture, changes)));
}

function claimed(outcome: ClaimOutcome): ClaimedRun {
  if (outcome.outcome !== 'claimed') throw new Error(`expected a claim, got ${outcome.outcome}`);
  return outcome.run;
}

const claim = async (runId: string) => createOwnerClaim(database.db)({ runId, attemptId: newId() });

const readRun = (id: string) =>
  database.db.deliveryRun.findUniqueOrThrow({
    where: { id },
    include: { attempts: { orderBy: { number: 'asc' } } },
  });

const TAKEN = { ...SUCCEEDED, durationMs: 12, response: { statusCode: 200, bodyExcerpt: 'ok' } };
const retriedAfter = (delayMs: number) => failedWith('webhook_http_error', { status: 'retrying', delayMs });

/** Moves a run's lease into the past, as if the worker had been lost for as long. */
const expireLease = (id: string) =>
  database.db
    .$executeRaw`UPDATE delivery_runs SET lease_until = now() - interval '1 second' WHERE id = ${id}::uuid`;

/** The updates of runs that a transaction has made until now, and those of them that are HOT. */
const updatesOf = async (tx: Queryable) => {
  const [row] = await tx.$queryRaw<{ updates: bigint; hot: bigint }[]>`
    SELECT n_tup_upd AS updates, n_tup_hot_upd AS hot FROM pg_stat_xact_user_tables WHERE relname = 'delivery_runs'`;
  return { updates: Number(row?.updates), hot: Number(row?.hot) };
};

describe('a claim', () => {
  it('adds no entry to any index of runs: the update is HOT', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const ids = [await waitingRun(fixture), await waitingRun(fixture)];
    await database.db.$transaction(async (tx) => {
      const claimInTransaction = createOwnerClaim(tx as UnboundDatabase);
      await Promise.all(ids.map((runId) => claimInTransaction({ runId, attemptId: newId() })));
      expect(await updatesOf(tx as Queryable)).toEqual({ updates: 2, hot: 2 });
    });
  });

  it('raises the fence, sets a lease longer than the time limit and writes the attempt', async () => {
    const fixture = await createFixture(database.db, {
      channels: [{ ...WEBHOOK, config: { ...WEBHOOK.config, timeout_ms: 4_000 } }],
    });
    const id = await waitingRun(fixture);
    const run = claimed(await claim(id));
    expect(run).toMatchObject({ fence: 1, attemptNumber: 1, timeoutMs: 4_000, tenantId: fixture.tenantId });
    expect(run.message).toMatchObject({ eventKey: 'order.shipped', payload: { order: 1 } });
    const row = await readRun(id);
    expect(row).toMatchObject({ status: 'running', fence: 1, attemptCount: 1 });
    expect(Number(row.leaseUntil) - Number(row.startedAt)).toBe(14_000);
    expect(row.attempts).toMatchObject([{ number: 1, status: 'running', completedAt: null }]);
  });

  it('succeeds for one of many concurrent claims', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const id = await waitingRun(fixture);
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => claim(id)));
    expect(outcomes.filter((outcome) => outcome.outcome === 'claimed')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.outcome === 'not_claimable')).toHaveLength(49);
    expect((await readRun(id)).attempts).toHaveLength(1);
  });

  it('is not blocked by rows that refer to the run, such as feedback', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const id = await waitingRun(fixture);
    await database.db.$transaction(async (tx) => {
      // What the check of a foreign key takes.
      await tx.$queryRaw`SELECT FROM delivery_runs WHERE id = ${id}::uuid FOR KEY SHARE`;
      expect(claimed(await claim(id))).toMatchObject({ runId: id, attemptNumber: 1 });
    });
  });

  it("is refused before the run is due by the database's clock", async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const id = await waitingRun(fixture, { scheduleAt: new Date(Date.now() + 60_000) });
    expect(await claim(id)).toEqual({ outcome: 'not_due' });
    expect((await readRun(id)).status).toBe('scheduled');
  });

  it('reports an unknown run', async () => {
    expect(await claim(randomUUID())).toEqual({ outcome: 'not_claimable', status: null });
  });

  it.each([
    ['disabled', { enabled: false }],
    ['deleted', { deletedAt: new Date() }],
  ])('ends the run with an attempt if its channel is %s', async (_, change) => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const id = await waitingRun(fixture);
    await database.db.channel.update({ where: { id: fixture.channels[0]?.id ?? '' }, data: change });
    expect(await claim(id)).toEqual({ outcome: 'channel_disabled' });
    const row = await readRun(id);
    expect(row).toMatchObject({ status: 'failed', completedAt: expect.any(Date) });
    expect(row.attempts).toMatchObject([{ number: 1, status: 'failed', errorCode: 'channel_disabled' }]);
  });
});

describe('finishing an attempt', () => {
  it('closes the attempt and the run', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const id = await waitingRun(fixture);
    const finish = createOwnerFinish(database.db);
    expect(await finish(claimed(await claim(id)), TAKEN)).toBe('finished');
    const row = await readRun(id);
    expect(row).toMatchObject({ status: 'succeeded', leaseUntil: null, completedAt: expect.any(Date) });
    expect(row.attempts).toMatchObject([{ status: 'succeeded', responseStatus: 200, durationMs: 12 }]);
  });

  it('makes a failed run due again after the delay, and the next claim opens attempt 2 with a higher fence', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const id = await waitingRun(fixture);
    const finish = createOwnerFinish(database.db);
    await finish(claimed(await claim(id)), retriedAfter(60_000));
    expect(await readRun(id)).toMatchObject({ status: 'retrying', completedAt: null });
    expect((await claim(id)).outcome).toBe('not_due');
    await database.db.$executeRaw`UPDATE delivery_runs SET due_at = now() WHERE id = ${id}::uuid`;
    expect(claimed(await claim(id))).toMatchObject({ attemptNumber: 2, fence: 2 });
  });

  it('is refused if the lease was lost and the run has changed', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const id = await waitingRun(fixture);
    const finish = createOwnerFinish(database.db);
    const lost = claimed(await claim(id));
    await expireLease(id);
    await releaseExpiredLeases(database.db, 100);
    expect(await finish(lost, TAKEN)).toBe('stale');
    const second = claimed(await claim(id));
    expect(await finish(lost, TAKEN)).toBe('stale');
    expect(await finish(second, TAKEN)).toBe('finished');
    expect((await readRun(id)).attempts).toMatchObject([
      { number: 1, status: 'unknown', errorCode: 'worker_lost' },
      { number: 2, status: 'succeeded' },
    ]);
  });
});

describe('results of the same runs from two workers', () => {
  const WAITS = Prisma.sql`
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

  it('are written in one order without a deadlock, and the first one counts', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const ids = [await waitingRun(fixture), await waitingRun(fixture)].sort();
    const [first, second] = await Promise.all(ids.map(async (id) => claimed(await claim(id))));
    if (!first || !second) throw new Error('no runs');
    const late: Promise<unknown>[] = [];
    await database.db.$transaction(async (tx) => {
      const finishFirst = createOwnerFinish(tx as UnboundDatabase);
      expect(await finishFirst(first, TAKEN)).toBe('finished');
      const finishLate = createOwnerFinish(database.db);
      late.push(finishLate(second, retriedAfter(0)), finishLate(first, retriedAfter(0)));
      while ((await database.db.$queryRaw<unknown[]>(WAITS)).length === 0);
      expect(await finishFirst(second, TAKEN)).toBe('finished');
    });
    expect(await Promise.all(late)).toEqual(['stale', 'stale']);
    expect(await Promise.all(ids.map(readRun))).toMatchObject(
      ids.map(() => ({ status: 'succeeded', attempts: [{ status: 'succeeded' }] })),
    );
  });
});

describe('a lost worker', () => {
  it('leaves its run due and its attempt unknown', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const id = await waitingRun(fixture);
    await claim(id);
    expect(await releaseExpiredLeases(database.db, 100)).toEqual([]);
    await expireLease(id);
    expect(await releaseExpiredLeases(database.db, 100)).toMatchObject([
      { runId: id, delayMs: 0, status: 'retrying' },
    ]);
    expect((await readRun(id)).attempts).toMatchObject([
      { status: 'unknown', errorCode: 'worker_lost', retryable: true },
    ]);
  });

  it('ends its attempt before the next one begins, although the claim began its transaction before the release', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const id = await waitingRun(fixture);
    await claim(id);
    await expireLease(id);
    await database.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT`;
      await releaseExpiredLeases(database.db, 100);
      claimed(await createOwnerClaim(tx as UnboundDatabase)({ runId: id, attemptId: newId() }));
    });
    const { attempts } = await readRun(id);
    expect(attempts).toHaveLength(2);
    expect(attempts[1]?.startedAt).toEqual(attempts[0]?.completedAt);
  });

  it('loses its run even after a long outage', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const id = await waitingRun(fixture);
    await claim(id);
    await expireLease(id);
    await database.db.$executeRaw`
      UPDATE attempts SET started_at = now() - interval '26 days' WHERE run_id = ${id}::uuid`;
    expect(await releaseExpiredLeases(database.db, 100)).toMatchObject([{ runId: id, status: 'retrying' }]);
    expect((await readRun(id)).attempts).toMatchObject([{ status: 'unknown', durationMs: 2_147_483_647 }]);
  });

  it('ends the run after its last attempt', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const id = await waitingRun(fixture, { runs: plannedRuns(fixture, 1) });
    await claim(id);
    await expireLease(id);
    await releaseExpiredLeases(database.db, 100);
    expect(await readRun(id)).toMatchObject({ status: 'failed', completedAt: expect.any(Date) });
  });
});

describe('cancel', () => {
  const cancel = ({ environmentId }: Fixture, runId: string) =>
    acceptInEnvironment(database.db, environmentId, (tx) => cancelRun(tx, { newId, environmentId, runId }));

  it('and a claim at once: each of 500 runs is either cancelled or claimed, never both', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const ingest = createIngest(database.db);
    const ids = await Promise.all(
      Array.from({ length: 500 }, async () =>
        onlyRun(await ingest(eventFor(fixture, { scheduleAt: new Date(Date.now() + 3_600_000) }))),
      ),
    );
    await database.db.$executeRaw`UPDATE delivery_runs SET due_at = now() WHERE id = ANY(${ids}::uuid[])`;
    const claimOne = createOwnerClaim(database.db);
    const cancelled = new Set<string>();
    const rest = ids.values();
    // As many at once as an API process has connections for.
    const lanes = Array.from({ length: 4 }, async () => {
      for (const id of rest) if ((await cancel(fixture, id)).isCancelled) cancelled.add(id);
    });
    const [claims] = await Promise.all([
      Promise.all(ids.map((runId) => claimOne({ runId, attemptId: newId() }))),
      ...lanes,
    ]);
    const rows = new Map(
      (
        await database.db.deliveryRun.findMany({ where: { id: { in: ids } }, include: { attempts: true } })
      ).map((row) => [row.id, row]),
    );
    ids.forEach((id, index) => {
      const row = rows.get(id);
      const wasCancelled = cancelled.has(id);
      const wasClaimed = claims[index]?.outcome === 'claimed';
      expect([wasCancelled, wasClaimed].filter(Boolean).length).toBeLessThanOrEqual(1);
      if (wasCancelled) {
        expect(row).toMatchObject({ status: 'cancelled', fence: 0 });
        expect(row?.attempts).toMatchObject([{ status: 'cancelled', errorCode: 'scheduled_cancelled' }]);
      } else {
        expect(row).toMatchObject({ status: 'running', fence: 1 });
      }
    });
  });

  it('is refused for a run of another environment like an unknown one', async () => {
    const [fixture, other] = await Promise.all([
      createFixture(database.db, { channels: [WEBHOOK] }),
      createFixture(database.db, { channels: [WEBHOOK] }),
    ]);
    const id = await waitingRun(fixture, { scheduleAt: new Date(Date.now() + 60_000) });
    for (const unknown of [id, randomUUID()])
      expect(await orRefusal(() => cancel(other, unknown))).toEqual({ refused: 'delivery_run_not_found' });
    expect((await readRun(id)).status).toBe('scheduled');
  });
});

describe('an event that has expired', () => {
  it('ends its run with an attempt `expired`, and sends nothing', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const id = await waitingRun(fixture, { expiresAt: new Date(Date.now() - 60_000) });
    expect(await claim(id)).toEqual({ outcome: 'expired' });
    expect(await readRun(id)).toMatchObject({
      status: 'failed',
      fence: 0,
      lastErrorCode: 'expired',
      attempts: [{ number: 1, status: 'failed', errorCode: 'expired', retryable: false }],
    });
  });

  it('ends a run that waits for a retry, too', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const id = await waitingRun(fixture, { expiresAt: new Date(Date.now() + 3_600_000) });
    const run = claimed(await claim(id));
    await createOwnerFinish(database.db)(run, retriedAfter(0));
    await database.db.message.updateMany({
      where: { environmentId: fixture.environmentId },
      data: { expiresAt: new Date(Date.now() - 60_000) },
    });
    expect(await claim(id)).toEqual({ outcome: 'expired' });
    expect((await readRun(id)).attempts.map(({ errorCode }) => errorCode)).toEqual([
      'webhook_http_error',
      'expired',
    ]);
  });

  it('is sent by an explicit replay', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const id = await waitingRun(fixture, { expiresAt: new Date(Date.now() - 60_000) });
    await database.db.deliveryRun.update({ where: { id }, data: { replay: 1 } });
    expect(claimed(await claim(id)).expiresAt).toBeNull();
  });
});
