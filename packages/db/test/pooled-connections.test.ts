import { startTcpProxy, type TcpProxy } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { findSessionWarning, migrate, openDatabase } from '../src/index.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

const proxies: TcpProxy[] = [];
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const proxy of proxies) await proxy.close();
  await database.drop();
});

/** All that a client of this URL says to Postgres for two queries, and the zone that its sessions have. */
async function overheard(parameters: string) {
  const said: Buffer[] = [];
  const proxy = await startTcpProxy(database.url + parameters, { onSent: (chunk) => said.push(chunk) });
  proxies.push(proxy);
  const db = openDatabase(proxy.url, { poolSize: 1 });
  const zones = [1, 2].map(() => db.$queryRaw`SELECT current_setting('TimeZone') AS zone`);
  const answers = await Promise.all(zones);
  const issue = await findSessionWarning(db);
  await db.$disconnect();
  return { text: Buffer.concat(said).toString('latin1'), answers, issue };
}

const UTC = [[{ zone: 'UTC' }], [{ zone: 'UTC' }]];
const NAMED_STATEMENT = /postrider_\d/;

describe('connections to Postgres', () => {
  it('have the settings of a session, and named statements', async () => {
    const { text, answers, issue } = await overheard('');
    expect(text).toContain('options');
    expect(text).toMatch(NAMED_STATEMENT);
    expect([answers, issue]).toEqual([UTC, null]);
  });

  it('omit settings that PgBouncer refuses or drops if the URL declares it', async () => {
    const { text, answers, issue } = await overheard('?pgbouncer=true');
    expect(text).not.toContain('options');
    expect(text).not.toMatch(NAMED_STATEMENT);
    expect(answers).toEqual(UTC);
    expect(issue).toContain("statement_timeout = '10s'");
  });

  it('through PgBouncer are refused by a migration', async () => {
    await expect(migrate(`${database.url}?pgbouncer=true`)).rejects.toThrow('through PgBouncer');
  });
});
