import { once } from 'node:events';
import type { Socket } from 'node:net';
import {
  findSessionWarning,
  isDatabaseUnreachable,
  listenForConfig,
  migrate,
  openDatabase,
} from '@postrider/db';
import { createTestDatabase, type TestDatabase } from '@postrider/db/testing';
import { startTlsFront, TLS_FRONT_CERTIFICATE, type TlsFront } from '@postrider/rig/servers';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';

/** The length of the message with which a PostgreSQL client asks for TLS. */
const SSL_REQUEST_BYTES = 8;

async function acceptSslRequest(socket: Socket): Promise<void> {
  await once(socket, 'readable');
  socket.read(SSL_REQUEST_BYTES);
  socket.write('S');
}

let database: TestDatabase;
let front: TlsFront;
beforeAll(async () => {
  database = await createTestDatabase();
  front = await startTlsFront(database.url, acceptSslRequest);
});
afterAll(async () => {
  front.close();
  await database.drop();
});

describe('Postgres over TLS', () => {
  it('serves queries, migrations and notifications with the authority in sslrootcert', async () => {
    const url = `${front.url}?sslmode=verify-full&sslrootcert=${TLS_FRONT_CERTIFICATE}`;
    const db = openDatabase(url);
    expect(await findSessionWarning(db)).toBeNull();
    expect(await db.$queryRaw`SELECT current_setting('TimeZone') AS zone`).toEqual([{ zone: 'UTC' }]);
    expect(await migrate(url)).toEqual([]);
    const listener = listenForConfig({ databaseUrl: url, onNotice: () => undefined, onGap: () => undefined });
    await listener.listening;
    await listener.close();
    await db.$disconnect();
  });

  it('is refused as an outage if the certificate of the server has an unknown issuer', async () => {
    const db = openDatabase(`${front.url}?sslmode=verify-full`);
    const refusal = await db.$queryRaw`SELECT 1`.then(
      () => null,
      (error: unknown) => error,
    );
    await db.$disconnect();
    expect(String(refusal)).toContain('self-signed certificate');
    expect(isDatabaseUnreachable(refusal)).toBe(true);
  });
});
