import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  createTestDatabase,
  singleRedisServerUrl,
  type TestDatabase,
  testRedisUrl,
} from '@postrider/db/testing';
import { startRedis } from '@postrider/local-stack';
import { startTcpProxy, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';

const MAIN = fileURLToPath(new URL('../dist/bundle/main.js', import.meta.url));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A valid configuration. */
const environmentWith = (redisUrl: string) => ({
  DATABASE_URL: database.urlFor('postrider_worker'),
  REDIS_URL: redisUrl,
  WORKER_PORT: '0',
  METRICS_PORT: '0',
  ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
});

function startMain(environment: Record<string, string>): { child: ChildProcess; output: () => string } {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH, NODE_ENV: 'test', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  return { child, output: () => output };
}

async function untilReady(output: () => string): Promise<{ port: string; status: string }> {
  const port = await waitFor('its port', () => /"port":(\d+)/.exec(output())?.[1]);
  const ready = await waitFor('readiness', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    return response.status === 200 && ((await response.json()) as { status: string });
  });
  return { port, status: ready.status };
}

describe('the worker process', () => {
  it('says in its log if its port is used, and ends with 1', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const { child, output } = startMain({
      ...environmentWith(testRedisUrl()),
      WORKER_PORT: `${port}`,
      HOST: '127.0.0.1',
    });
    expect(await once(child, 'close')).toEqual([1, null]);
    const lines = output()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({
      level: 'error',
      service: 'worker',
      message: `cannot start: port ${port} cannot be used (another process listens on it); configure another one, or end what uses it`,
    });
    holder.close();
  });

  it('reports every issue of its configuration at once and ends with 1', async () => {
    const { child, output } = startMain({ REDIS_URL: 'http://secret@x/', WORKER_CONCURRENCY: 'many' });
    expect(await once(child, 'close')).toEqual([1, null]);
    const { level, issues } = JSON.parse(output());
    expect(level).toBe('error');
    for (const variable of ['DATABASE_URL', 'REDIS_URL', 'ENCRYPTION_KEYS', 'WORKER_CONCURRENCY']) {
      expect(issues).toContainEqual(expect.stringContaining(variable));
    }
    expect(output()).not.toContain('secret');
  });

  it('reports that it is ready, exits with 0 on SIGTERM, and logs both, and warnings of libraries, as lines of JSON', async () => {
    const redis = await startRedis({ settings: ['maxmemory-policy allkeys-lru'] });
    const { child, output } = startMain(environmentWith(redis.url));
    const { status } = await untilReady(output);
    expect(status).toBe('ready');
    const metricsPort = /"metrics_port":(\d+)/.exec(output())?.[1];
    const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    expect(await metrics.text()).toContain('postrider_slots_in_use');
    await waitFor('the warning of BullMQ', () => output().includes('Eviction policy is allkeys-lru'));
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    const lines = output().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).message)).toEqual(
      expect.arrayContaining(['started', 'a library warns', 'stopped']),
    );
    await redis.stop();
  });

  it('exits with 0 on SIGTERM although Redis does not respond', async () => {
    const redisUrl = singleRedisServerUrl();
    const proxy = await startTcpProxy(redisUrl);
    const { child, output } = startMain(environmentWith(proxy.url));
    await untilReady(output);
    proxy.set('swallow');
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(output()).toContain('"message":"stopped"');
    await proxy.close();
  });
});
