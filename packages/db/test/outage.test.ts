import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createIngest, isDatabaseUnreachable, openDatabase } from '../src/index.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../src/testing/index.ts';
import { eventFor, WEBHOOK } from './support.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A way to Postgres that can swallow everything, as a network partition does: connections stay open and nothing arrives. */
async function openFreezableWay(): Promise<{
  url: string;
  freeze: (frozen: boolean) => void;
  server: Server;
}> {
  const target = new URL(database.url);
  let isFrozen = false;
  const pass = (from: Socket, to: Socket) => from.on('data', (chunk) => isFrozen || to.write(chunk));
  const server = createServer((client) => {
    const upstream = createConnection({ host: target.hostname, port: Number(target.port) });
    pass(client, upstream);
    pass(upstream, client);
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(database.url);
  url.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    url: url.href,
    server,
    freeze: (frozen) => {
      isFrozen = frozen;
    },
  };
}

describe('a network that swallows everything', () => {
  it('is an outage that ends the wait, leaves nothing half-done, and passes without a restart', async () => {
    const fixture = await createFixture(database.db, { channels: [WEBHOOK] });
    const way = await openFreezableWay();
    const db = openDatabase(way.url, { poolSize: 2, silenceLimitMs: 300 });
    try {
      const ingest = createIngest(db);
      expect((await ingest(eventFor(fixture))).outcome).toBe('accepted');
      way.freeze(true);
      const error = await ingest(eventFor(fixture)).catch((thrown: unknown) => thrown);
      expect(isDatabaseUnreachable(error)).toBe(true);
      way.freeze(false);
      expect((await ingest(eventFor(fixture))).outcome).toBe('accepted');
      expect(await database.db.message.count({ where: { environmentId: fixture.environmentId } })).toBe(2);
    } finally {
      await db.$disconnect();
      way.server.close();
    }
  });
});

describe('a statement that takes too long', () => {
  it('is ended by Postgres and counts as an outage', async () => {
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
      expect(limits).toEqual({ statement: '10s', idle: '10s' });
    } finally {
      await db.$disconnect();
    }
  });
});
