import { createUuidV7Source, LOSSES_BEFORE_END, LOSSES_BEFORE_QUARANTINE } from '@postrider/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@postrider/testing';
import {
  type ClaimedRun,
  claimRuns,
  createFinish,
  createIngest,
  endLostRun,
  findQuarantinedRuns,
  pollChannels,
  releaseExpiredLeases,
} from '../../src/index.ts';
import {
  type ClaimOutcome,
  createFixture,
  createOwnerClaim,
  createTestDatabase,
  type Fixture,
  failedWith,
  SUCCEEDED,
  type TestDatabase,
} from '../../src/testing/index.ts';
import { eventFor, onlyRun, plannedRuns, WEBHOOK } from '../support.ts';

let database: TestDatabase;
let fixture: Fixture;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.deliveryRun.deleteMany();
  fixture = await createFixture(database.db, { channels: [WEBHOOK] });
});

const newId = createUuidV7Source();

const waitingRun = async (maxAttempts = 20) =>
  onlyRun(await createIngest(database.db)(eventFor(fixture, { runs: plannedRuns(fixture, maxAttempts) })));

const claim = (runId: string) => createOwnerClaim(database.db)({ runId, attemptId: newId() });

/** Claims like the isolated process. */
const claimAlone = (runId: string, attemptId = newId()) =>
  createOwnerClaim(database.db, { inQuarantine: true })({ runId, attemptId });

function claimed(outcome: ClaimOutcome): ClaimedRun {
  if (outcome.outcome !== 'claimed') throw new Error(`expected a claim, got ${outcome.outcome}`);
  return outcome.run;
}

const expireLeases = () =>
  database.db
    .$executeRaw`UPDATE delivery_runs SET lease_until = now() - interval '1 second' WHERE status = 'running'`;

async function loseWorker(runId: string) {
  claimed(await claimAlone(runId));
  await expireLeases();
  const [released] = await releaseExpiredLeases(database.db, 10);
  return released;
}

async function quarantinedRun(): Promise<string> {
  const runId = await waitingRun();
  for (let losses = 0; losses < LOSSES_BEFORE_QUARANTINE; losses += 1) await loseWorker(runId);
  return runId;
}

const quarantined = async (withoutChannels: readonly string[] = []) =>
  (await findQuarantinedRuns(database.db, { limit: 10, withoutChannels })).map(({ runId }) => runId);

const readRun = (id: string) =>
  database.db.deliveryRun.findUniqueOrThrow({
    where: { id },
    include: { attempts: { orderBy: { number: 'asc' } } },
  });

const RETRIED = failedWith('webhook_http_error', { status: 'retrying', delayMs: 0 });

describe('the count of lost workers', () => {
  it('rises with each expired lease until the run is in quarantine', async () => {
    const runId = await waitingRun();
    const released = [await loseWorker(runId), await loseWorker(runId), await loseWorker(runId)];
    expect(released.map((run) => [run?.status, run?.lostWorkers, run?.isQuarantined])).toEqual([
      ['retrying', 1, false],
      ['retrying', 2, false],
      ['retrying', 3, true],
    ]);
    expect((await readRun(runId)).attempts.map(({ status, errorCode }) => [status, errorCode])).toEqual(
      Array(3).fill(['unknown', 'worker_lost']),
    );
  });

  it('is reset by a result', async () => {
    const runId = await waitingRun();
    await loseWorker(runId);
    await loseWorker(runId);
    const run = claimed(await claim(runId));
    await createFinish(database.db)({ run, outcome: RETRIED });
    expect((await readRun(runId)).lostWorkers).toBe(0);
    expect((await loseWorker(runId))?.isQuarantined).toBe(false);
  });

  it('is not reset by the late result of a suspended worker', async () => {
    const runId = await waitingRun();
    const sleeping = claimed(await claim(runId));
    await expireLeases();
    await releaseExpiredLeases(database.db, 10);
    expect(await createFinish(database.db)({ run: sleeping, outcome: SUCCEEDED })).toBe('stale');
    expect(await readRun(runId)).toMatchObject({ status: 'retrying', lostWorkers: 1 });
  });

  it('rises by one with concurrent sweeps', async () => {
    const runId = await waitingRun();
    claimed(await claim(runId));
    await expireLeases();
    const rounds = await Promise.all(Array.from({ length: 8 }, () => releaseExpiredLeases(database.db, 10)));
    expect(rounds.flat()).toHaveLength(1);
    expect((await readRun(runId)).lostWorkers).toBe(1);
  });

  it('ends the run at its limit, and the attempt says what to do', async () => {
    const runId = await quarantinedRun();
    for (let losses = LOSSES_BEFORE_QUARANTINE + 1; losses < LOSSES_BEFORE_END; losses += 1) {
      expect((await loseWorker(runId))?.status).toBe('retrying');
    }
    expect((await loseWorker(runId))?.status).toBe('failed');
    const run = await readRun(runId);
    expect(run).toMatchObject({ status: 'failed', completedAt: expect.any(Date) });
    expect(run.attempts).toHaveLength(LOSSES_BEFORE_END);
    expect(run.attempts.at(-1)).toMatchObject({
      status: 'unknown',
      errorCode: 'worker_lost',
      retryable: false,
      errorMessage: expect.stringMatching(/alone.*replayed once the cause is fixed/),
    });
  });

  it('does not replace the limit of attempts', async () => {
    const runId = await waitingRun(2);
    await loseWorker(runId);
    expect((await loseWorker(runId))?.status).toBe('failed');
  });
});

