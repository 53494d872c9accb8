import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { testRedisUrl } from '@postrider/db/testing';
import { startRedis } from '@postrider/local-stack';
import { beforeAll, describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { anEvent } from './support/api.ts';
import { useApi } from './support/database.ts';
import { whileKeyIsHeld } from './support/held-key.ts';
import { type ApiProcess, spawnMain, startApiProcess, useProcesses } from './support/process.ts';
import { until, untilAnswered } from './support/waiting.ts';

const world = useApi();
const processes = useProcesses();

async function start(
  redisUrl = testRedisUrl(),
  environment: Record<string, string> = {},
): Promise<ApiProcess> {
  const started = await startApiProcess({ databaseUrl: world.url(), redisUrl, environment });
  processes.push(started);
  return started;
}

const post = (url: string, token: string, key: string = randomUUID()) =>
  supertest(url)
    .post('/api/v1/events')
    .set('Authorization', `Bearer ${token}`)
    .set('Idempotency-Key', key)
    .send(anEvent());

describe('two API processes', () => {
  let one: ApiProcess;
  let two: ApiProcess;
  beforeAll(async () => {
    [one, two] = await Promise.all([start(), start()]);
  });

  it('accept exactly the 40 remaining events of 400 concurrent ones', async () => {
    const { token, environmentId, tenantId } = await world.environment({ plan: { eventsPerMonth: 40 } });
    const responses = await Promise.all(
      Array.from({ length: 400 }, (_, index) => post(index % 2 ? one.url : two.url, token)),
    );
    const count = (status: number) => responses.filter((response) => response.status === status).length;
    expect({ accepted: count(201), refused: count(402) }).toEqual({ accepted: 40, refused: 360 });
    const where = { environmentId };
    expect(await world.db().message.count({ where })).toBe(40);
    expect(await world.db().idempotencyRecord.count({ where })).toBe(40);
    expect(await world.db().tenantUsage.findFirst({ where: { tenantId } })).toMatchObject({
      eventsUsed: 40n,
    });
  });

  it('create one message for 200 requests with one key', async () => {
    const { token, environmentId } = await world.environment();
    const key = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        untilAnswered(() => post(index % 2 ? one.url : two.url, token, key)),
      ),
    );
    expect(new Set(responses.map((response) => response.text)).size).toBe(1);
    expect(await world.db().message.count({ where: { environmentId } })).toBe(1);
  });

  it('serve the OpenAPI document and its page', async () => {
    const document = await supertest(one.url).get('/openapi.json');
    expect(Object.keys(document.body.paths)).toContain('/api/v1/events');
    expect((await supertest(one.url).get('/docs')).status).toBe(200);
  });

  it('refuse a token at once when it is revoked, notified by Postgres', async () => {
    const { token, tokenId } = await world.environment();
    const statuses = async () => [(await post(one.url, token)).status, (await post(two.url, token)).status];
    expect(await statuses()).toEqual([201, 201]);
    await world.db().token.update({ where: { id: tokenId }, data: { revokedAt: new Date() } });
    await until(async () => (await statuses()).every((status) => status === 401));
  });
});

