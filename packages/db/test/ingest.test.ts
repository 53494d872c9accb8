import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import type { Queryable } from '../src/client.ts';
import {
  createIngest,
  createStoredResponseLookup,
  type EventToAccept,
  isDatabaseUnreachable,
  openDatabase,
  readUsage,
} from '../src/index.ts';
import { asOwner, createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { accepted, eventFor, onlyRun, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const counts = async (environmentId: string, tenantId: string) => ({
  messages: await database.db.message.count({ where: { environmentId } }),
  runs: await database.db.deliveryRun.count({ where: { environmentId } }),
  answers: await database.db.idempotencyRecord.count({ where: { environmentId } }),
  used: (await readUsage(database.db, tenantId)).events.used,
});

/** Works while an open transaction holds what `hold` locks. */
function whileHeld<T>(hold: (tx: Queryable) => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  return database.db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
      await hold(asOwner(tx));
      return work();
    },
    { timeout: 15_000 },
  );
}

const storeKeyOf =
  ({ response: { status: responseStatus, body: _body, fingerprint, ...key } }: EventToAccept) =>
  (tx: Queryable) =>
    tx.idempotencyRecord.create({
      data: {
        ...key,
        fingerprint: Uint8Array.from(fingerprint),
        responseStatus,
        responseBody: new Uint8Array(),
        createdAt: new Date(),
        expiresAt: new Date(),
      },
    });

describe('acceptance in one transaction', () => {
  it('stores message, run, response bytes and usage together', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const event = eventFor(fixture, { requestId: 'r-1' });
    const outcome = accepted(await createIngest(database.db)(event));

    expect(outcome.wakeUps).toEqual([
      {
        runId: expect.any(String),
        channelKind: 'webhook',
        channelId: fixture.channels[0]?.id,
        delayMs: 0,
        dueMs: expect.any(Number),
      },
    ]);
    const message = await database.db.message.findFirstOrThrow({ where: { id: outcome.messageId } });
    expect(message).toMatchObject({
      recipientEmail: 'ada@example.com',
      payload: { order: 1 },
      requestId: 'r-1',
    });
    const answer = await createStoredResponseLookup(database.db)(event.response);
    expect(Buffer.from(answer?.body ?? []).equals(Buffer.from(outcome.body))).toBe(true);
    expect(await counts(fixture.environmentId, fixture.tenantId)).toEqual({
      messages: 1,
      runs: 1,
      answers: 1,
      used: 1,
    });
  });

  it('stores small events without waiting for large ones', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const batches: (readonly number[])[] = [];
    const ingest = createIngest(database.db, {
      maxInFlight: 1,
      watchBatch: (events) => {
        batches.push(events.map(({ bytes }) => bytes));
        return () => undefined;
      },
    });
    const sizes = [200_000, 300, 250_000, 400, 200_000, 500];
    const outcomes = await Promise.all(sizes.map((bytes) => ingest({ ...eventFor(fixture), bytes })));

    outcomes.forEach(accepted);
    expect(batches.slice(0, 2)).toEqual([
      [200_000, 250_000],
      [300, 400, 500],
    ]);
    expect(batches.slice(2)).toEqual([[200_000]]);
  });

  it('creates message ids in the order of time', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const { messageId } = accepted(await createIngest(database.db)(eventFor(fixture)));
    const { createdAt } = await database.db.message.findFirstOrThrow({ where: { id: messageId } });
    expect(Number.parseInt(messageId.replaceAll('-', '').slice(0, 12), 16)).toBe(createdAt.getTime());
  });

  it("schedules future events by the database's clock, and makes past ones immediate", async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const ingest = createIngest(database.db);
    const ahead = new Date(Date.now() + 3_600_000);
    const [scheduled, past] = await Promise.all([
      ingest(eventFor(fixture, { scheduleAt: ahead })),
      ingest(eventFor(fixture, { scheduleAt: new Date(Date.now() - 1_000) })),
    ]);
    const run = await database.db.deliveryRun.findUniqueOrThrow({ where: { id: onlyRun(scheduled) } });
    expect(run).toMatchObject({ status: 'scheduled', scheduledAt: ahead, dueAt: ahead });
    expect(accepted(scheduled).wakeUps[0]?.delayMs).toBeGreaterThan(3_590_000);
    expect(await database.db.deliveryRun.findUniqueOrThrow({ where: { id: onlyRun(past) } })).toMatchObject({
      status: 'queued',
      scheduledAt: null,
    });
  });

  it('stores nothing if a run cannot be stored', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const other = await createFixture(database.db, { channels: [WEBHOOK] });
    const foreign = eventFor(fixture, { runs: eventFor(other).runs });
    const ingest = createIngest(database.db);
    const [bad, good] = await Promise.allSettled([ingest(foreign), ingest(eventFor(fixture))]);
    expect(bad.status).toBe('rejected');
    expect(good).toMatchObject({ status: 'fulfilled', value: { outcome: 'accepted' } });
    expect(await counts(fixture.environmentId, fixture.tenantId)).toEqual({
      messages: 1,
      runs: 1,
      answers: 1,
      used: 1,
    });
  });
});

