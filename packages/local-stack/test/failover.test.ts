import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listenForConfig, migrate, openDatabase, readDatabaseState, supersededIndexes } from '@postrider/db';
import { waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type PostgresServer, startPostgres } from '../src/index.ts';

const SETTINGS = { durable: false } as const;

let directory: string;
let primary: PostgresServer;
let standby: PostgresServer;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'postrider-failover-'));
  const first = await startPostgres({ ...SETTINGS, directory, removeWhenOrphaned: [directory] });
  await first.stop();
  directory = first.directory;
  const copy = join(directory, 'standby');
  await mkdir(copy);
  // fs.cp would not keep the owner.
  await promisify(execFile)('cp', ['-a', join(directory, 'data'), join(directory, 'password'), copy]);
  primary = await startPostgres({ ...SETTINGS, directory, removeWhenOrphaned: [directory] });
  const { username: user, password, port } = new URL(primary.url);
  await writeFile(join(copy, 'data', 'standby.signal'), '');
  await appendFile(
    join(copy, 'data', 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=${user} password=${password}'\n`,
  );
  standby = await startPostgres({ ...SETTINGS, directory: copy, removeWhenOrphaned: [directory] });
});
afterAll(async () => {
  await standby?.stop();
  await primary?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** The URL of both servers, the standby first. */
const both = (parameters: string) =>
  primary.url.replace(/@.*$/, `@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres${parameters}`);

describe('a URL of several servers with target_session_attrs', () => {
  it('leads migrations, statements, transactions and notices to the primary, before and after a failover', async () => {
    const url = both('?target_session_attrs=read-write');
    expect(await migrate(url, { finish: true })).not.toEqual([]);
    expect(await supersededIndexes(url)).toEqual([]);

    const db = openDatabase(url, { poolSize: 2 });
    const notices: string[] = [];
    let gaps = 0;
    const listener = listenForConfig({
      databaseUrl: url,
      onNotice: (notice) => notices.push(notice),
      onGap: () => {
        gaps += 1;
      },
    });
    const write = () =>
      db.$transaction((tx) => tx.$executeRaw`INSERT INTO plans (code, name) VALUES (gen_random_uuid(), 'a')`);
    const notify = (text: string) => db.$executeRaw`SELECT pg_notify('postrider_config', ${text})`;
    const isNoticed = (text: string) => waitFor(`the notice ${text}`, () => notices.includes(text));
    try {
      await listener.listening;
      await write();
      await notify('before');
      await isNoticed('before');
      const behind = openDatabase(standby.url, { poolSize: 1 });
      await waitFor('the standby to have the row', async () => (await behind.plan.count()) > 0);
      expect(await readDatabaseState(behind)).toEqual({ problem: 'read-only', pending: 0 });

      await db.$executeRawUnsafe("ALTER SYSTEM SET synchronous_standby_names = 'absent'");
      await db.$queryRaw`SELECT pg_reload_conf()`;
      let hasEnded = true;
      let waiting: Promise<unknown> = Promise.resolve();
      await waitFor('a commit to wait for 5 s', async () => {
        // PostgreSQL's processes read the setting some time after the call: a commit before that does not wait.
        if (hasEnded) {
          hasEnded = false;
          waiting = write().finally(() => {
            hasEnded = true;
          });
        }
        const [row] = await db.$queryRaw<{ waits: boolean }[]>`
          SELECT EXISTS (SELECT FROM pg_stat_activity
                          WHERE wait_event = 'SyncRep' AND state_change < clock_timestamp() - interval '5 s') AS waits`;
        return row?.waits;
      });
      // Its statement may have worked for most of that time.
      expect(await readDatabaseState(db)).toEqual({ problem: null, pending: 0 });
      expect(await readDatabaseState(db)).toEqual({ problem: 'no synchronous standby', pending: 0 });
      await db.$executeRawUnsafe("ALTER SYSTEM SET synchronous_standby_names = ''");
      await db.$queryRaw`SELECT pg_reload_conf()`;
      await waiting;
      expect(await readDatabaseState(db)).toEqual({ problem: null, pending: 0 });

      await primary.kill();
      await expect(write()).rejects.toThrow();
      await behind.$queryRaw`SELECT pg_promote()`;
      await behind.$disconnect();
      await waitFor('a write to the new primary', () => write().then(() => true));
      await waitFor('the listener to connect again', () => gaps > 1);
      await notify('after');
      await isNoticed('after');
      expect(await readDatabaseState(db)).toEqual({ problem: null, pending: 0 });
      expect(await migrate(url)).toEqual([]);
    } finally {
      await listener.close();
      await db.$disconnect();
    }
  });
});
