import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { createIngest, readUsage, removeExpiredMessages } from '../../src/index.ts';
import {
  createFixture,
  createTestDatabase,
  type Fixture,
  idDaysAgo,
  type TestDatabase,
} from '../../src/testing/index.ts';
import { accepted, eventFor, WEBHOOK } from '../support.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const RETENTION_DAYS = 7;
const keeping = (retentionDays: number | null) =>
  createFixture(database.db, { plan: { retentionDays }, channels: [WEBHOOK] });

/** Stores a message that is this many days old, and returns its id. */
async function storeOld(
  fixture: Fixture,
  days: number,
  status:
    | 'queued'
    | 'scheduled'
    | 'running'
    | 'retrying'
    | 'succeeded'
    | 'failed'
    | 'cancelled' = 'succeeded',
): Promise<string> {
  const { db } = database;
  const { messageId } = accepted(await createIngest(db)(eventFor(fixture)));
  const isTerminal = ['succeeded', 'failed', 'cancelled'].includes(status);
  const run = await db.deliveryRun.findFirstOrThrow({ where: { messageId } });
  const at = new Date();
  await db.deliveryRun.update({
    where: { id: run.id },
    data: {
      status,
      attemptCount: 1,
      scheduledAt: status === 'scheduled' ? at : null,
      leaseUntil: status === 'running' ? at : null,
      completedAt: isTerminal ? at : null,
      attempts: {
        create: { number: 1, id: run.id, fence: 1, status: 'succeeded', startedAt: at, completedAt: at },
      },
    },
  });
  const [aged] = await db.$queryRaw<{ id: string }[]>`
    UPDATE messages SET id = ${idDaysAgo(days)},
           created_at = created_at - make_interval(days => ${days}::int)
     WHERE id = ${messageId}::uuid RETURNING id`;
  return aged?.id ?? '';
}

const endRest = () =>
  database.db.$executeRaw`UPDATE retention_turn SET next_at = now() - interval '1 second'`;

/** Removes until all environments have been checked, and returns how many messages were removed. */
async function removeAll(): Promise<number> {
  let removed = 0;
  for (;;) {
    await endRest();
    const result = await removeExpiredMessages(database.db);
    if (result.outcome === 'finished') return removed;
    if (result.outcome === 'removed') removed += result.messages;
  }
}

const messagesOf = async ({ environmentId }: Fixture) =>
  (await database.db.message.findMany({ where: { environmentId } })).map(({ id }) => id).sort();