describe('idempotency', () => {
  it('accepts one of many concurrent events with one key, over the pools of two processes', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const second = openDatabase(database.url, { poolSize: 4 });
    const ingests = [createIngest(database.db), createIngest(second)];
    const key = randomUUID();
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, index) => ingests[index % 2]?.(eventFor(fixture, { key }))),
    );
    await second.$disconnect();
    expect(outcomes.filter((outcome) => outcome?.outcome === 'accepted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome?.outcome === 'duplicate')).toHaveLength(199);
    expect(await counts(fixture.environmentId, fixture.tenantId)).toEqual({
      messages: 1,
      runs: 1,
      answers: 1,
      used: 1,
    });
  });

  it('treats a key as new after 24 hours, and not earlier', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const ingest = createIngest(database.db);
    const event = eventFor(fixture);
    const age = (interval: string) =>
      database.db.$executeRawUnsafe(
        `UPDATE idempotency_records SET created_at = created_at - interval '${interval}',
           expires_at = expires_at - interval '${interval}' WHERE key = '${event.response.key}'`,
      );
    await ingest(event);
    await age('23 hours 59 minutes');
    expect(await ingest(event)).toEqual({ outcome: 'duplicate' });
    await age('1 minute 1 second');
    expect(await createStoredResponseLookup(database.db)(event.response)).toBeNull();
    expect((await ingest(eventFor(fixture, { key: event.response.key }))).outcome).toBe('accepted');
  });

  it('reports a key in progress if another transaction holds it too long', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const event = eventFor(fixture);
    const outcome = await whileHeld(storeKeyOf(event), () => createIngest(database.db)(event));
    expect(outcome).toEqual({ outcome: 'in_progress' });
  });

  it("reports a key in progress also while the tenant's usage row is locked", async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const ingest = createIngest(database.db);
    await ingest(eventFor(fixture));
    const event = eventFor(fixture);
    const outcome = await whileHeld(storeKeyOf(event), () =>
      whileHeld(
        (tx) =>
          tx.$executeRaw`SELECT FROM tenant_usage WHERE tenant_id = ${fixture.tenantId}::uuid FOR UPDATE`,
        () => ingest(event),
      ),
    );
    expect(outcome).toEqual({ outcome: 'in_progress' });
  });

  it('reports a wait for another row as an outage, not as a key in progress', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const [result] = await whileHeld(
      (tx) =>
        tx.$executeRaw`SELECT FROM channels WHERE environment_id = ${fixture.environmentId}::uuid FOR UPDATE`,
      () => Promise.allSettled([createIngest(database.db)(eventFor(fixture))]),
    );
    expect(result.status === 'rejected' && isDatabaseUnreachable(result.reason)).toBe(true);
    expect(await counts(fixture.environmentId, fixture.tenantId)).toMatchObject({
      messages: 0,
      answers: 0,
      used: 0,
    });
  });
});

describe('quota', () => {
  it('accepts exactly the remaining number of concurrent events', async () => {
    const fixture = await createFixture(database.db, { plan: { eventsPerMonth: 40 }, channels: [WEBHOOK] });
    const second = openDatabase(database.url, { poolSize: 4 });
    const ingests = [createIngest(database.db), createIngest(second)];
    const outcomes = await Promise.all(
      Array.from({ length: 400 }, (_, index) => ingests[index % 2]?.(eventFor(fixture))),
    );
    await second.$disconnect();
    expect(outcomes.filter((outcome) => outcome?.outcome === 'accepted')).toHaveLength(40);
    expect(outcomes.find((outcome) => outcome?.outcome === 'quota_exceeded')).toMatchObject({
      limit: 40,
      used: 40,
    });
    expect(await counts(fixture.environmentId, fixture.tenantId)).toEqual({
      messages: 40,
      runs: 40,
      answers: 40,
      used: 40,
    });
  });

  it("uses the plan's current limit, not that at the start of the request", async () => {
    const fixture = await createFixture(database.db, { plan: { eventsPerMonth: 1 }, channels: [WEBHOOK] });
    const ingest = createIngest(database.db);
    await ingest(eventFor(fixture));
    expect((await ingest(eventFor(fixture))).outcome).toBe('quota_exceeded');
    await database.db.plan.update({ where: { code: fixture.planCode ?? '' }, data: { eventsPerMonth: 2 } });
    expect((await ingest(eventFor(fixture))).outcome).toBe('accepted');
  });

  it('refuses a plan without any events', async () => {
    const fixture = await createFixture(database.db, { plan: { eventsPerMonth: 0 }, channels: [WEBHOOK] });
    expect(await createIngest(database.db)(eventFor(fixture))).toMatchObject({
      outcome: 'quota_exceeded',
      used: 0,
    });
  });
});

describe('a tenant whose usage row is locked', () => {
  it('gets "service unavailable", and does not delay events of other tenants', async () => {
    const [stuck, free] = await Promise.all([
      createFixture(database.db, { channels: [WEBHOOK] }),
      createFixture(database.db, { channels: [WEBHOOK] }),
    ]);
    const ingest = createIngest(database.db);
    await Promise.all([ingest(eventFor(stuck)), ingest(eventFor(free))]);
    const results = await database.db.$transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
      await tx.$executeRaw`SELECT FROM tenant_usage WHERE tenant_id = ${stuck.tenantId}::uuid FOR UPDATE`;
      const events = Array.from({ length: 20 }, (_, index) => eventFor(index % 2 === 0 ? stuck : free));
      return Promise.allSettled(events.map(ingest));
    });
    results.forEach((result, index) => {
      if (index % 2 === 1) expect(result).toMatchObject({ value: { outcome: 'accepted' } });
      else expect(result.status === 'rejected' && isDatabaseUnreachable(result.reason)).toBe(true);
    });
    expect(await counts(stuck.environmentId, stuck.tenantId)).toMatchObject({ messages: 1, used: 1 });
    expect(await counts(free.environmentId, free.tenantId)).toMatchObject({ messages: 11, used: 11 });
  });
});