describe('an API process', () => {
  it('stops on SIGTERM: accepts no more requests, finishes open ones, and exits with 0', async () => {
    const { token, environmentId } = await world.environment();
    const api = await start();
    expect((await post(api.url, token)).status).toBe(201);
    const key = randomUUID();
    await whileKeyIsHeld(world.db(), { environmentId, key }, async () => {
      const inFlight = post(api.url, token, key).then((response) => response);
      await until(async () => (await waitingForLocks()) > 0);
      api.child.kill('SIGTERM');
      await until(() => api.log.some((line) => line.message === 'stopping'));
      await until(() => refusesConnections(api.url));
      const response = await inFlight;
      expect(response.body.error.code).toBe('idempotency_in_progress');
      expect(response.headers.connection).toBe('close');
    });
    expect(await api.exited).toBe(0);
    expect(api.log.at(-1)).toMatchObject({ message: 'stopped' });
  });

  it('serves requests that arrive during the stop, and asks to close the connection', async () => {
    const { token } = await world.environment();
    const api = await start();
    expect((await post(api.url, token)).status).toBe(201);
    api.child.kill('SIGTERM');
    await until(() => api.log.some((line) => line.message === 'stopping'));
    const response = await post(api.url, token);
    expect(response.status).toBe(201);
    expect(response.headers.connection).toBe('close');
    expect(await api.exited).toBe(0);
  });

  it('is alive but not ready as soon as it stops', async () => {
    const api = await start();
    expect((await supertest(api.url).get('/readyz')).status).toBe(200);
    api.child.kill('SIGTERM');
    await until(() => api.log.some((line) => line.message === 'stopping'));
    const [ready, alive] = [
      await supertest(api.url).get('/readyz'),
      await supertest(api.url).get('/healthz'),
    ];
    expect([ready.status, ready.body.checks, alive.status]).toEqual([503, { process: 'stopping' }, 200]);
    expect(await api.exited).toBe(0);
  });

  it('responds to probes on the metrics port while clients use all connections of the main port', async () => {
    const api = await start(testRedisUrl(), { MAX_CONNECTIONS: '16' });
    const sockets = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const socket = connect(Number(new URL(api.url).port), '127.0.0.1').on('error', () => undefined);
        await once(socket, 'connect');
        socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
        return socket;
      }),
    );
    try {
      await until(async () => (await statusOf(`${api.url}/healthz`)) === null);
      const paths = ['/healthz', '/readyz'];
      const probe = () => Promise.all(paths.map((path) => statusOf(`${api.metricsUrl}${path}`)));
      expect(await probe()).toEqual([200, 200]);
      api.child.kill('SIGTERM');
      await until(() => api.log.some((line) => line.message === 'stopping'));
      expect(await probe()).toEqual([200, 503]);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    expect(await api.exited).toBe(0);
  });

  it('ends at once on a second signal', async () => {
    const { token, environmentId } = await world.environment();
    const api = await start();
    expect((await post(api.url, token)).status).toBe(201);
    const key = randomUUID();
    await whileKeyIsHeld(world.db(), { environmentId, key }, async () => {
      const inFlight = post(api.url, token, key).then(
        () => 'answered',
        () => 'broken off',
      );
      await until(async () => (await waitingForLocks()) > 0);
      api.child.kill('SIGINT');
      await until(() => api.log.some((line) => line.message === 'stopping'));
      api.child.kill('SIGINT');
      expect(await api.exited).toBe(1);
      expect(await inFlight).toBe('broken off');
    });
  });

  it('starts and accepts events while Redis is down', async () => {
    const { token } = await world.environment({ plan: { requestsPerSecond: 10, burst: 10 } });
    const started = await start('redis://127.0.0.1:1');
    expect((await post(started.url, token)).status).toBe(201);
    const ready = await supertest(started.url).get('/readyz');
    expect([ready.status, ready.body.checks.redis]).toEqual([200, 'unreachable (not required)']);
  });

  it('reports a Redis that takes no jobs, such as a full one', async () => {
    const { token } = await world.environment();
    const full = await startRedis({ settings: ['maxmemory 1'] });
    try {
      const { url } = await start(full.url);
      const reported = async () => (await supertest(url).get('/readyz')).body.checks.redis;
      await until(async () => (await reported()) === 'ok');
      expect((await post(url, token)).status).toBe(201);
      await until(async () => (await reported()) === 'unreachable (not required)');
    } finally {
      await full.stop();
    }
  });

  it('says in its log if its port or that of its metrics is used, and ends with 1', async () => {
    const { url, metricsUrl } = await start();
    for (const taken of [url, metricsUrl]) {
      const { port } = new URL(taken);
      const child = spawnMain({
        PORT: '0',
        DATABASE_URL: world.url(),
        REDIS_URL: testRedisUrl(),
        ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
        [taken === url ? 'PORT' : 'METRICS_PORT']: port,
      });
      const output = outputOf(child);
      expect(await once(child, 'close')).toEqual([1, null]);
      const lines = output()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(lines.at(-1)).toMatchObject({
        level: 'error',
        service: 'api',
        message: `cannot start: port ${port} cannot be used (another process listens on it); configure another one, or end what uses it`,
      });
    }
  });

  it('refuses to start without its configuration and reports every issue', async () => {
    const child = spawnMain({ PORT: 'x', LOG_LEVEL: 'loud' });
    const output = outputOf(child);
    const [code] = await once(child, 'close');
    expect(code).toBe(1);
    const { level, issues } = JSON.parse(output());
    expect(level).toBe('error');
    for (const name of ['PORT', 'LOG_LEVEL', 'DATABASE_URL', 'REDIS_URL', 'ENCRYPTION_KEYS']) {
      expect(issues).toContainEqual(expect.stringContaining(`${name} `));
    }
  });
});

/** What a process writes, to either output. */
function outputOf(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text += chunk;
    });
  }
  return () => text;
}

/** Null when the connection is refused or broken off. */
const statusOf = (url: string): Promise<number | null> =>
  fetch(url, { headers: { connection: 'close' } }).then(
    ({ status }) => status,
    () => null,
  );

async function waitingForLocks(): Promise<number> {
  const [row] = await world.db().$queryRaw<{ waiting: number }[]>`
    SELECT count(*)::int AS waiting FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return row?.waiting ?? 0;
}

function refusesConnections(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', () => resolve(true));
  });
}
