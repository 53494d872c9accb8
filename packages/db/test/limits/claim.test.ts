import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  acceptTestSend,
  createClaim,
  createClaimWithinLimits,
  createFinish,
  type Database,
  openDatabase,
  releaseExpiredLeases,
  switchChannel,
} from '../../src/index.ts';
import { createTestDatabase, SUCCEEDED, type TestDatabase } from '../../src/testing/index.ts';
import { claimer, claimOnce, createLimited, type Limited, type Limits, newId, setLimits } from './support.ts';

let database: TestDatabase;
/** Two workers with pools of their own, whose role policies hold for. */
let workers: readonly [Database, Database];
beforeAll(async () => {
  database = await createTestDatabase();
  const url = database.urlFor('postrider_worker');
  workers = [openDatabase(url), openDatabase(url)];
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.$disconnect()));
  await database.drop();
});

const actor = { name: 'test', requestId: null, traceId: null };

const limited = (limits: { maxPerSecond?: number; maxInFlight?: number }, count: number) =>
  createLimited(database.db, limits, count);
const limitsOf = (channelId: string, limits: Limits) => setLimits(database.db, channelId, limits);

const begun = async ({ runIds }: Limited): Promise<number[]> => {
  const attempts = await database.db.attempt.findMany({
    where: { runId: { in: [...runIds] } },
    orderBy: { startedAt: 'asc' },
    select: { startedAt: true },
  });
  return attempts.map(({ startedAt }) => +startedAt);
};

async function finish(runId: string): Promise<void> {
  const run = await database.db.deliveryRun.findUniqueOrThrow({ where: { id: runId } });
  await createFinish(workers[0])({
    run: { runId, environmentId: run.environmentId, fence: run.fence, attemptNumber: run.attemptCount },
    outcome: SUCCEEDED,
  });
}

