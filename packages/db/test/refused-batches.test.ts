import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { isLockNotAvailable, type Queryable, type UnboundDatabase } from '../src/client.ts';
import {
  createIngest,
  createIngestBatch,
  type EventToAccept,
  type IngestOutcome,
  openDatabase,
  readUsage,
} from '../src/index.ts';
import { asOwner, createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { eventFor, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const outcomesOf = (outcomes: readonly IngestOutcome[]) => outcomes.map(({ outcome }) => outcome);
const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);

/** The same database, and how many statements were sent to it. */
function counting(db: UnboundDatabase): { db: UnboundDatabase; statements: () => number } {
  let statements = 0;
  const watched = new Proxy(db, {
    get(target, name, receiver) {
      if (name === '$queryRaw' || name === '$executeRaw') statements += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  return { db: watched, statements: () => statements };
}

describe('events of which the plan allows only some', () => {
  it('are accepted up to the limit, by a few statements on one connection', async () => {
    const fixture = await createFixture(database.db, { plan: { eventsPerMonth: 30 }, channels: [WEBHOOK] });
    const db = openDatabase(database.url, { poolSize: 1 });
    const session = async () => (await db.$queryRaw<unknown[]>`SELECT pg_backend_pid()`)[0];
    const before = await session();
    const watched = counting(asOwner(db));
    const ingest = createIngest(watched.db, { maxInFlight: 1 });
    const outcomes = await Promise.all(times(100, () => ingest(eventFor(fixture))));
    const after = await session();
    await db.$disconnect();
    expect(outcomesOf(outcomes)).toEqual([
      ...times(30, () => 'accepted'),
      ...times(70, () => 'quota_exceeded'),
    ]);
    expect(outcomes[99]).toMatchObject({ limit: 30, used: 30 });
    expect(watched.statements()).toBeLessThan(10);
    expect(after).toEqual(before);
  });

  it('are not charged for keys with stored responses, even if the quota is exhausted', async () => {
    const fixture = await createFixture(database.db, { plan: { eventsPerMonth: 3 }, channels: [WEBHOOK] });
    const ingest = createIngest(database.db, { maxInFlight: 1 });
    const [first, second] = [randomUUID(), randomUUID()];
    await ingest(eventFor(fixture, { key: first }));
    const keys = [first, second, first, randomUUID(), randomUUID(), second];
    const outcomes = await Promise.all(keys.map((key) => ingest(eventFor(fixture, { key }))));
    expect(outcomesOf(outcomes)).toEqual([
      'duplicate',
      'accepted',
      'duplicate',
      'accepted',
      'quota_exceeded',
      'duplicate',
    ]);
    expect((await readUsage(database.db, fixture.tenantId)).events.used).toBe(3);
  });

  it("are refused without affecting another tenant's events in the batch", async () => {
    const full = await createFixture(database.db, { plan: { eventsPerMonth: 0 }, channels: [WEBHOOK] });
    const free = await createFixture(database.db, { channels: [WEBHOOK] });
    const watched = counting(database.db);
    const ingest = createIngest(watched.db, { maxInFlight: 1 });
    const events = times(60, () => [eventFor(full), eventFor(free)]).flat();
    const outcomes = outcomesOf(await Promise.all(events.map(ingest)));
    events.forEach(({ tenantId }, index) => {
      expect(outcomes[index]).toBe(tenantId === free.tenantId ? 'accepted' : 'quota_exceeded');
    });
    expect(watched.statements()).toBeLessThan(10);
  });
});

/** Runs `accept` while another transaction has the lock. */
const whileLocked = <Result>(lock: (tx: Queryable) => Promise<unknown>, accept: () => Promise<Result>) =>
  database.db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
      await lock(asOwner(tx));
      return accept();
    },
    { timeout: 15_000 },
  );

describe('events of which one has a locked key', () => {
  const hold =
    ({ response: { environmentId, operation, key } }: EventToAccept) =>
    (tx: Queryable) =>
      tx.$executeRaw`
      INSERT INTO idempotency_records
        (environment_id, operation, key, fingerprint, response_status, response_body, created_at, expires_at)
      VALUES (${environmentId}::uuid, ${operation}, ${key}::uuid, ${Buffer.alloc(32)}, 201, ''::bytea, now(), now())`;

  it('are accepted without it, which is in progress', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const ingest = createIngest(database.db, { maxInFlight: 1 });
    const events = times(10, () => eventFor(fixture));
    const outcomes = await whileLocked(hold(events[4] ?? eventFor(fixture)), () =>
      Promise.all(events.map(ingest)),
    );
    expect(outcomesOf(outcomes)).toEqual(
      events.map((_event, index) => (index === 4 ? 'in_progress' : 'accepted')),
    );
  });

  it('are aborted if they are atomic, and only that one is in progress', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const events = times(3, () => eventFor(fixture));
    const result = await whileLocked(hold(events[1] ?? eventFor(fixture)), () =>
      createIngestBatch(database.db)({ events, atomic: true }),
    );
    const outcomes = ['aborted', 'in_progress', 'aborted'].map((outcome) => ({ outcome }));
    expect(result).toEqual({ outcome: 'decided', outcomes });
  });
});

describe('events whose keys are free while the usage of their tenant stays locked', () => {
  it.each(['an event with a file', 'an atomic batch'])('are not in progress: %s', async (how) => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const ingest = createIngest(database.db);
    expect((await ingest(eventFor(fixture))).outcome).toBe('accepted');
    const event = eventFor(fixture);
    const accepting = whileLocked(
      (tx) => tx.$executeRaw`SELECT FROM tenant_usage WHERE tenant_id = ${fixture.tenantId}::uuid FOR UPDATE`,
      (): Promise<unknown> =>
        how === 'an atomic batch'
          ? createIngestBatch(database.db)({ events: [event], atomic: true })
          : ingest({ ...event, files: [Buffer.from('%PDF')] }),
    );
    const error: unknown = await accepting.then(
      (outcome) => outcome,
      (reason) => reason,
    );
    expect([error, isLockNotAvailable(error)]).toEqual([expect.any(Error), true]);
  });
});

describe('an event that would be stored long after its timestamp', () => {
  it('is refused, because an erasure may have searched that time already', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const event = eventFor(fixture);
    const ingest = createIngest(database.db);
    const dated = (secondsAgo: number) =>
      ingest({ ...event, createdAt: new Date(Date.now() - secondsAgo * 1_000) });
    expect((await dated(60)).outcome).toBe('untimely');
    expect(await database.db.message.count({ where: { environmentId: fixture.environmentId } })).toBe(0);
    expect((await dated(0)).outcome).toBe('accepted');
  });
});

describe('a batch with a timestamp ahead of the database, whose clock was set back', () => {
  it.each([true, false])('is refused, because its runs would not be due: atomic %s', async (atomic) => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const ingest = createIngestBatch(database.db);
    const [event, ahead] = [eventFor(fixture), eventFor(fixture)];
    const inAnHour = new Date(Date.now() + 3_600_000);
    const refused = await ingest({ events: [event, { ...ahead, createdAt: inAnHour }], atomic });
    expect(refused.outcome).toBe('untimely');
    expect(await database.db.message.count({ where: { environmentId: fixture.environmentId } })).toBe(0);
    const accepted = {
      outcome: 'decided',
      outcomes: times(2, () => expect.objectContaining({ outcome: 'accepted' })),
    };
    expect(await ingest({ events: [event, ahead], atomic })).toEqual(accepted);
  });
});
