import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  acceptTestSend,
  askForRun,
  claimRuns,
  claimWithinLimits,
  createFinish,
  type Database,
  openDatabase,
  releaseExpiredLeases,
  switchChannel,
} from '../../src/index.ts';
import {
  actorNamed,
  createOwnerClaim,
  createTestDatabase,
  SUCCEEDED,
  type TestDatabase,
} from '../../src/testing/index.ts';
import {
  askFor,
  claimOnce,
  createLimited,
  type Limited,
  type Limits,
  newId,
  RULES,
  setLimits,
} from './support.ts';

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

const actor = actorNamed('test');

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
        const { claimed, limitedBy: by, answer } = await claimOnce(db, channel, { room: 30 });
        order.push(...claimed);
        if (by === null && !answer?.isFull) return;
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
      limitedBy: { limit: 'in_flight' },
      claimed: [],
    });
    await finish(channel.runIds[0] ?? '');
    expect((await claimOnce(workers[1], channel)).claimed).toEqual([channel.runIds[3]]);
    await database.db.$executeRaw`
      UPDATE delivery_runs SET lease_until = now() - interval '1 second'
       WHERE channel_id = ${channel.channelId}::uuid AND status = 'running'`;
    expect((await claimOnce(workers[0], channel)).limitedBy).toEqual({ limit: 'in_flight' });
    expect(await releaseExpiredLeases(database.db, 100)).toHaveLength(3);
    expect((await claimOnce(workers[0], channel)).claimed).toHaveLength(3);
    await limitsOf(channel.channelId, { maxInFlight: 5 });
    expect((await claimOnce(workers[0], channel)).claimed).toHaveLength(2);
    expect(await most()).toBe(5);
  });

  it('is required for all runs but tests, which wait neither for the limits nor behind a backlog', async () => {
    const channel = await limited({ maxPerSecond: 0.01 }, 3);
    const other = await limited({}, 1);
    const sendTest = async () => {
      const { channelId } = channel;
      const test = { channelId, templateVersionId: null, eventKey: 'a.b', recipient: {}, payload: {} };
      const sent = await acceptTestSend({ db: database.db, newId, actor }, test);
      return sent.wakeUps[0]?.runId ?? '';
    };
    const tests = [await sendTest(), await sendTest()];
    const answers = await claimRuns(workers[0], [askFor(channel, 1), askFor(other)], RULES);
    const idsOf = (index: number) => answers[index]?.runs.map(({ runId }) => runId);
    expect([tests.includes(idsOf(0)?.[0] ?? ''), idsOf(0)?.length, idsOf(1)]).toEqual([
      true,
      1,
      other.runIds,
    ]);
    expect(answers.map((answer) => answer?.hasLimits)).toEqual([true, false]);
    // The first run of the backlog uses the rate; the other test does not need it.
    expect(new Set((await claimOnce(workers[0], channel)).claimed)).toEqual(
      new Set([channel.runIds[0], ...tests.filter((id) => id !== idsOf(0)?.[0])]),
    );
    const third = await sendTest();
    expect(await claimOnce(workers[0], channel)).toMatchObject({
      limitedBy: { limit: 'rate' },
      claimed: [third],
    });
  });

  it('does not wait for a lock of the channel, and a rolled back claim uses nothing', async () => {
    const channel = await limited({ maxPerSecond: 1 }, 2);
    await claimOnce(workers[0], channel, { room: 0 });
    const { channelId } = channel;
    await database.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM channel_limit_states WHERE channel_id = ${channelId}::uuid FOR UPDATE`;
      expect(await claimWithinLimits(workers[1], askFor(channel), RULES)).toBe('missed');
    });
    await database.db.$executeRaw`
      CREATE FUNCTION refuse_attempt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'in the middle'; END $$`;
    await database.db.$executeRaw`
      CREATE TRIGGER refuse_attempt BEFORE INSERT ON attempts FOR EACH ROW EXECUTE FUNCTION refuse_attempt()`;
    await expect(claimWithinLimits(workers[0], askFor(channel), RULES)).rejects.toThrow('in the middle');
    await database.db.$executeRaw`DROP TRIGGER refuse_attempt ON attempts`;
    expect((await claimOnce(workers[1], channel)).claimed).toEqual([channel.runIds[0]]);
    expect(await claimOnce(workers[1], channel)).toMatchObject({ limitedBy: { limit: 'rate' }, claimed: [] });
  });

  it('ends or holds runs that must not be sent without using the rate', async () => {
    const channel = await limited({ maxPerSecond: 0.01 }, 40);
    await database.db.$executeRaw`
      UPDATE messages SET expires_at = now() - interval '1 second'
       WHERE id IN (SELECT message_id FROM delivery_runs WHERE id = ANY (${channel.runIds.slice(0, 20)}::uuid[]))`;
    const first = await claimOnce(workers[0], channel);
    expect(first).toMatchObject({ limitedBy: null, refused: 1, claimed: [] });
    const second = await claimOnce(workers[0], channel, { ahead: 18 });
    expect(second).toMatchObject({ limitedBy: null, refused: 19, claimed: [] });
    expect(
      await database.db.deliveryRun.count({ where: { channelId: channel.channelId, status: 'failed' } }),
    ).toBe(20);
    await switchChannel({ db: database.db, newId, actor }, { channelId: channel.channelId, to: 'paused' });
    expect(await claimOnce(workers[0], channel)).toMatchObject({ refused: 20, claimed: [] });
    expect(
      await database.db.deliveryRun.count({ where: { channelId: channel.channelId, held: 'paused' } }),
    ).toBe(20);
    await switchChannel({ db: database.db, newId, actor }, { channelId: channel.channelId, to: 'resumed' });
    await database.db.$executeRaw`
      UPDATE delivery_runs SET held = NULL, due_at = now() WHERE channel_id = ${channel.channelId}::uuid AND held = 'paused'`;
    expect((await claimOnce(workers[0], channel)).claimed).toHaveLength(1);
  });

  it('ends the run of a deleted channel, also after another transaction had locked it', async () => {
    const channel = await limited({ maxPerSecond: 10 }, 1);
    const { channelId, runIds } = channel;
    const [runId = ''] = runIds;
    await database.db.channel.update({
      where: { id: channelId },
      data: { deletedAt: new Date(), enabled: false },
    });
    const claim = () => createOwnerClaim(database.db)({ runId, attemptId: newId() });
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
    expect(waits.limitedBy?.limit === 'rate' && waits.limitedBy.inMs).toBeGreaterThan(90_000);
    await limitsOf(channel.channelId, { maxPerSecond: 1_000 });
    const raised = await claimOnce(workers[0], channel);
    expect(raised.limitedBy?.limit === 'rate' ? raised.limitedBy.inMs : 0).toBeLessThanOrEqual(101);
    let after: readonly string[] = [];
    while (after.length === 0) after = (await claimOnce(workers[0], channel)).claimed;
    await limitsOf(channel.channelId, { maxPerSecond: null });
    expect((await claimOnce(workers[0], channel)).answer?.hasLimits).toBe(false);
  });

  it('leaves the next run to a quarantine process', async () => {
    const channel = await limited({ maxInFlight: 1 }, 4);
    const [alone = '', next = '', first = ''] = channel.runIds;
    await database.db.deliveryRun.update({ where: { id: alone }, data: { lostWorkers: 3 } });
    expect((await claimOnce(workers[0], channel)).claimed).toEqual([next]);
    const { channelId, environmentId } = channel;
    const tryAlone = () =>
      claimWithinLimits(
        workers[1],
        askForRun({ channelId, environmentId }, { runId: alone, attemptId: newId() }),
        RULES,
      );
    expect(await tryAlone()).toMatchObject({ limitedBy: { limit: 'in_flight' } });
    await finish(next);
    expect((await claimOnce(workers[0], channel)).claimed).toEqual([]);
    expect(await tryAlone()).toMatchObject({ runs: [{ runId: alone }] });
    await finish(alone);
    expect((await claimOnce(workers[0], channel)).claimed).toEqual([first]);
  });
});
