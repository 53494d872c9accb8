import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { findSessionFault, openDatabase } from '../src/index.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** What commits wait for, and the fault of the sessions, where the database has this default. */
async function observe(setting: string, parameters = '') {
  const name = new URL(database.url).pathname.slice(1);
  await database.db.$executeRawUnsafe(`ALTER DATABASE "${name}" SET synchronous_commit = ${setting}`);
  const db = openDatabase(database.url + parameters, { poolSize: 1 });
  const [row] = await db.$queryRaw<
    { level: string }[]
  >`SELECT current_setting('synchronous_commit') AS level`;
  const fault = await findSessionFault(db);
  await db.$disconnect();
  return { level: row?.level, fault };
}

describe('a commit', () => {
  it('waits for the disk, whatever the database, the role or the server has for a default', async () => {
    expect(await observe('off')).toEqual({ level: 'on', fault: null });
  });

  it.each(['local', 'remote_write', 'on', 'remote_apply'])(
    'waits for standbys as the operator has set it: %s',
    async (level) => {
      expect(await observe(level)).toEqual({ level, fault: null });
    },
  );

  it('that does not wait for the disk is a fault where a pooler keeps the sessions', async () => {
    expect((await observe('off', '?pgbouncer=true')).fault).toContain("synchronous_commit = 'on'");
    expect((await observe('local', '?pgbouncer=true')).fault).not.toContain('synchronous_commit');
  });
});
