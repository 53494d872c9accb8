import { startTcpProxy } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { Client } from 'pg';
import {
  createIngest,
  databaseErrorCodes,
  describeOutage,
  isDatabaseUnreachable,
  listenForConfig,
  openDatabase,
  openPooledDatabase,
  type UnboundDatabase,
} from '../src/index.ts';
import {
  asOwner,
  createFixture,
  createOwnerClaim,
  createTestDatabase,
  type TestDatabase,
} from '../src/testing/index.ts';
import { accepted, eventFor, onlyRun, translateSeverities, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('a network that drops all packets', () => {
  it('is an outage that ends the wait, leaves no partial result, and needs no restart', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const network = await startTcpProxy(database.url);
    const db = openDatabase(network.url, { poolSize: 2, silenceLimitMs: 3_000 });
    try {
      const ingest = createIngest(db);
      expect((await ingest(eventFor(fixture))).outcome).toBe('accepted');
      network.set('swallow');
      const error = await ingest(eventFor(fixture)).catch((thrown: unknown) => thrown);
      expect(isDatabaseUnreachable(error)).toBe(true);
      network.set(null);
      expect((await ingest(eventFor(fixture))).outcome).toBe('accepted');
      expect(await database.db.message.count({ where: { environmentId: fixture.environmentId } })).toBe(2);
    } finally {
      await db.$disconnect();
      await network.close();
    }
  });

  it('is an outage for a connection that gets no answer', async () => {
    const network = await startTcpProxy(database.url);
    network.set('swallow');
    const client = new Client({ connectionString: network.url, connectionTimeoutMillis: 50 });
    const error = await client.connect().catch((thrown: unknown) => thrown);
    expect([isDatabaseUnreachable(error), describeOutage(error)]).toEqual([true, 'unreachable']);
    await network.close();
  });

  it('does not delay the exit of the process', async () => {
    const network = await startTcpProxy(database.url);
    const db = openDatabase(network.url, { poolSize: 1, silenceLimitMs: 600_000 });
    await db.$queryRaw`SELECT 1`;
    network.set('swallow');
    const unanswered = db.$queryRaw`SELECT 1`.catch((thrown: unknown) => thrown);
    await new Promise(setImmediate);
    await db.$disconnect();
    expect(isDatabaseUnreachable(await unanswered)).toBe(true);
    await network.close();
  });

  it('closes the idle connections with one that stopped responding', async () => {
    const network = await startTcpProxy(database.url);
    const { db, poolUse } = openPooledDatabase(network.url, { poolSize: 2, silenceLimitMs: 1_000 });
    try {
      await Promise.all([db.$queryRaw`SELECT pg_backend_pid()`, db.$queryRaw`SELECT 1`]);
      expect(poolUse()).toMatchObject({ idle: 2 });
      network.set('swallow');
      const error = await db.$queryRaw`SELECT 1`.catch((thrown: unknown) => thrown);
      expect(isDatabaseUnreachable(error)).toBe(true);
      while (poolUse().idle > 0) await new Promise(setImmediate);
    } finally {
      await db.$disconnect();
      await network.close();
    }
  });
});

describe('an error of a statement that quotes the text of a TLS failure', () => {
  it('is no outage', async () => {
    const text = 'There was an error establishing an SSL connection';
    const error = await database.db.$queryRaw`SELECT ${text}::text::int`.catch((thrown: unknown) => thrown);
    expect(databaseErrorCodes(error)).toContain('22P02');
    expect([isDatabaseUnreachable(error), describeOutage(error)]).toEqual([false, null]);
  });
});

describe('a statement that takes too long', () => {
  it('is cancelled by PostgreSQL and counts as an outage', async () => {
    const db = openDatabase(database.url);
    try {
      const error = await db.$transaction(async (tx) => {
        await tx.$executeRaw`SET LOCAL statement_timeout = 50`;
        return tx.$queryRaw`SELECT pg_sleep(60)`.catch((thrown: unknown) => thrown);
      });
      expect(isDatabaseUnreachable(error)).toBe(true);
      const [limits] = await db.$queryRaw<object[]>`
        SELECT current_setting('statement_timeout') AS statement,
               current_setting('idle_in_transaction_session_timeout') AS idle`;
      expect(limits).toEqual({ statement: '10s', idle: '3s' });
    } finally {
      await db.$disconnect();
    }
  });
});

