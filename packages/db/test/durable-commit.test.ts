import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { findSessionWarning, openDatabase } from '../src/index.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** What commits wait for, and the issue of the sessions, where the database has this default. */
async function observe(setting: string, parameters = '') {
  const name = new URL(database.url).pathname.slice(1);
  await database.db.$executeRawUnsafe(`ALTER DATABASE "${name}" SET synchronous_commit = ${setting}`);
  const db = openDatabase(database.url + parameters, { poolSize: 1 });
  const [row] = await db.$queryRaw<
    { level: string }[]
  >`SELECT current_setting('synchronous_commit') AS level`;
  const issue = await findSessionWarning(db);
  await db.$disconnect();
  return { level: row?.level, issue };
}

describe('a commit', () => {
  it('waits for the disk, regardless of defaults of the database, the role or the server', async () => {
    expect(await observe('off')).toEqual({ level: 'on', issue: null });
  });

  it.each(['local', 'remote_write', 'on', 'remote_apply'])(
    'waits for standbys as the operator has set it: %s',
    async (level) => {
      expect(await observe(level)).toEqual({ level, issue: null });
    },
  );

  it('that does not wait for the disk is reported if a pooler keeps the sessions', async () => {
    expect((await observe('off', '?pgbouncer=true')).issue).toContain("synchronous_commit = 'on'");
    expect((await observe('local', '?pgbouncer=true')).issue).not.toContain('synchronous_commit');
  });
});
