import { connect } from 'node:net';
import { describe, expect, it } from '@postrider/testing';
import { OPERATIONS } from '../../src/resources.ts';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { until } from '../support/waiting.ts';

const world = useApi();
const ORIGIN = 'https://app.example.com';

describe('request ids', () => {
  it('echoes a valid X-Request-ID in the header and in error.request_id', async () => {
    const id = 'a!~-'.padEnd(128, 'x');
    const response = await world.api().get('/nope').set('X-Request-ID', id);
    expect(response.headers['x-request-id']).toBe(id);
    expect(response.body.error.request_id).toBe(id);
  });

  it.each([undefined, '', 'with space', 'x'.repeat(129), 'caf\u00e9'])(
    'uses unknown and echoes nothing for X-Request-ID %j',
    async (id) => {
      const request = world.api().get('/nope');
      const response = await (id === undefined ? request : request.set('X-Request-ID', id));
      expect(response.headers['x-request-id']).toBeUndefined();
      expect(response.body.error.request_id).toBe('unknown');
    },
  );

  it('continues a traceparent, otherwise creates a trace id, on every response', async () => {
    const { token } = await world.environment();
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const continued = await world.api().get('/nope').set('traceparent', `00-${traceId}-b7ad6b7169203331-01`);
    expect(continued.headers['x-trace-id']).toBe(traceId);
    const api = world.api();
    for (const response of [
      await api.get('/healthz'),
      await api.get('/api/v1/limits', token),
      await api.get('/api/v1/limits'),
      await api.postEvent(token),
      await api.get('/%zz').set('traceparent', 'garbage'),
    ]) {
      expect(response.headers['x-trace-id']).toMatch(/^[0-9a-f]{32}$/);
    }
  });

  it('writes one wide log line per request, with its ids and without personal data', async () => {
    const { token } = await world.environment();
    const api = await world.more();
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const response = await api
      .postEvent(token, anEvent({ payload: { secret_thing: 'geheim' } }))
      .set('X-Request-ID', 'req-9')
      .set('traceparent', `00-${traceId}-b7ad6b7169203331-01`);
    await until(() => api.log.length > 0);
    expect(api.log).toEqual([
      {
        timestamp: expect.any(String),
        level: 'info',
        service: 'api',
        message: 'request',
        method: 'POST',
        route: '/api/v1/events',
        status: 201,
        duration_ms: expect.any(Number),
        request_id: 'req-9',
        trace_id: traceId,
        tenant_id: expect.stringMatching(/^ten_/),
        environment_id: expect.stringMatching(/^env_/),
        message_id: response.body.message_id,
      },
    ]);
    expect(JSON.stringify(api.log)).not.toMatch(/ada@|"ada|geheim|pr_/i);
  });
});

describe('paths and methods', () => {
  it.each([
    '/',
    '/nope',
    '/api/v1',
    '/api/v1/nope',
    '/API/v1/limits',
    '/api/v2/events',
    '/%',
    '/%E0%A4%A',
    '//',
    '/api/v1/messages/%zz',
  ])('answers 404 route_not_found to %s', async (path) => {
    const response = await fetch(world.api().url + path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toMatchObject({ error: { code: 'route_not_found' } });
  });

  it.each([
    ['/events', '/api/v1/events'],
    ['/v1/events', '/api/v1/events'],
    ['/api/events/batch', '/api/v1/events/batch'],
    ['/API/V1/Limits', '/api/v1/limits'],
    ['/messages/msg_geheim/deliveries', '/api/v1/messages/{messageId}/deliveries'],
    ['/v1/plans', '/admin/v1/plans'],
    ['/admin/channels/chn_geheim', '/admin/v1/channels/{channelId}'],
  ])('names in the 404 to %s the path that was probably meant', async (path, meant) => {
    const { body } = await world.api().post(path);
    expect(body.error.message).toBe(`There is no such path. Did you mean ${meant}?`);
  });

  it('names every path of the API to a request without its prefix', async () => {
    for (const { path } of OPERATIONS) {
      const bare = path.replace(/^\/(?:api|admin)\/v1/, '').replaceAll(/\{\w+\}/g, 'x');
      const { body } = await world.api().post(bare);
      expect([bare, body.error.message]).toEqual([
        bare,
        expect.stringMatching(/Did you mean \/(?:api|admin)\/v1\//),
      ]);
    }
  });

  it.each([
    ['DELETE', '/api/v1/events', 'POST, OPTIONS'],
    ['GET', '/api/v1/events', 'POST, OPTIONS'],
    ['POST', '/api/v1/messages', 'GET, HEAD, OPTIONS'],
    ['PUT', '/api/v1/messages/x', 'GET, HEAD, PATCH, OPTIONS'],
    ['POST', '/api/v1/messages/x/deliveries', 'GET, HEAD, OPTIONS'],
    ['GET', '/api/v1/messages/x/replay', 'POST, OPTIONS'],
    ['PATCH', '/api/v1/delivery-runs/x/cancel', 'POST, OPTIONS'],
    ['POST', '/api/v1/usage/current', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/api/v1/limits', 'GET, HEAD, OPTIONS'],
    ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
  ])('answers 405 method_not_allowed to %s %s, with Allow', async (method, path, allow) => {
    const response = await fetch(world.api().url + path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
    expect(await response.json()).toMatchObject({ error: { code: 'method_not_allowed' } });
  });

  it('hides its framework and sends security headers', async () => {
    for (const response of [await world.api().get('/nope'), await world.api().post('/api/v1/events')]) {
      expect(response.headers['x-powered-by']).toBeUndefined();
      expect(response.headers.etag).toBeUndefined();
      expect(response.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'access-control-allow-origin': '*',
      });
    }
  });

  it('responds with 500 internal_error without internal details, and logs them', async () => {
    const { token } = await world.environment();
    const api = await world.more({ ingest: () => Promise.reject(new Error('the inside')) });
    const response = await api.postEvent(token);
    expect(response.status).toBe(500);
    expect(response.body).toEqual({
      error: {
        code: 'internal_error',
        message: 'The service failed to process this request.',
        request_id: 'unknown',
      },
    });
    const line = api.log.find((entry) => entry.message === 'request failed');
    expect(line).toMatchObject({
      level: 'error',
      error: { message: 'the inside' },
      trace_id: response.headers['x-trace-id'],
    });
  });

  it('logs a client that disconnects during its body, and serves the next one', async () => {
    const { token } = await world.environment();
    const api = await world.more();
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.write(
      `POST /api/v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    socket.once('connect', () => setImmediate(() => socket.destroy()));
    await until(() => api.log.length > 0);
    expect(api.log).toHaveLength(1);
    expect(api.log[0]).toMatchObject({ message: 'request', status: null, level: 'info' });
    expect((await api.postEvent(token)).status).toBe(201);
  });
});

describe('CORS', () => {
  it.each([
    '/api/v1/events',
    '/api/v1/messages',
    '/api/v1/messages/x',
    '/api/v1/delivery-runs/x/cancel',
    '/nope',
    '/healthz',
  ])('answers OPTIONS %s with 204, without a token', async (path) => {
    const response = await fetch(world.api().url + path, {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,idempotency-key',
      },
    });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')).toBe('GET,HEAD,POST,PUT,PATCH,DELETE');
    expect(response.headers.get('access-control-allow-headers')).toBe(
      'Authorization,Content-Type,Accept,Idempotency-Key,X-Request-ID,X-Reason',
    );
    expect(response.headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
  });

  it('exposes its headers to pages, also for errors', async () => {
    const response = await world.api().get('/api/v1/limits').set('Origin', ORIGIN);
    expect(response.status).toBe(401);
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.headers['access-control-expose-headers']?.split(',')).toEqual([
      'X-Request-ID',
      'X-Trace-ID',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'Idempotent-Replayed',
    ]);
  });

  it('allows only configured origins', async () => {
    const api = await world.more({ corsAllowedOrigins: [ORIGIN] });
    for (const send of [() => api.get('/healthz'), () => api.post('/api/v1/events')]) {
      const allowed = await send().set('Origin', ORIGIN);
      const other = await send().set('Origin', 'https://evil.example.com');
      expect(allowed.headers['access-control-allow-origin']).toBe(ORIGIN);
      expect(allowed.headers.vary).toMatch(/Origin/);
      expect(allowed.headers['x-content-type-options']).toBe('nosniff');
      expect(other.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('of configured origins and problem details both vary the response', async () => {
    const api = await world.more({ corsAllowedOrigins: [ORIGIN] });
    for (const send of [() => api.get('/nope'), () => api.post('/api/v1/events')]) {
      const response = await send().set('Origin', ORIGIN).set('Accept', 'application/problem+json');
      expect(response.headers['content-type']).toBe('application/problem+json');
      expect(response.headers.vary).toBe('Origin, Accept');
    }
  });
});

describe('health', () => {
  it('answers /healthz and /readyz with 200, and measures requests', async () => {
    const api = world.api();
    expect((await api.get('/healthz')).body).toEqual({ status: 'ok' });
    const ready = await api.get('/readyz');
    expect(ready.status).toBe(200);
    expect(ready.body).toEqual({
      status: 'ready',
      checks: { postgres: 'ok', migrations: 'ok', redis: 'ok' },
    });
    await api.get('/api/v1/limits');
    const { text } = await api.deps.metrics.read();
    expect(text).toMatch(
      /postrider_api_request_duration_seconds_count\{.*route="\/api\/v1\/limits".*status="401".*\} \d/,
    );
    expect(text).toMatch(/postrider_api_refusals_total\{.*code="unauthorized".*\} [1-9]/);
  });

  it('counts wrong admin tokens by route', async () => {
    const api = world.api();
    await api.get('/admin/v1/plans').set('Authorization', 'Bearer wrong');
    expect((await api.deps.metrics.read()).text).toMatch(
      /postrider_api_request_duration_seconds_count\{.*route="\/admin\/v1\/plans".*status="401".*\} \d/,
    );
  });

  it('has no /metrics, which is on a separate port', async () => {
    const response = await world.api().get('/metrics');
    expect([response.status, response.body.error.code]).toEqual([404, 'route_not_found']);
  });

  it('is ready without Redis and reports that', async () => {
    const api = await world.more({ redisReady: () => false });
    const ready = await api.get('/readyz');
    expect(ready.status).toBe(200);
    expect(ready.body.checks.redis).toBe('unreachable (not required)');
  });

  it('is not ready while a migration is pending', async () => {
    const api = await world.more();
    await world.db()
      .$executeRaw`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name LIKE '%initial'`;
    const ready = await api.get('/readyz');
    await world.db().$executeRaw`UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL`;
    expect(ready.status).toBe(503);
    expect(ready.body).toMatchObject({ status: 'not_ready', checks: { migrations: '1 pending' } });
  });
});