describe('retention', () => {
  it("removes a message with its runs and attempts after the plan's retention", async () => {
    const fixture = await keeping(RETENTION_DAYS);
    await storeOld(fixture, RETENTION_DAYS + 1);
    const kept = [await storeOld(fixture, RETENTION_DAYS - 1), await storeOld(fixture, 0)].sort();
    expect(await removeAll()).toBe(1);
    expect(await messagesOf(fixture)).toEqual(kept);
    expect(await database.db.deliveryRun.count()).toBe(2);
    expect(await database.db.attempt.count()).toBe(2);
  });

  it("applies each tenant's plan, and removes nothing without a retention", async () => {
    const fixtures = [await keeping(null), await keeping(RETENTION_DAYS), await keeping(90)];
    for (const fixture of fixtures) await storeOld(fixture, 30);
    expect(await removeAll()).toBe(1);
    expect(await Promise.all(fixtures.map(async (each) => (await messagesOf(each)).length))).toEqual([
      1, 0, 1,
    ]);
  });

  it('removes nothing if the retention reaches back to 1970 or further', async () => {
    const daysSince1970 = Math.floor(Date.now() / 86_400_000);
    const fixtures = [
      await keeping(daysSince1970 - 1),
      await keeping(daysSince1970),
      await keeping(daysSince1970 + 1),
      await keeping(36_500),
    ];
    for (const fixture of fixtures) await storeOld(fixture, 30);
    expect(await removeAll()).toBe(0);
    expect(await Promise.all(fixtures.map(async (each) => (await messagesOf(each)).length))).toEqual([
      1, 1, 1, 1,
    ]);
  });

  it('keeps a message while one of its runs is open', async () => {
    const fixture = await keeping(RETENTION_DAYS);
    const open: string[] = [];
    for (const status of ['scheduled', 'queued', 'running', 'retrying'] as const) {
      open.push(await storeOld(fixture, 30, status));
    }
    for (const status of ['succeeded', 'failed', 'cancelled'] as const) await storeOld(fixture, 30, status);
    expect(await removeAll()).toBe(3);
    expect(await messagesOf(fixture)).toEqual(open.sort());
    await database.db.deliveryRun.updateMany({
      data: { status: 'failed', completedAt: new Date(), leaseUntil: null },
    });
    expect(await removeAll()).toBe(4);
  });

  it('keeps the usage figures', async () => {
    const fixture = await keeping(RETENTION_DAYS);
    for (const status of ['succeeded', 'succeeded', 'failed'] as const) await storeOld(fixture, 30, status);
    // Made now, for messages of another month.
    await database.db.deliveryRun.updateMany({ data: { replay: 1 } });
    await storeOld(fixture, 0);
    const before = await readUsage(database.db, fixture.tenantId);
    expect(before).toMatchObject({ events: { used: 4 }, deliveries: { succeeded: 3, failed: 1 } });
    expect(await removeAll()).toBe(3);
    expect(await readUsage(database.db, fixture.tenantId)).toEqual(before);
  });

  it('pauses after a batch, for all workers', async () => {
    const fixture = await keeping(RETENTION_DAYS);
    await storeOld(fixture, 30);
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => removeExpiredMessages(database.db)));
    expect(outcomes.filter(({ outcome }) => outcome === 'removed')).toHaveLength(1);
    await database.db.$executeRaw`UPDATE retention_turn SET next_at = now() + interval '1 minute'`;
    await storeOld(fixture, 30);
    expect(await removeExpiredMessages(database.db)).toEqual({ outcome: 'not_due' });
    expect(await messagesOf(fixture)).toHaveLength(1);
  });

  it('leaves a locked message to the next pass, without waiting', async () => {
    const fixture = await keeping(RETENTION_DAYS);
    const held = await storeOld(fixture, 30);
    await storeOld(fixture, 29);
    await database.db.$transaction(async (tx) => {
      await tx.$executeRaw`UPDATE messages SET replay_count = replay_count + 1 WHERE id = ${held}::uuid`;
      expect(await removeAll()).toBe(1);
    });
    expect(await messagesOf(fixture)).toEqual([held]);
    expect(await removeAll()).toBe(1);
  });

  it('pauses after a failed batch, and then repeats it', async () => {
    const { db } = database;
    const fixture = await keeping(RETENTION_DAYS);
    await storeOld(fixture, 30);
    await db.$executeRaw`
      CREATE TRIGGER refuse BEFORE DELETE ON messages FOR EACH ROW EXECUTE FUNCTION postrider_refuse_change()`;
    await endRest();
    await expect(removeExpiredMessages(db)).rejects.toThrow(/append only/);
    await db.$executeRaw`DROP TRIGGER refuse ON messages`;
    expect(await removeExpiredMessages(db)).toEqual({ outcome: 'not_due' });
    expect(await removeAll()).toBe(1);
  });

  it('limits a batch by its rows, and continues after it', async () => {
    const fixture = await keeping(RETENTION_DAYS);
    await storeOld(fixture, 32);
    await storeOld(fixture, 31);
    await storeOld(fixture, 30);
    await database.db.$executeRaw`UPDATE delivery_runs SET attempt_count = 9999`;
    const removed: number[] = [];
    for (let batch = 0; batch < 3; batch += 1) {
      await endRest();
      const result = await removeExpiredMessages(database.db);
      removed.push(result.outcome === 'removed' ? result.messages : 0);
    }
    expect(removed).toEqual([1, 1, 1]);
  });
});
