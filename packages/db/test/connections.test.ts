import { EventEmitter, once } from 'node:events';
import { startTcpProxy } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  isDatabaseUnreachable,
  listenForConfig,
  openDatabase,
  openPooledDatabase,
  type UnboundDatabase,
} from '../src/index.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('connections that fall silent after a quiet period', () => {
  const isUp = (db: Pick<UnboundDatabase, '$queryRaw'>) => db.$queryRaw`SELECT 1 AS up`;
  const UP = [{ up: 1 }];

  /** Lets a second pass in PostgreSQL, which is longer than the limits below. */
  const quietSecond = () => database.db.$queryRaw`SELECT pg_sleep(1)::text`;

  it('are given up within the limit, although an earlier quiet period was longer', async () => {
    const network = await startTcpProxy(database.url);
    const db = openDatabase(network.url, { poolSize: 1, silenceLimitMs: 500, trustedIdleMs: 600_000 });
    try {
      await isUp(db);
      await quietSecond();
      network.silence();
      const error = await isUp(db).catch((thrown: unknown) => thrown);
      expect(isDatabaseUnreachable(error)).toBe(true);
      expect(await isUp(db)).toEqual(UP);
    } finally {
      await db.$disconnect();
      await network.close();
    }
  });

  it('are replaced before a statement is sent on them', async () => {
    const network = await startTcpProxy(database.url);
    const { db, poolUse } = openPooledDatabase(network.url, {
      poolSize: 3,
      silenceLimitMs: 600_000,
      trustedIdleMs: 500,
    });
    try {
      const three = () => Promise.all([isUp(db), isUp(db), db.$transaction(isUp)]);
      await three();
      expect(poolUse()).toMatchObject({ idle: 3 });
      await quietSecond();
      network.silence();
      expect(await three()).toEqual([UP, UP, UP]);
    } finally {
      await db.$disconnect();
      await network.close();
    }
  });

  it('are replaced if they listen for changes, and what they missed is reported as a gap', async () => {
    const network = await startTcpProxy(database.url);
    const events = new EventEmitter();
    const first = once(events, 'gap');
    const listener = listenForConfig({
      databaseUrl: network.url,
      onNotice: () => undefined,
      onGap: () => events.emit('gap'),
      heartbeatMs: 100,
    });
    try {
      await first;
      const second = once(events, 'gap');
      network.silence();
      await second;
    } finally {
      await listener.close();
      await network.close();
    }
  });
});

describe('a connection that talks for ever', () => {
  it('does not keep its statement waiting, and is replaced', async () => {
    const db = openDatabase(database.url, { poolSize: 1, silenceLimitMs: 1_000 });
    const talk = `DO $$ BEGIN
      LOOP RAISE NOTICE 'still here'; PERFORM pg_sleep(0.1); END LOOP; END $$`;
    try {
      const error = await db.$executeRawUnsafe(talk).catch((thrown: unknown) => thrown);
      expect(isDatabaseUnreachable(error)).toBe(true);
      expect(await db.$queryRaw`SELECT 1 AS up`).toEqual([{ up: 1 }]);
    } finally {
      await db.$disconnect();
    }
  });
});

describe('an idle connection', () => {
  it('is kept longer than a statement may take', async () => {
    const silenceLimitMs = 100;
    const db = openDatabase(database.url, { poolSize: 1, silenceLimitMs });
    const pid = () => db.$queryRaw`SELECT pg_backend_pid() AS pid`;
    try {
      const first = await pid();
      await database.db.$executeRaw`SELECT pg_sleep(${(3 * silenceLimitMs) / 1_000}::float8)`;
      expect(await pid()).toEqual(first);
    } finally {
      await db.$disconnect();
    }
  });
});

describe('the pool of connections', () => {
  it('reports total and idle connections, and waiting callers', async () => {
    const { db, poolUse } = openPooledDatabase(database.url, { poolSize: 1 });
    try {
      expect(poolUse()).toEqual({ max: 1, inUse: 0, idle: 0, waiting: 0 });
      let other: Promise<unknown> = Promise.resolve();
      await db.$transaction(async (tx) => {
        await tx.$queryRaw`SELECT 1`;
        other = db.$queryRaw`SELECT 1`.then(() => undefined);
        while (poolUse().waiting === 0) await new Promise(setImmediate);
        expect(poolUse()).toEqual({ max: 1, inUse: 1, idle: 0, waiting: 1 });
      });
      await other;
      while (poolUse().idle === 0) await new Promise(setImmediate);
      expect(poolUse()).toEqual({ max: 1, inUse: 0, idle: 1, waiting: 0 });
    } finally {
      await db.$disconnect();
    }
  });
});

describe('a connection that PostgreSQL closes', () => {
  const terminate = (pid: number) => database.db.$executeRaw`SELECT pg_terminate_backend(${pid}::int)`;
  const pidOf = async (db: Pick<UnboundDatabase, '$queryRaw'>) => {
    const [row] = await db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    return row?.pid ?? 0;
  };

  it('inside a transaction counts as an outage', async () => {
    const db = openDatabase(database.url, { poolSize: 1 });
    try {
      const error = await db
        .$transaction(async (tx) => {
          await terminate(await pidOf(tx));
          await tx.$queryRaw`SELECT 1`.catch(() => undefined);
          return tx.$queryRaw`SELECT 1`;
        })
        .catch((thrown: unknown) => thrown);
      expect(isDatabaseUnreachable(error)).toBe(true);
    } finally {
      await db.$disconnect();
    }
  });

  it('while idle is replaced, and does not end the process', async () => {
    const db = openDatabase(database.url, { poolSize: 1 });
    try {
      const pid = await pidOf(db);
      await terminate(pid);
      let next = pid;
      while (next === pid || next === 0) next = await pidOf(db).catch(() => 0);
      expect(next).not.toBe(pid);
    } finally {
      await db.$disconnect();
    }
  });
});