describe('a run in quarantine', () => {
  it('is refused by an ordinary claim, and claimed by a quarantine process', async () => {
    const runId = await quarantinedRun();
    expect(await claim(runId)).toEqual({ outcome: 'quarantined' });
    expect((await readRun(runId)).attempts).toHaveLength(LOSSES_BEFORE_QUARANTINE);
    expect((await claimAlone(runId)).outcome).toBe('claimed');
    expect(await claim(runId)).toEqual({ outcome: 'not_claimable', status: 'running' });
  });

  it('is found only by the search of the quarantine', async () => {
    const runId = await quarantinedRun();
    const other = await waitingRun();
    const [channel] = fixture.channels;
    expect(await quarantined()).toEqual([runId]);
    const { environmentId } = fixture;
    const ask = { channelId: channel?.id ?? '', environmentId, slots: 9, renders: 0, since: null };
    const attemptIds = Array.from({ length: 9 }, newId);
    const [answer] = await claimRuns(database.db, [{ ...ask, attemptIds }], { addressHashKey: null });
    expect(answer?.runs.map((run) => run.runId)).toEqual([other]);
    const polled = { kinds: ['webhook'], without: [], aheadMs: 0, limit: 10 };
    expect(await pollChannels(database.db, polled)).toEqual([]);
  });

  it('leaves the quarantine with a result', async () => {
    const runId = await quarantinedRun();
    const run = claimed(await claimAlone(runId));
    await createFinish(database.db)({ run, outcome: RETRIED });
    expect(await quarantined()).toEqual([]);
    expect((await claim(runId)).outcome).toBe('claimed');
  });

  it('takes turns with the runs of other channels', async () => {
    const first = [await quarantinedRun(), await quarantinedRun(), await quarantinedRun()];
    fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const second = await quarantinedRun();
    expect(await quarantined()).toEqual([first[0], second, first[1], first[2]]);
  });

  /** Puts 600 runs that were due at the same time in quarantine beside a run. */
  const addRunsLike = (runId: string) => database.db.$executeRaw`
      INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, replay, status, max_attempts, due_at,
                                 created_at, lost_workers)
      SELECT gen_random_uuid(), environment_id, message_id, channel_id, channel_kind, again, 'queued', max_attempts, due_at,
             created_at, lost_workers
        FROM delivery_runs run CROSS JOIN generate_series(1, 600) AS again WHERE run.id = ${runId}::uuid`;

  it('is found behind any number of runs of another channel', async () => {
    await addRunsLike(await quarantinedRun());
    fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const other = await quarantinedRun();
    const found = await quarantined();
    expect(found.indexOf(other)).toBe(1);
    expect(found.length).toBeGreaterThan(2);
  });

  it('is found behind any number of runs of excluded channels', async () => {
    const [channel] = fixture.channels;
    await addRunsLike(await quarantinedRun());
    fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const other = await quarantinedRun();
    expect(await quarantined([channel?.id ?? ''])).toEqual([other]);
  });
});

