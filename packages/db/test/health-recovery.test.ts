import { createUuidV7Source } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  createIngest,
  type EndedAttempt,
  findHeldChannels,
  releaseHeldRuns,
  settleHealth,
  switchChannel,
} from '../src/index.ts';
import {
  actorNamed,
  createFixture,
  createOwnerClaim,
  createOwnerFinish,
  createTestDatabase,
  failedWith,
  makeRunOlder,
  passTime,
  type TestDatabase,
  testKinds,
} from '../src/testing/index.ts';
import { eventFor, onlyRun, plannedRuns, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newId = createUuidV7Source();
const deps = () => ({ db: database.db, newId, actor: actorNamed('test') });
const runOf = (id: string) => database.db.deliveryRun.findUniqueOrThrow({ where: { id } });

async function channel() {
  const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
  const channelId = fixture.channels[0]?.id ?? '';
  const runs = plannedRuns(fixture, 2);
  const accept = async () => onlyRun(await createIngest(database.db)(eventFor(fixture, { runs })));
  return { fixture, channelId, accept, runs };
}

const claim = async (runId: string) => createOwnerClaim(database.db)({ runId, attemptId: newId() });

/** Claims the run, and writes an attempt that failed. The next one is due after an hour. */
async function fail(runId: string) {
  const claimed = await claim(runId);
  if (claimed.outcome !== 'claimed') throw new Error(`not claimed: ${claimed.outcome}`);
  const { attemptNumber, maxAttempts } = claimed.run;
  const next: EndedAttempt['outcome']['next'] =
    attemptNumber < maxAttempts ? { status: 'retrying', delayMs: 3_600_000 } : { status: 'failed' };
  await createOwnerFinish(database.db)(claimed.run, failedWith('webhook_http_error', next));
}

const fallDue = (runId: string) =>
  database.db.$executeRaw`UPDATE delivery_runs SET due_at = now() WHERE id = ${runId}::uuid`;

/** Works on all of them, a few at once. */
async function inParts<Value>(runIds: readonly string[], work: (runId: string) => PromiseLike<Value>) {
  const values: Value[] = [];
  for (let start = 0; start < runIds.length; start += 50) {
    values.push(...(await Promise.all(runIds.slice(start, start + 50).map(work))));
  }
  return values;
}

async function clockMs(): Promise<number> {
  const [row] = await database.db.$queryRaw<{ ms: number }[]>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`;
  return row?.ms ?? Number.NaN;
}

/** The most runs of a release in its first seconds: 2 a second, which doubles in ten, up to 100. */
function mostReleasedIn(seconds: number): number {
  let runs = 0;
  for (let second = 1; second < seconds + 1; second += 1) runs += Math.min(100, 2 * 2 ** (second / 10));
  return runs;
}

describe('runs in retry after a resume', () => {
  it('wait for the release of held runs, oldest first, and each is released once', async () => {
    const { channelId, accept } = await channel();
    const retried = [await accept(), await accept()];
    for (const runId of retried) await fail(runId);
    await switchChannel(deps(), { channelId, to: 'paused' });
    const held = [await accept(), await accept()];
    for (const runId of held) expect(await claim(runId)).toEqual({ outcome: 'held' });
    await switchChannel(deps(), { channelId, to: 'resumed' });
    for (const runId of retried) {
      await fallDue(runId);
      expect(await claim(runId)).toEqual({ outcome: 'held' });
    }
    const released: string[] = [];
    for (let seconds = 1; released.length < 4; seconds += 1) {
      released.push(...(await releaseAfter(channelId, 1_000)));
      expect(seconds).toBeLessThan(20);
    }
    expect(released).toEqual([...retried, ...held]);
    for (const runId of released) expect(await claim(runId)).toMatchObject({ outcome: 'claimed' });
  });

  it('fall due by hundreds, and go with hundreds of held runs: oldest first, and at the rate of the release', async () => {
    const { channelId, accept } = await channel();
    const runIds: string[] = [];
    while (runIds.length < 900) runIds.push(...(await Promise.all(Array.from({ length: 50 }, accept))));
    runIds.sort();
    const retried = runIds.slice(0, 300);
    await inParts(retried, fail);
    await switchChannel(deps(), { channelId, to: 'paused' });
    const areHeld = async (of: readonly string[]) => {
      const outcomes = await inParts(of, claim);
      expect(outcomes.every(({ outcome }) => outcome === 'held')).toBe(true);
    };
    await areHeld(runIds.slice(300));
    const resumedAt = await clockMs();
    await switchChannel(deps(), { channelId, to: 'resumed' });
    await inParts(retried, fallDue);
    await areHeld(retried);

    const released: string[] = [];
    for (let seconds = 1; released.length < runIds.length; seconds += 1) {
      expect(seconds).toBeLessThan(120);
      await passTime(database.db, channelId, 1_000);
      const batches = await Promise.all([1, 2].map(() => release(channelId)));
      released.push(...batches.flat().sort());
      // The database's clock also moves on.
      const mostAfter = mostReleasedIn(seconds + ((await clockMs()) - resumedAt) / 1_000);
      expect(released.length).toBeLessThanOrEqual(mostAfter);
    }
    expect(released).toEqual(runIds);
  });

  it('do not expire while they wait for their turn, however old they are', async () => {
    const { channelId, accept } = await channel();
    await database.db.$executeRaw`
      UPDATE channels SET failure_policy = '{"max_age": 60}' WHERE id = ${channelId}::uuid`;
    const runId = await makeRunOlder(database.db, await accept(), 120_000);
    await fail(runId);
    await switchChannel(deps(), { channelId, to: 'paused' });
    await switchChannel(deps(), { channelId, to: 'resumed' });
    await fallDue(runId);
    expect(await claim(runId)).toEqual({ outcome: 'held' });
    const found = async () => {
      await passTime(database.db, channelId, 120_000);
      const { channels } = await findHeldChannels(database.db, { limit: 1_000 });
      return channels.find((one) => one.channelId === channelId);
    };
    expect(await found()).toMatchObject({ hasExpired: false, isPaused: false });
    await switchChannel(deps(), { channelId, to: 'paused' });
    expect(await found()).toMatchObject({ hasExpired: true, isPaused: true });
  });

  it('are sent at once if their event came after the resume', async () => {
    const { channelId, accept } = await channel();
    await switchChannel(deps(), { channelId, to: 'paused' });
    await switchChannel(deps(), { channelId, to: 'resumed' });
    const runId = await accept();
    await fail(runId);
    await fallDue(runId);
    expect(await claim(runId)).toMatchObject({ outcome: 'claimed' });
  });

  it('do not shorten `pause_after` once the held runs have been released', async () => {
    const { channelId, accept } = await channel();
    const late = await accept();
    await fail(late);
    await switchChannel(deps(), { channelId, to: 'paused' });
    const held = await accept();
    expect(await claim(held)).toEqual({ outcome: 'held' });
    await switchChannel(deps(), { channelId, to: 'resumed' });
    // More may go in the first two seconds, so the release has ended.
    expect(await releaseAfter(channelId, 2_000)).toEqual([held]);
    await onlyFails(channelId);
    await fallDue(late);
    expect(await claim(late)).toEqual({ outcome: 'held' });
    expect(await releaseAfter(channelId, 98_000)).toEqual([]);
    expect(await stateAfter(channelId, 500)).toBe('ok');
    expect(await releaseAfter(channelId, 1_500)).toEqual([late]);
    expect(await claim(late)).toMatchObject({ outcome: 'claimed' });
    expect(await stateAfter(channelId, 90_000_000)).toBe('paused');
  });
});

/** Writes what five failed attempts leave, after the policy's `min_attempts`. */
const onlyFails = (channelId: string) =>
  database.db.$executeRaw`
    UPDATE channel_health SET failing_since = now(), failures = 5 WHERE channel_id = ${channelId}::uuid`;

/** Releases runs, and returns their UUIDs. */
const release = async (channelId: string) =>
  (await releaseHeldRuns({ db: database.db }, channelId)).map(({ runId }) => runId);

async function releaseAfter(channelId: string, ms: number) {
  await passTime(database.db, channelId, ms);
  return release(channelId);
}

/** Lets `ms` pass and runs a sweep. Returns the state of the channel. */
async function stateAfter(channelId: string, ms: number) {
  await passTime(database.db, channelId, ms);
  const onError = (error: unknown) => {
    throw error;
  };
  await settleHealth({ db: database.db, newId, kinds: testKinds }, { limit: 1_000, after: null, onError });
  return (await database.db.channelHealth.findUniqueOrThrow({ where: { channelId } })).state;
}

describe('the release after a resume', () => {
  it('pauses the channel again at once if it only fails, also after a break of all workers', async () => {
    const { channelId, accept } = await channel();
    await switchChannel(deps(), { channelId, to: 'paused' });
    for (let n = 0; n < 5; n += 1) expect(await claim(await accept())).toEqual({ outcome: 'held' });
    await switchChannel(deps(), { channelId, to: 'resumed' });
    const released = (await releaseAfter(channelId, 1_000)).length;
    expect(released > 0 && released < 5).toBe(true);
    await onlyFails(channelId);
    expect(await stateAfter(channelId, 199_000)).toBe('ok');
    expect(await release(channelId)).toEqual([]);
    expect(await stateAfter(channelId, 500)).toBe('paused');
  });

  it('is undone by a pause: runs that no worker has claimed yet are held, then released once, in order', async () => {
    const { channelId, accept } = await channel();
    const retried = await accept();
    await fail(retried);
    await switchChannel(deps(), { channelId, to: 'paused' });
    const runs = [retried, await accept()];
    await fallDue(retried);
    for (const runId of runs) expect(await claim(runId)).toEqual({ outcome: 'held' });
    await switchChannel(deps(), { channelId, to: 'resumed' });
    expect(await releaseAfter(channelId, 2_000)).toEqual(runs);
    // A claim of the previous release sends a run of a paused channel whose `held` is not NULL, if it is due.
    await switchChannel(deps(), { channelId, to: 'paused' });
    for (const runId of runs) {
      const { held, dueAt } = await runOf(runId);
      expect([held, dueAt.getUTCFullYear()]).toEqual(['paused', 9999]);
    }
    await switchChannel(deps(), { channelId, to: 'resumed' });
    expect(await releaseAfter(channelId, 2_000)).toEqual(runs);
    for (const runId of runs) expect(await claim(runId)).toMatchObject({ outcome: 'claimed' });
  });
});

describe('probes that fail', () => {
  it('come every minute, each with the next run, which keeps its attempts and is held again', async () => {
    const { fixture, channelId, accept } = await channel();
    const held = [await accept(), await accept(), await accept()];
    await switchChannel(deps(), { channelId, to: 'paused' });
    for (const runId of held) expect(await claim(runId)).toEqual({ outcome: 'held' });
    await database.db.$executeRaw`
      UPDATE channel_health SET reason = 'failures', next_probe_at = now() WHERE channel_id = ${channelId}::uuid`;
    const settle = async () => {
      const onError = (error: unknown) => {
        throw error;
      };
      const settling = { limit: 1_000, after: null, onError };
      const { probes } = await settleHealth({ db: database.db, newId, kinds: testKinds }, settling);
      return probes.map(({ runId }) => runId).filter((runId) => held.includes(runId));
    };
    const probed: string[] = [];
    for (let round = 0; round < 7; round += 1) {
      const [probe = ''] = await settle();
      probed.push(probe);
      await fail(probe);
      expect(await settle()).toEqual([]);
      expect(await runOf(probe)).toMatchObject({ status: 'retrying', held: 'paused' });
      expect(await settle()).toEqual([]);
      await passTime(database.db, channelId, 61_000);
    }
    expect(probed).toEqual([...held, ...held, held[0]]);
    expect(await runOf(held[0] ?? '')).toMatchObject({ attemptCount: 3, maxAttempts: 5 });
    expect(await database.db.deliveryRun.count({ where: { environmentId: fixture.environmentId } })).toBe(3);
  });
});
