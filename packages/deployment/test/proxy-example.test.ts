import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFixture, createTestDatabase, type TestDatabase, testRedisUrl } from '@postrider/db/testing';
import { ROOT, startTestService, type TestService } from '@postrider/local-stack/testing';
import { startTcpProxy, type TcpProxy, waitFor } from '@postrider/rig';
import {
  cacheDirectoryOf,
  chooseFreePort,
  type Found,
  findOnPath,
  libraryDirectories,
  type Program,
  type ProgramOptions,
  startProgram,
  unpackDebian,
} from '@postrider/rig/servers';
import { afterAll, beforeAll, describeWith, expect, it } from '@postrider/testing';

const COMMAND = 'usr/sbin/haproxy';

/** The program, installed or unpacked from its Debian package. */
async function findHaproxy(): Promise<Found<Pick<ProgramOptions, 'command' | 'env'>>> {
  const installed = await findOnPath(`${process.env.PATH ?? ''}:/usr/sbin`, ['haproxy']);
  if (installed) return { ok: true, value: { command: installed } };
  const haproxy = { packageName: 'haproxy', markers: [COMMAND] };
  const unpacked = await unpackDebian(haproxy, join(cacheDirectoryOf(process.env), 'haproxy'));
  if (!unpacked.ok) return unpacked;
  const libraries = (await libraryDirectories(unpacked.value)).join(':');
  const env = { ...process.env, LD_LIBRARY_PATH: libraries };
  return { ok: true, value: { command: join(unpacked.value, COMMAND), env } };
}

describeWith(await findHaproxy(), 'the example configuration of HAProxy', (haproxy) => {
  const services: TestService[] = [];
  let directory: string;
  let database: TestDatabase;
  let network: TcpProxy;
  let program: Program;
  let url: string;
  let token: string;

  /** The documented text, with the addresses of these processes. */
  async function configure(port: number): Promise<string> {
    const page = await readFile(join(ROOT, 'docs', 'deploying.md'), 'utf8');
    const [, example = ''] = /```haproxy\n(.*?)```/s.exec(page) ?? [];
    return services.reduce(
      (text, { api }, index) => {
        const address = `10.0.0.${11 + index}:3000`;
        const metricsPort = new URL(api.metricsUrl).port;
        return text
          .replaceAll(`${address} check port 9464`, `${new URL(api.url).host} check port ${metricsPort}`)
          .replaceAll(address, new URL(api.url).host);
      },
      example.replace('bind :8080', `bind 127.0.0.1:${port}`),
    );
  }

  beforeAll(async () => {
    database = await createTestDatabase();
    ({ token } = await createFixture(database.db));
    network = await startTcpProxy(database.url);
    const options = { databaseUrl: network.url, redisUrl: testRedisUrl() };
    services.push(...(await Promise.all([startTestService(options), startTestService(options)])));
    const port = await chooseFreePort();
    url = `http://127.0.0.1:${port}`;
    directory = await mkdtemp(join(tmpdir(), 'postrider-haproxy-'));
    const file = join(directory, 'haproxy.cfg');
    await writeFile(file, await configure(port));
    program = await startProgram({ name: 'HAProxy', ...haproxy, args: ['-db', '-f', file], cwd: directory });
  });
  afterAll(async () => {
    await program?.stop();
    await Promise.all(services.map((service) => service.stop()));
    await network?.close();
    await database?.drop();
    if (directory) await rm(directory, { recursive: true, force: true });
  });

  const read = () => fetch(`${url}/api/v1/messages`, { headers: { authorization: `Bearer ${token}` } });
  const isAnswered = () => read().then(({ status }) => status === 200);

  it("passes on the API's own 503 with Retry-After while no process is ready, and follows /readyz", async () => {
    await waitFor('an answer through the proxy', isAnswered);
    network.set('reset');
    await program.output.waitFor(/Server api\/api1 is DOWN/);
    await program.output.waitFor(/Server api\/api2 is DOWN/);
    const response = await read();
    const body = (await response.json()) as { error: { code: string } };
    expect([response.status, body.error.code]).toEqual([503, 'service_unavailable']);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);

    network.set(null);
    await program.output.waitFor(/Server api\/api1 is UP/);
    expect(await isAnswered()).toBe(true);
  });

  it('sends no request to a process that is gone', async () => {
    await program.output.waitFor(/Server api\/api2 is UP/);
    await services[0]?.api.stop();
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await read()).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
