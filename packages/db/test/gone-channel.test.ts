import { createUuidV7Source, failurePolicyOf, formatId } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { lockChannel } from '../src/channels/channel-record.ts';
import { type ClaimedRun, createIngest, type EndedAttempt, finishWithGoneChannel } from '../src/index.ts';
import { endRunsOfChannel } from '../src/statements/end-waiting-runs.ts';
import {
  asOwner,
  createFixture,
  createOwnerClaim,
  createTestDatabase,
  type Fixture,
  failedWith,
  type TestDatabase,
  testKinds,
} from '../src/testing/index.ts';
import { eventFor, onlyRun, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newId = createUuidV7Source();

/** An environment with one webhook and `count` runs that a worker is sending. */
async function sendingRuns(
  count: number,
  then: 'pause' | 'disable' = 'disable',
): Promise<{ fixture: Fixture; channelId: string; runs: ClaimedRun[] }> {
  const fixture = await createFixture(database.db, {
    channels: [{ ...WEBHOOK, failurePolicy: failurePolicyOf({ then }) }],
  });
  const ingest = createIngest(database.db);
  const claim = createOwnerClaim(database.db);
  const runs = await Promise.all(
    Array.from({ length: count }, async () => {
      const claimed = await claim({ runId: onlyRun(await ingest(eventFor(fixture))), attemptId: newId() });
      if (claimed.outcome !== 'claimed') throw new Error(claimed.outcome);
      return claimed.run;
    }),
  );
  return { fixture, channelId: fixture.channels[0]?.id ?? '', runs };
}

/** One such run. */
async function sendingRun() {
  const { runs, ...rest } = await sendingRuns(1);
  const [run] = runs;
  if (!run) throw new Error('no run');
  return { ...rest, run };
}

const finish = (run: ClaimedRun, next: EndedAttempt['outcome']['next'] = { status: 'failed' }, ids = newId) =>
  finishWithGoneChannel(
    { db: database.db, newId: ids, kinds: testKinds },
    {
      run,
      outcome: failedWith('webhook_endpoint_gone', next, {
        ...{ retryable: false, endpointGone: true, message: 'HTTP 410' },
      }),
    },
  );

const readChannel = (id: string) => database.db.channel.findUniqueOrThrow({ where: { id } });
const readRun = (id: string) => database.db.deliveryRun.findUniqueOrThrow({ where: { id } });
const readAudit = (channelId: string) =>
  database.db.auditEntry.findMany({
    where: { action: 'channel.disabled', resourceId: formatId('chn', channelId) },
  });

async function isLockAwaited(): Promise<boolean> {
  const waiting = await database.db.$queryRaw<object[]>`
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return waiting.length > 0;
}

describe('finishing an attempt whose endpoint is gone', () => {
  it('disables the channel once, with an audit entry of the worker, for any number of attempts', async () => {
    const { fixture, channelId, runs } = await sendingRuns(5);
    const outcomes = await Promise.all(runs.map((run) => finish(run)));
    expect(outcomes).toEqual(runs.map(() => 'finished'));
    expect(await readChannel(channelId)).toMatchObject({
      enabled: false,
      disabledReason: 'HTTP 410',
      revision: 2,
    });
    expect(await readAudit(channelId)).toMatchObject([
      {
        actor: 'worker',
        tenantId: fixture.tenantId,
        before: { enabled: true, disabled_reason: null },
        after: { enabled: false, disabled_reason: 'HTTP 410' },
      },
    ]);
    for (const { runId } of runs) {
      expect(await readRun(runId)).toMatchObject({
        status: 'failed',
        lastErrorCode: 'webhook_endpoint_gone',
      });
    }
  });

  it('pauses the channel once if its failure policy says so, and the runs wait', async () => {
    const { channelId, runs } = await sendingRuns(5, 'pause');
    const waits = { status: 'retrying', delayMs: 0 } as const;
    const outcomes = await Promise.all(runs.map((run) => finish(run, waits)));
    expect(outcomes).toEqual(runs.map(() => 'finished'));
    expect(await readChannel(channelId)).toMatchObject({ enabled: true, paused: true, revision: 1 });
    const audited = await database.db.auditEntry.findMany({
      where: { resourceId: formatId('chn', channelId) },
    });
    expect(audited.map(({ action, actor }) => [action, actor])).toContainEqual(['channel.paused', 'worker']);
    expect(audited.filter(({ action }) => action === 'channel.paused')).toHaveLength(1);
    const claim = createOwnerClaim(database.db);
    for (const { runId } of runs) {
      expect(await claim({ runId, attemptId: newId() })).toEqual({ outcome: 'held' });
      expect(await readRun(runId)).toMatchObject({ status: 'retrying', held: 'paused', attemptCount: 1 });
    }
  });

  it('does not stop a channel that was changed since the claim', async () => {
    const { channelId, run } = await sendingRun();
    await database.db.channel.update({ where: { id: channelId }, data: { revision: { increment: 1 } } });
    expect(await finish(run)).toBe('finished');
    expect(await readRun(run.runId)).toMatchObject({ status: 'failed' });
    expect(await readChannel(channelId)).toMatchObject({ enabled: true, disabledReason: null, revision: 2 });
    expect(await readAudit(channelId)).toEqual([]);
  });

  it('does not stop the channel if the result is stale', async () => {
    const { channelId, run } = await sendingRun();
    expect(await finish({ ...run, fence: run.fence - 1 })).toBe('stale');
    expect(await readRun(run.runId)).toMatchObject({ status: 'running' });
    expect(await readChannel(channelId)).toMatchObject({ enabled: true });
  });

  it.each([
    ['a deleted channel', { deletedAt: new Date() }],
    ['a disabled channel', { enabled: false }],
  ])('does not change %s', async (_name, data) => {
    const { channelId, run } = await sendingRun();
    await database.db.channel.update({ where: { id: channelId }, data });
    expect(await finish(run)).toBe('finished');
    expect(await readChannel(channelId)).toMatchObject({ disabledReason: null, revision: 1 });
    expect(await readAudit(channelId)).toEqual([]);
  });

  it('writes nothing if the audit entry cannot be written', async () => {
    const { channelId, run } = await sendingRun();
    await expect(finish(run, undefined, () => 'no UUID')).rejects.toThrow();
    expect(await readRun(run.runId)).toMatchObject({ status: 'running' });
    expect(await readChannel(channelId)).toMatchObject({ enabled: true, disabledReason: null });
  });

  it('starts no attempt before the end of the one before, which ended while a long transaction ended the run', async () => {
    const { channelId, runs } = await sendingRuns(1, 'pause');
    const [run] = runs;
    if (!run) throw new Error('no run');
    await finish(run, { status: 'retrying', delayMs: 0 });
    // As if the transaction that follows had begun 50 s before.
    await database.db.$executeRaw`
      UPDATE attempts SET completed_at = now() + interval '50 s' WHERE run_id = ${run.runId}::uuid`;
    await endRunsOfChannel(asOwner(database.db), newId, { channelId, limit: 10 });
    const attempts = await database.db.attempt.findMany({
      where: { runId: run.runId },
      orderBy: { number: 'asc' },
    });
    expect(attempts).toHaveLength(2);
    expect(attempts[1]?.startedAt).toEqual(attempts[0]?.completedAt);
  });

  it('does not deadlock with a deletion of the channel', async () => {
    const { fixture, channelId, run } = await sendingRun();
    const waiting = onlyRun(await createIngest(database.db)(eventFor(fixture)));
    const { ended, finishing } = await database.db.$transaction(async (tx) => {
      await lockChannel(asOwner(tx), channelId);
      const outcome = finish(run);
      while (!(await isLockAwaited())) await tx.$queryRaw`SELECT 1`;
      const runs = await endRunsOfChannel(asOwner(tx), newId, { channelId, limit: 10 });
      await tx.channel.update({ where: { id: channelId }, data: { deletedAt: new Date() } });
      return { ended: runs.length, finishing: { outcome } };
    });
    expect(ended).toBe(1);
    expect(await finishing.outcome).toBe('finished');
    expect(await readRun(waiting)).toMatchObject({ lastErrorCode: 'channel_disabled' });
    expect(await readRun(run.runId)).toMatchObject({ lastErrorCode: 'webhook_endpoint_gone' });
    expect(await readAudit(channelId)).toEqual([]);
  });
});
