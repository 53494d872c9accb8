import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { createAuthority } from '@postrider/rig/certificates';
import { describe, expect, it } from '@postrider/testing';
import { Client } from 'pg';
import { describeOutage, isDatabaseUnreachable, openDatabase } from '../src/index.ts';

type Problem = 'a certificate of another authority' | 'no TLS' | 'no common protocol';

/** A server that answers PostgreSQL's request for TLS, and has this problem with it. */
async function startTlsServer(problem: Problem) {
  const identity = await (await createAuthority('another')).issue('postgres');
  const secureContext = createSecureContext({ key: identity.privateKey, cert: identity.certificate });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(problem === 'no TLS' ? 'N' : 'S');
      if (problem === 'no common protocol')
        socket.once('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
      if (problem !== 'a certificate of another authority') return;
      new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => undefined);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgresql://user:password@127.0.0.1:${port}/postrider?sslmode=verify-full`,
    stop: () => server.close(),
  };
}

describe('a server whose TLS is refused', () => {
  it.each<Problem>(['a certificate of another authority', 'no TLS', 'no common protocol'])(
    'is an outage, so that requests get 503 and results are written later: %s',
    async (problem) => {
      const server = await startTlsServer(problem);
      const client = new Client({ connectionString: server.url });
      const db = openDatabase(server.url, { poolSize: 1 });
      const errors: unknown[] = [
        await client.connect().catch((thrown: unknown) => thrown),
        await db.$queryRaw`SELECT 1`.catch((thrown: unknown) => thrown),
        await db.plan.count().catch((thrown: unknown) => thrown),
      ];
      await db.$disconnect();
      server.stop();
      expect(errors.map((error) => [isDatabaseUnreachable(error), describeOutage(error)])).toEqual(
        errors.map(() => [true, 'TLS failed']),
      );
    },
  );
});
