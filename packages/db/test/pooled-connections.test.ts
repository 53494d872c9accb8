import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findSessionFault, migrate, openDatabase } from '../src/index.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

const servers: Server[] = [];
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const server of servers) server.close();
  await database.drop();
});

/** All that a client of this URL says to Postgres for two queries, and the zone that its sessions have. */
async function overheard(parameters: string) {
  const target = new URL(database.url);
  const said: Buffer[] = [];
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    client.on('data', (chunk) => said.push(chunk)).pipe(upstream);
    upstream.pipe(client);
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(database.url + parameters);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const db = openDatabase(url.href, { poolSize: 1 });
  const zones = [1, 2].map(() => db.$queryRaw`SELECT current_setting('TimeZone') AS zone`);
  const answers = await Promise.all(zones);
  const fault = await findSessionFault(db);
  await db.$disconnect();
  return { text: Buffer.concat(said).toString('latin1'), answers, fault };
}

const UTC = [[{ zone: 'UTC' }], [{ zone: 'UTC' }]];
const NAMED_STATEMENT = /postrider_\d/;

describe('connections to Postgres', () => {
  it('carry the settings of a session, and name their statements', async () => {
    const { text, answers, fault } = await overheard('');
    expect(text).toContain('options');
    expect(text).toMatch(NAMED_STATEMENT);
    expect([answers, fault]).toEqual([UTC, null]);
  });

  it('leave out what PgBouncer refuses or loses when the URL says that it lends them', async () => {
    const { text, answers, fault } = await overheard('?pgbouncer=true');
    expect(text).not.toContain('options');
    expect(text).not.toMatch(NAMED_STATEMENT);
    expect(answers).toEqual(UTC);
    expect(fault).toContain("statement_timeout = '10s'");
  });

  it('are not lent to a migration', async () => {
    await expect(migrate(`${database.url}?pgbouncer=true`)).rejects.toThrow('through PgBouncer');
  });
});