describe('a run that ended its isolated process', () => {
  async function triedAlone() {
    const runId = await quarantinedRun();
    const attemptId = newId();
    return { runId, attemptId, run: claimed(await claimAlone(runId, attemptId)) };
  }

  it('fails at once with an unknown attempt that says why', async () => {
    const { runId, attemptId } = await triedAlone();
    expect(await endLostRun(database.db, { runId, attemptId })).toEqual({
      outcome: 'ended',
      channelKind: 'webhook',
    });
    const run = await readRun(runId);
    expect(run).toMatchObject({ status: 'failed', leaseUntil: null, lastErrorCode: 'worker_lost' });
    expect(run.attempts.at(-1)).toMatchObject({
      number: LOSSES_BEFORE_QUARANTINE + 1,
      status: 'unknown',
      errorCode: 'worker_lost',
      retryable: false,
      errorMessage: expect.stringMatching(/tried alone.*replayed once the cause is fixed/),
      completedAt: expect.any(Date),
    });
    expect(await endLostRun(database.db, { runId, attemptId })).toEqual({ outcome: 'not_open' });
  });

  it('fails also after a sweep has released it', async () => {
    const { runId, attemptId } = await triedAlone();
    await expireLeases();
    await releaseExpiredLeases(database.db, 10);
    expect((await endLostRun(database.db, { runId, attemptId })).outcome).toBe('ended');
    expect(await readRun(runId)).toMatchObject({ status: 'failed', lostWorkers: 4 });
  });

  it('is ended once, by its worker or a sweep', async () => {
    const { runId, attemptId } = await triedAlone();
    await expireLeases();
    await Promise.all([
      endLostRun(database.db, { runId, attemptId }),
      releaseExpiredLeases(database.db, 10),
      endLostRun(database.db, { runId, attemptId }),
    ]);
    const run = await readRun(runId);
    expect(run.status).toBe('failed');
    expect(run.attempts).toHaveLength(LOSSES_BEFORE_QUARANTINE + 1);
  });

  it.each([SUCCEEDED, RETRIED])('keeps a result that was written before: $status', async (outcome) => {
    const { runId, attemptId, run } = await triedAlone();
    await createFinish(database.db)({ run, outcome });
    expect(await endLostRun(database.db, { runId, attemptId })).toEqual({ outcome: 'not_open' });
    expect((await readRun(runId)).status).toBe(outcome.next.status);
  });

  it('keeps a result that is written at the same time', async () => {
    const { runId, attemptId, run } = await triedAlone();
    let ending: Promise<{ outcome: string }> | undefined;
    await database.db.$transaction(async (tx) => {
      await tx.$executeRaw`
        UPDATE delivery_runs SET status = 'retrying', lease_until = NULL, lost_workers = 0 WHERE id = ${run.runId}::uuid`;
      await tx.$executeRaw`
        UPDATE attempts SET status = 'failed', error_code = 'webhook_http_error', completed_at = now()
         WHERE id = ${attemptId}::uuid`;
      ending = endLostRun(database.db, { runId, attemptId });
      for (let waiting = 0; waiting === 0; ) {
        const rows = await tx.$queryRaw<unknown[]>`
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        waiting = rows.length;
      }
    });
    expect(await ending).toEqual({ outcome: 'not_open' });
    expect((await readRun(runId)).status).toBe('retrying');
  });

  it('is not ended if another attempt has started', async () => {
    const { runId, attemptId } = await triedAlone();
    await expireLeases();
    await releaseExpiredLeases(database.db, 10);
    claimed(await claimAlone(runId));
    expect(await endLostRun(database.db, { runId, attemptId })).toEqual({ outcome: 'not_open' });
    expect((await readRun(runId)).status).toBe('running');
  });

  it('is not ended for an attempt that was never opened', async () => {
    const runId = await quarantinedRun();
    expect(await endLostRun(database.db, { runId, attemptId: newId() })).toEqual({ outcome: 'not_open' });
    expect((await readRun(runId)).status).toBe('retrying');
  });
});
