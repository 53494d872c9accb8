import { createUuidV7Source, presentReplayBatch } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  cancelReplayBatch,
  findOpenReplayBatches,
  replayPage,
  type UnboundDatabase,
} from '../../src/index.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../../src/testing/index.ts';
import { WEBHOOK } from '../support.ts';
import {
  acceptMany,
  actor,
  batchNow,
  createBatch,
  createPaceClock,
  pageDeps,
  replaysOf,
  runBatch,
} from './support.ts';

const MAX_FAILURES = 20;

let database: TestDatabase;
let db: UnboundDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  await db.$executeRaw`CREATE TABLE refusing (environment_id uuid PRIMARY KEY)`;
  await db.$executeRawUnsafe(`
    CREATE FUNCTION refuse_run() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.replay > 0 AND EXISTS (SELECT FROM refusing WHERE environment_id = NEW.environment_id) THEN
        RAISE EXCEPTION 'refused' USING ERRCODE = '22012';
      END IF;
      RETURN NEW;
    END $$`);
  await db.$executeRaw`
    CREATE TRIGGER refuse_run BEFORE INSERT ON delivery_runs FOR EACH ROW EXECUTE FUNCTION refuse_run()`;
});
afterAll(() => database.drop());

/** A batch of two messages whose pages fail until `repair` is called. */
async function failingBatch() {
  const fixture = await createFixture(db, { channels: [WEBHOOK] });
  await acceptMany(db, fixture, 2);
  const batch = await createBatch(db, fixture);
  await db.$executeRaw`INSERT INTO refusing VALUES (${fixture.environmentId}::uuid)`;
  const repair = () =>
    db.$executeRaw`DELETE FROM refusing WHERE environment_id = ${fixture.environmentId}::uuid`;
  const fail = () => expect(replayPage(pageDeps(db), batch)).rejects.toThrow();
  /**
   * Ends the wait, as if its time had passed, and returns how long it was to be, in seconds. The column rounds to
   * milliseconds, so it may be half a millisecond more, and `now()` itself could be ahead of the next statement.
   */
  const passWait = async () => {
    const [row] = await db.$queryRaw<{ seconds: number }[]>`
      WITH waiting AS (SELECT id, extract(epoch FROM retry_at - now()) AS seconds FROM replay_batches)
      UPDATE replay_batches SET retry_at = now() - interval '1 second' FROM waiting
       WHERE waiting.id = replay_batches.id AND replay_batches.id = ${batch.id}::uuid
      RETURNING ceil(seconds - 0.0005)::int AS seconds`;
    return row?.seconds;
  };
  return { fixture, batch, repair, fail, passWait };
}

describe('a bulk replay whose page fails', () => {
  it('shows why, and is not tried again before its delay is over', async () => {
    const { batch, fail, passWait } = await failingBatch();
    await fail();
    expect(presentReplayBatch(await batchNow(db, batch.id))).toMatchObject({
      status: 'pending',
      reason: 'page_failed',
      failures: 1,
      last_error_code: '22012',
      retry_at: expect.stringMatching(/Z$/),
      replayed: 0,
      completed_at: null,
    });
    const open = async () => (await findOpenReplayBatches(db, 100)).map(({ id }) => id);
    await db.$executeRaw`UPDATE replay_batches SET retry_at = now() + interval '1 minute' WHERE id = ${batch.id}::uuid`;
    expect(await open()).not.toContain(batch.id);
    expect(await replayPage(pageDeps(db), batch)).toEqual({ outcome: 'not_available' });
    await passWait();
    expect(await open()).toContain(batch.id);
  });

  it('waits twice as long after each failure, up to a minute, and fails after a number in a row', async () => {
    const { fixture, batch, fail, passWait } = await failingBatch();
    const waits: (number | undefined)[] = [];
    for (let failures = 1; failures < MAX_FAILURES; failures += 1) {
      await fail();
      waits.push(await passWait());
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, ...Array(13).fill(60)]);
    await fail();
    expect(await batchNow(db, batch.id)).toMatchObject({
      status: 'failed',
      reason: 'page_failed',
      failures: MAX_FAILURES,
      lastErrorCode: '22012',
      retryAt: null,
      completedAt: expect.any(Date),
    });
    expect(await replayPage(pageDeps(db), batch)).toEqual({ outcome: 'not_available' });
    expect((await replaysOf(db, fixture)).size).toBe(0);
  });

  it('continues at its position once the cause is fixed', async () => {
    const { fixture, batch, repair, fail, passWait } = await failingBatch();
    await fail();
    await passWait();
    await repair();
    expect(await runBatch(db, batch)).toMatchObject({
      status: 'completed',
      reason: null,
      failures: 0,
      lastErrorCode: null,
      retryAt: null,
      replayed: 2,
    });
    expect((await replaysOf(db, fixture)).size).toBe(2);
  });

  it('counts concurrent failures of workers once', async () => {
    const { batch } = await failingBatch();
    await Promise.allSettled(Array.from({ length: 4 }, () => replayPage(pageDeps(db), batch)));
    expect((await batchNow(db, batch.id)).failures).toBe(1);
  });

  it('can be cancelled while it waits', async () => {
    const { batch, fail } = await failingBatch();
    await fail();
    const cancelled = await cancelReplayBatch({ db, newId: createUuidV7Source(), actor }, batch.id);
    expect(cancelled).toMatchObject({ status: 'cancelled', reason: null, retryAt: null });
  });
});

describe('a check of a bulk replay that may make no page', () => {
  it('does not read channels, templates and event types', async () => {
    const fixture = await createFixture(db, { channels: [WEBHOOK] });
    await acceptMany(db, fixture, 3);
    const batch = await createBatch(db, fixture, { messagesPerSecond: 1 });
    const { paceClock } = createPaceClock();
    await replayPage(pageDeps(db, paceClock), batch);
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE template_versions, event_types`;
      expect(await replayPage(pageDeps(db, paceClock), batch)).toEqual({ outcome: 'waiting' });
    });
  });
});
