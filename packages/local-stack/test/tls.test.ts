import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  findSessionFault,
  isDatabaseUnreachable,
  listenForConfig,
  migrate,
  openDatabase,
} from '@postrider/db';
import { createTestDatabase, type TestDatabase, testRedisUrl } from '@postrider/db/testing';
import { openRedis } from '@postrider/queue';

const fileOf = (name: string) => fileURLToPath(new URL(`./tls/${name}`, import.meta.url));
const CERTIFICATE = fileOf('certificate.pem');
/** What a PostgreSQL client says before its first word over TLS. */
const SSL_REQUEST_BYTES = 8;

const servers: Server[] = [];
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const server of servers) server.close();
  await database.drop();
});

/** Speaks TLS before a server that does not; `greet` handles what comes before it. */
async function startTlsFront(target: URL, greet: (socket: Socket) => Promise<void>): Promise<string> {
  const server = createServer(async (socket) => {
    socket.on('error', () => undefined);
    await greet(socket);
    const secured = new TLSSocket(socket, {
      isServer: true,
      cert: readFileSync(CERTIFICATE),
      key: readFileSync(fileOf('key.pem')),
    });
    const upstream = connect(Number(target.port), target.hostname);
    secured.on('error', () => undefined).on('close', () => upstream.destroy());
    upstream.on('error', () => undefined).on('close', () => secured.destroy());
    secured.pipe(upstream).pipe(secured);
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(target.href);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return url.href;
}

async function acceptSslRequest(socket: Socket): Promise<void> {
  await once(socket, 'readable');
  socket.read(SSL_REQUEST_BYTES);
  socket.write('S');
}

describe('Redis over TLS', () => {
  const secured = async (parameters: string) => {
    const url = await startTlsFront(new URL(testRedisUrl()), async () => undefined);
    return openRedis(url.replace(/^redis:/, 'rediss:') + parameters, {
      whenAway: 'refuse',
      silenceLimitMs: 5_000,
    });
  };

  it('is used with the password of the URL and the authority that sslrootcert names', async () => {
    const redis = await secured(`?sslrootcert=${CERTIFICATE}`);
    await once(redis, 'ready');
    const key = `test-${randomUUID()}`;
    await redis.set(key, 'kept', 'PX', 10_000);
    expect(await redis.get(key)).toBe('kept');
    redis.disconnect();
  });

  it('is not used when no known authority vouches for the server', async () => {
    const redis = await secured('');
    const refusal = await new Promise((resolve) => redis.on('error', resolve));
    redis.disconnect();
    expect(refusal).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  });
});

describe('Postgres over TLS', () => {
  const secured = async (parameters: string) =>
    (await startTlsFront(new URL(database.url), acceptSslRequest)) + parameters;

  it('serves queries, migrations and notices by the authority that sslrootcert names', async () => {
    const url = await secured(`?sslmode=verify-full&sslrootcert=${CERTIFICATE}`);
    const db = openDatabase(url);
    expect(await findSessionFault(db)).toBeNull();
    expect(await db.$queryRaw`SELECT current_setting('TimeZone') AS zone`).toEqual([{ zone: 'UTC' }]);
    expect(await migrate(url)).toEqual([]);
    const listener = listenForConfig({ databaseUrl: url, onNotice: () => undefined, onGap: () => undefined });
    await listener.listening;
    await listener.close();
    await db.$disconnect();
  });

  it('is refused when no known authority vouches for the server', async () => {
    const db = openDatabase(await secured('?sslmode=verify-full'));
    const refusal = await db.$queryRaw`SELECT 1`.then(
      () => null,
      (error: unknown) => error,
    );
    await db.$disconnect();
    expect(String(refusal)).toContain('self-signed certificate');
    expect(isDatabaseUnreachable(refusal)).toBe(false);
  });
});