describe('a claim within the limits of a channel', () => {
  it('starts no more runs in any period than its rate allows, oldest first, by two workers', async () => {
    const rate = 100;
    const channel = await limited({ maxPerSecond: rate }, 160);
    const order: string[] = [];
    async function work(db: Database): Promise<void> {
      for (;;) {
        const { claimed, rest } = await claimOnce(db, channel, { room: 30 });
        order.push(...claimed);
        if (rest === 'none') return;
      }
    }
    await Promise.all([...workers, ...workers].map(work));
    const times = await begun(channel);
    expect(times).toHaveLength(160);
    for (const spanMs of [50, 200, 1_000]) {
      // Stored times are rounded to milliseconds.
      const most = (rate * (spanMs + 1 + 100)) / 1_000 + 1;
      for (const from of times) {
        expect(times.filter((at) => at >= from && at <= from + spanMs).length).toBeLessThanOrEqual(most);
      }
    }
    const runs = await database.db.deliveryRun.findMany({
      where: { channelId: channel.channelId },
      orderBy: [{ startedAt: 'asc' }, { dueAt: 'asc' }],
      select: { id: true },
    });
    expect(runs.map(({ id }) => id)).toEqual(channel.runIds);
    expect(new Set(order)).toEqual(new Set(channel.runIds));
  });

  it('never exceeds the runs in flight, including those of lost workers until their leases are released', async () => {
    const channel = await limited({ maxInFlight: 3 }, 12);
    const most = async () =>
      database.db.deliveryRun.count({ where: { channelId: channel.channelId, status: 'running' } });
    const first = await Promise.all([...workers, ...workers].map((db) => claimOnce(db, channel)));
    expect(first.flatMap(({ claimed }) => claimed).sort()).toEqual([...channel.runIds.slice(0, 3)].sort());
    expect(await most()).toBe(3);
    expect(await claimOnce(workers[1], channel)).toMatchObject({
      rest: 'full',
      claimed: [],
      countsInFlight: true,
    });
    await finish(channel.runIds[0] ?? '');
    expect((await claimOnce(workers[1], channel)).claimed).toEqual([channel.runIds[3]]);
    await database.db.$executeRaw`
      UPDATE delivery_runs SET lease_until = now() - interval '1 second'
       WHERE channel_id = ${channel.channelId}::uuid AND status = 'running'`;
    expect((await claimOnce(workers[0], channel)).rest).toBe('full');
    expect(await releaseExpiredLeases(database.db, 100)).toHaveLength(3);
    expect((await claimOnce(workers[0], channel)).claimed).toHaveLength(3);
    await limitsOf(channel.channelId, { maxInFlight: 5 });
    expect((await claimOnce(workers[0], channel)).claimed).toHaveLength(2);
    expect(await most()).toBe(5);
  });

  it('is required for all runs but tests; other channels are claimed as usual', async () => {
    const channel = await limited({ maxPerSecond: 1 }, 1);
    const other = await limited({}, 1);
    const claim = createClaim(workers[0]);
    const ask = ({ environmentId }: Limited, runId = '') =>
      claim({ runId, environmentId, attemptId: randomUUID() });
    const sent = await acceptTestSend(
      { db: database.db, newId, actor },
      { channelId: channel.channelId, templateVersionId: null, eventKey: 'a.b', recipient: {}, payload: {} },
    );
    if (sent.outcome !== 'accepted') throw new Error(sent.outcome);
    expect(
      await Promise.all([
        ask(channel, channel.runIds[0]),
        ask(other, other.runIds[0]),
        ask(channel, sent.enqueue[0]?.runId),
      ]),
    ).toMatchObject([{ outcome: 'limited' }, { outcome: 'claimed' }, { outcome: 'claimed' }]);
    expect(await claimOnce(workers[0], other)).toMatchObject({ rest: 'unlimited', claimed: [] });
    expect((await claimOnce(workers[0], channel)).claimed).toEqual([channel.runIds[0]]);
  });

  it('does not wait for a lock of the channel, and a rolled back claim uses nothing', async () => {
    const channel = await limited({ maxPerSecond: 1 }, 2);
    await claimOnce(workers[0], channel, { room: 0 });
    const { channelId, environmentId } = channel;
    await database.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM channel_limit_states WHERE channel_id = ${channelId}::uuid FOR UPDATE`;
      const asked = { channelId, environmentId, reserve: () => true };
      expect((await claimer(workers[1])(asked)).rest).toBe('busy');
    });
    const failing = claimer(workers[0])({
      ...{ channelId, environmentId },
      reserve() {
        throw new Error('it stops in the middle');
      },
    });
    await expect(failing).rejects.toThrow('in the middle');
    expect((await claimOnce(workers[1], channel)).claimed).toEqual([channel.runIds[0]]);
    expect(await claimOnce(workers[1], channel)).toMatchObject({ rest: 'later', claimed: [] });
  });

  it('ends or holds runs that must not be sent without using the rate', async () => {
    const channel = await limited({ maxPerSecond: 0.01 }, 40);
    await database.db.$executeRaw`
      UPDATE messages SET expires_at = now() - interval '1 second'
       WHERE id IN (SELECT message_id FROM delivery_runs WHERE id = ANY (${channel.runIds.slice(0, 20)}::uuid[]))`;
    const first = await claimOnce(workers[0], channel);
    expect(first).toMatchObject({ rest: 'more', hasRemoved: true, claimed: [] });
    const second = await claimOnce(workers[0], channel, { searchesAhead: true });
    expect(second).toMatchObject({ hasRemoved: true, claimed: [] });
    expect(
      await database.db.deliveryRun.count({ where: { channelId: channel.channelId, status: 'failed' } }),
    ).toBe(20);
    await switchChannel({ db: database.db, newId, actor }, { channelId: channel.channelId, to: 'paused' });
    expect(await claimOnce(workers[0], channel, { searchesAhead: true })).toMatchObject({ claimed: [] });
    expect(
      await database.db.deliveryRun.count({ where: { channelId: channel.channelId, held: 'paused' } }),
    ).toBe(20);
    await switchChannel({ db: database.db, newId, actor }, { channelId: channel.channelId, to: 'resumed' });
    await database.db.$executeRaw`
      UPDATE delivery_runs SET held = NULL, due_at = now() WHERE channel_id = ${channel.channelId}::uuid AND held = 'paused'`;
    expect((await claimOnce(workers[0], channel)).claimed).toHaveLength(1);
  });

  it('searches ahead without claiming runs beyond its places, not even tests', async () => {
    const channel = await limited({ maxPerSecond: 0.01 }, 1);
    expect((await claimOnce(workers[0], channel)).claimed).toEqual(channel.runIds);
    const sent = await acceptTestSend(
      { db: database.db, newId, actor },
      { channelId: channel.channelId, templateVersionId: null, eventKey: 'a.b', recipient: {}, payload: {} },
    );
    if (sent.outcome !== 'accepted') throw new Error(sent.outcome);
    const runId = sent.enqueue[0]?.runId ?? '';
    expect(await claimOnce(workers[0], channel, { searchesAhead: true })).toMatchObject({ claimed: [] });
    const run = await database.db.deliveryRun.findUniqueOrThrow({ where: { id: runId } });
    expect(run).toMatchObject({ status: 'queued', attemptCount: 0 });
    const { environmentId } = channel;
    expect(await createClaim(workers[0])({ runId, environmentId, attemptId: randomUUID() })).toMatchObject({
      outcome: 'claimed',
    });
  });

  it('ends the run of a deleted channel, also after another transaction had locked it', async () => {
    const channel = await limited({ maxPerSecond: 10 }, 1);
    const { channelId, environmentId, runIds } = channel;
    const [runId = ''] = runIds;
    await database.db.channel.update({
      where: { id: channelId },
      data: { deletedAt: new Date(), enabled: false },
    });
    const claim = () => createClaim(workers[0])({ runId, environmentId, attemptId: randomUUID() });
    await database.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT id FROM delivery_runs WHERE id = ${runId}::uuid FOR UPDATE`;
      expect(await claim()).toEqual({ outcome: 'not_claimable', status: 'queued' });
    });
    expect(await claim()).toEqual({ outcome: 'channel_disabled' });
  });

  it('follows a change of the limits at once, and ends when they are removed', async () => {
    const channel = await limited({ maxPerSecond: 0.01 }, 400);
    expect((await claimOnce(workers[0], channel)).claimed).toHaveLength(1);
    const waits = await claimOnce(workers[0], channel);
    expect(waits.rest === 'later' && waits.inMs).toBeGreaterThan(90_000);
    await limitsOf(channel.channelId, { maxPerSecond: 1_000 });
    const raised = await claimOnce(workers[0], channel);
    expect(raised.rest === 'later' ? raised.inMs : 0).toBeLessThanOrEqual(101);
    let after: readonly string[] = [];
    while (after.length === 0) after = (await claimOnce(workers[0], channel)).claimed;
    await limitsOf(channel.channelId, { maxPerSecond: null });
    expect((await claimOnce(workers[0], channel)).rest).toBe('unlimited');
  });

  it('leaves the next run to a quarantine process', async () => {
    const channel = await limited({ maxInFlight: 1 }, 4);
    const { channelId, environmentId, runIds } = channel;
    const [alone = '', next = '', first = ''] = runIds;
    await database.db.deliveryRun.update({ where: { id: alone }, data: { lostWorkers: 3 } });
    expect((await claimOnce(workers[0], channel)).claimed).toEqual([next]);
    const claimAlone = createClaimWithinLimits(workers[1], { newId, inQuarantine: true });
    const tryAlone = () => claimAlone({ channelId, environmentId, onlyRunId: alone, reserve: () => true });
    expect((await tryAlone()).rest).toBe('full');
    await finish(next);
    expect((await claimOnce(workers[0], channel)).claimed).toEqual([]);
    expect((await tryAlone()).outcomes.get(alone)).toMatchObject({ outcome: 'claimed' });
    await finish(alone);
    expect((await claimOnce(workers[0], channel)).claimed).toEqual([first]);
  });
});