describe('a session that PostgreSQL refuses', () => {
  it('counts as an outage, whatever its code and the language of the server', async () => {
    const closed = await createTestDatabase();
    const name = new URL(closed.url).pathname.slice(1);
    const server = await startTcpProxy(closed.url, { alter: translateSeverities });
    const db = openDatabase(server.url) as UnboundDatabase;
    const event = eventFor(await createFixture(closed.db, { channels: [WEBHOOK] }));
    const allow = (allowed: boolean) =>
      database.db.$executeRawUnsafe(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${allowed}`);
    try {
      await allow(false);
      for (const use of [
        () => createIngest(db)(event),
        () => db.message.count(),
        () => db.$transaction((tx) => tx.$queryRaw`SELECT 1`),
      ]) {
        const error = await use().catch((thrown: unknown) => thrown);
        expect(databaseErrorCodes(error)).toContain('55000');
        expect(isDatabaseUnreachable(error)).toBe(true);
        expect(describeOutage(error)).toBe('unreachable');
      }
      await allow(true);
      expect((await createIngest(db)(event)).outcome).toBe('accepted');
    } finally {
      await db.$disconnect();
      await server.close();
      await closed.drop();
    }
  });
});

describe('the listener for changes', () => {
  it('closes even if the network drops all packets', async () => {
    const network = await startTcpProxy(database.url);
    const listener = listenForConfig({
      databaseUrl: network.url,
      onNotice: () => undefined,
      onGap: () => undefined,
    });
    await listener.listening;
    network.set('swallow');
    await listener.close();
    await network.close();
  });
});

it('a process without a descriptor for a connection cannot reach PostgreSQL', () => {
  const error = Object.assign(new Error('connect EMFILE 127.0.0.1:5432'), { code: 'EMFILE' });
  expect(isDatabaseUnreachable(error)).toBe(true);
});

describe('a database with settings of its own', () => {
  it.each([
    ['TimeZone', 'Europe/Berlin'],
    ['TimeZone', 'America/New_York'],
    ['DateStyle', 'German, DMY'],
    ['DateStyle', 'SQL, DMY'],
    ['default_transaction_isolation', 'serializable'],
  ])('does not move schedules or change transactions (%s %s)', async (name, value) => {
    const abroad = await createTestDatabase();
    try {
      await abroad.db.$executeRawUnsafe(
        `ALTER DATABASE ${new URL(abroad.url).pathname.slice(1)} SET ${name} = '${value}'`,
      );
      const db = openDatabase(abroad.url, { poolSize: 2 });
      expect(await db.$queryRaw`SELECT current_setting('transaction_isolation') AS level`).toEqual([
        { level: 'read committed' },
      ]);
      const fixture = await createFixture(asOwner(db), { channels: [WEBHOOK] });
      const scheduleAt = new Date(Date.now() + 1_800_000);
      const outcome = accepted(await createIngest(db)(eventFor(fixture, { scheduleAt })));
      expect(outcome.wakeUps[0]?.delayMs).toBeGreaterThan(1_790_000);
      expect(outcome.wakeUps[0]?.delayMs).toBeLessThanOrEqual(1_800_000);
      const runId = onlyRun(outcome);
      expect(await createOwnerClaim(asOwner(db))({ runId, attemptId: runId })).toMatchObject({
        outcome: 'not_due',
      });
      const run = await db.deliveryRun.findUniqueOrThrow({ where: { id: runId } });
      expect(run).toMatchObject({ status: 'scheduled', scheduledAt: scheduleAt });
      await db.$disconnect();
    } finally {
      await abroad.drop();
    }
  });
});
