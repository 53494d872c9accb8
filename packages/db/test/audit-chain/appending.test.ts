import { describe, expect, it } from '@postrider/testing';
import { Client } from 'pg';
import {
  acrossEnvironments,
  chainAuditEntries,
  migrate,
  openDatabase,
  readChainState,
  type UnboundDatabase,
} from '../../src/index.ts';
import { asOwner, createTestDatabase, migrateUntil } from '../../src/testing/index.ts';
import { chain, chained, database, key, problems, record, recordAll, useDatabase } from './support.ts';

useDatabase();

describe('appending to the chain', () => {
  it('gives an entry that commits late a later sequence', async () => {
    let commit = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let written = (): void => undefined;
    const isWritten = new Promise<void>((resolve) => {
      written = resolve;
    });
    const late = database.db.$transaction(async (tx) => {
      await record('late', asOwner(tx));
      written();
      await released;
    });
    await isWritten;
    await recordAll('early');
    expect(await chain()).toBe(1);
    commit();
    await late;
    expect(await chain()).toBe(1);
    expect(await chained()).toEqual(['early', 'late']);
    expect(await problems()).toEqual([]);
  });

  it('is done by one of several workers at a time, and each entry is chained once', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `r${index}`);
    let stop = false;
    const workers = [1, 2, 3].map(async () => {
      while (!stop) await chain(7);
    });
    await Promise.all(names.map((name) => record(name)));
    const isChained = async () => (await readChainState(database.db)).waiting === 0;
    while (!(await isChained()));
    stop = true;
    await Promise.all(workers);
    expect((await chained()).sort()).toEqual([...names].sort());
    expect(await problems()).toEqual([]);
  });

  it('does not delay changes, however long it takes', async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      await recordAll('a');
      // As a sweep whose transaction does not end: it has the lock, and has taken the entry.
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock(7205759405)');
      await client.query('DELETE FROM audit_unchained');
      await client.query("INSERT INTO audit_chain VALUES (1, gen_random_uuid(), '', now())");
      await Promise.all([record('b'), record('c')]);
      expect(await chain()).toBe(0);
      await client.query('ROLLBACK');
    } finally {
      await client.end();
    }
    expect(await chain()).toBe(3);
    expect(await problems()).toEqual([]);
  });

  it('leaves everything to the next worker if a worker is lost before it commits', async () => {
    await recordAll('a', 'b', 'c');
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const lost = openDatabase(database.url, { poolSize: 1 }) as UnboundDatabase;
    try {
      // The sweep waits at its last statement, with the entries read.
      await client.query('BEGIN');
      await client.query('LOCK TABLE audit_unchained IN SHARE MODE');
      const sweep = chainAuditEntries({ db: lost, key }, 10).catch((error: unknown) => error);
      const end = () => database.db.$queryRaw<{ ended: boolean }[]>`
        SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO audit_chain%'`;
      while ((await end()).length === 0);
      expect(await sweep).toBeInstanceOf(Error);
      await client.query('ROLLBACK');
    } finally {
      await Promise.all([client.end(), lost.$disconnect()]);
    }
    expect((await readChainState(database.db)).head).toBeNull();
    expect(await chain()).toBe(3);
    expect(await chained()).toEqual(['a', 'b', 'c']);
    expect(await problems()).toEqual([]);
  });
});

describe('the tables', () => {
  it.each([
    'UPDATE audit_chain SET hash = hash',
    'DELETE FROM audit_chain',
    'TRUNCATE audit_chain',
    'DELETE FROM audit_log',
    'TRUNCATE audit_log',
  ])('are append only: %s', async (statement) => {
    await recordAll('a');
    await chain();
    await expect(database.db.$executeRawUnsafe(statement)).rejects.toThrow('append only');
  });

  it('let the API read the chain and the worker append to it', async () => {
    const [ofApi, ofWorker] = [
      openDatabase(database.urlFor('postrider_api'), { poolSize: 1 }),
      openDatabase(database.urlFor('postrider_worker'), { poolSize: 1 }),
    ];
    const [api, worker] = [acrossEnvironments(ofApi), acrossEnvironments(ofWorker)];
    try {
      await record('a', api);
      await record('b', worker);
      expect((await chainAuditEntries({ db: worker, key }, 10)).links).toBe(2);
      expect(await problems({ db: api, key })).toEqual([]);
      await expect(
        api.$executeRaw`INSERT INTO audit_chain VALUES (3, gen_random_uuid(), '', now())`,
      ).rejects.toThrow();
      await expect(api.$executeRaw`DELETE FROM audit_unchained`).rejects.toThrow();
      await expect(worker.$executeRaw`UPDATE audit_chain SET hash = ''`).rejects.toThrow();
      await expect(worker.$executeRaw`DELETE FROM audit_chain`).rejects.toThrow();
    } finally {
      await Promise.all([ofApi.$disconnect(), ofWorker.$disconnect()]);
    }
  });
});

it('chains entries from before the upgrade', async () => {
  const own = await createTestDatabase({ empty: true });
  const client = new Client({ connectionString: own.url });
  try {
    await migrateUntil(own.url, '20261121130520_removed_deliveries_bigint');
    await client.connect();
    await client.query(
      `INSERT INTO audit_log (id, actor, action, resource_type, resource_id)
       VALUES (gen_random_uuid(), 'ada', 'plan.created', 'plan', 'old')`,
    );
    await migrate(own.url);
    expect((await chainAuditEntries({ db: own.db, key }, 10)).links).toBe(1);
    expect(await problems({ db: own.db, key })).toEqual([]);
  } finally {
    await client.end();
    await own.drop();
  }
});
