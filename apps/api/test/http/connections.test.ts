import { readdirSync } from 'node:fs';
import { createOriginLookup } from '@postrider/listener';
import { describe, expect, it } from '@postrider/testing';
import { createConsoleRouter } from '../../src/console/files.ts';
import { createContent } from '../../src/http/static-content.ts';
import { createOpenApiRouter } from '../../src/openapi/router.ts';
import { RESOURCES } from '../../src/resources.ts';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { errorCodeOf, headerLinesOf, sendRaw, statusesOf } from '../support/raw-client.ts';
import { until } from '../support/waiting.ts';

const world = useApi({ openApi: createOpenApiRouter(RESOURCES) });
const GET = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

describe('pipelined requests', () => {
  it('are served one after the other, in order', async () => {
    const requests = [GET('/healthz'), GET('/nope'), GET('/openapi.json'), GET('/api/v1/limits')];
    const last = GET('/metrics', 'Connection: close\r\n');
    const { closed } = await sendRaw(world.api().url, [...requests, last].join(''));
    expect(statusesOf(await closed)).toEqual([200, 404, 200, 401, 404]);
  });

  it('of a flood reach the application one at a time, and the connection is closed', async () => {
    const api = await world.more({ openApi: createOpenApiRouter(RESOURCES) });
    const client = await sendRaw(api.url, GET('/openapi.json').repeat(1_700), { reads: false });
    await client.closed;
    await until(() => api.log.length > 0);
    expect(api.log.filter(({ message }) => message === 'request')).toHaveLength(1);
    expect((await api.get('/healthz')).status).toBe(200);
  });

  it('with unread responses do not open files', async () => {
    const descriptors = () => readdirSync('/proc/self/fd').length;
    const api = await world.more({ openApi: createOpenApiRouter(RESOURCES) });
    const before = descriptors();
    const clients = await Promise.all(
      Array.from({ length: 20 }, () =>
        sendRaw(api.url, GET('/docs/assets/swagger-ui-bundle.js').repeat(8), { reads: false }),
      ),
    );
    await until(async () => (await api.get('/healthz')).status === 200);
    // Both ends of each connection are in this process.
    expect(descriptors() - before).toBeLessThanOrEqual(2 * clients.length + 5);
    for (const { socket } of clients) socket.destroy();
  });
});

describe('static content', () => {
  const bounds = { total: 8e6, perOwner: 2e6, waitMs: 100, maxWaitingPerOwner: 64, maxWaiting: 1_024 };
  const script = { ...createContent(Buffer.alloc(1.5e6, ' '), 'text/javascript'), isImmutable: true };
  const cases = [
    [
      'docs',
      '/docs/assets/swagger-ui-bundle.js',
      (options: object) => createOpenApiRouter(RESOURCES, options),
    ],
    [
      'console',
      '/console/app.js',
      (options: object) => createConsoleRouter(new Map([['app.js', script]]), options),
    ],
  ] as const;

  it.each(cases)(
    'of /%s/ that a client does not read is refused to it beyond its share, not to others behind its proxy, and later served again',
    async (_site, path, routerOf) => {
      const trustedProxies = ['127.0.0.0/8'];
      const originOf = createOriginLookup(trustedProxies);
      const api = await world.more({ trustedProxies, openApi: routerOf({ bounds, originOf }) });
      const [greedy, other] = ['192.0.2.1', '192.0.2.2'];
      const get = (client: string) => api.get(path).set('X-Forwarded-For', client);
      const request = GET(path, `X-Forwarded-For: ${greedy}\r\n`);
      const unread = await Promise.all(
        Array.from({ length: 40 }, () => sendRaw(api.url, request.repeat(8), { reads: false })),
      );
      let refused = await get(greedy);
      await until(async () => {
        refused = await get(greedy);
        return refused.status === 429;
      });
      expect(refused.headers['cache-control']).toBe('no-store');
      await get(other).expect(200);
      for (const { socket } of unread) socket.destroy();
      await until(async () => (await get(greedy)).status === 200);
    },
  );
});

describe('malformed requests', () => {
  const cases = [
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'malformed_request'],
    ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, 'malformed_request'],
    ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
    [
      'a length and chunks',
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
      'malformed_request',
    ],
    ['another expectation', GET('/healthz', 'Expect: 200-ok\r\n'), 417, 'expectation_failed'],
    ['a header of 20 KB', GET('/healthz', `X-Long: ${'x'.repeat(20_000)}\r\n`), 431, 'headers_too_large'],
    ['1,500 headers', GET('/healthz', 'a:\r\n'.repeat(1_500)), 431, 'headers_too_large'],
  ] as const;

  it.each(cases)('%s: the error object, and the connection is closed', async (_name, text, status, code) => {
    const { closed } = await sendRaw(world.api().url, text);
    const stream = await closed;
    expect(statusesOf(stream)).toEqual([status]);
    expect(stream).toMatch(/^content-type: application\/json; charset=utf-8\r$/im);
    expect(stream).toMatch(/^connection: close\r$/im);
    expect(errorCodeOf(stream)).toBe(code);
  });

  it('are refused after the responses to earlier valid ones', async () => {
    const { closed } = await sendRaw(world.api().url, `${GET('/healthz')}${GET('/readyz')}nonsense\r\n\r\n`);
    expect(statusesOf(await closed)).toEqual([200, 200, 400]);
  });
});

describe('a body', () => {
  const head = (token: string, more: string, path = '/api/v1/events') =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n` +
    `Idempotency-Key: 0191f6a0-0000-7000-8000-000000000001\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`;
  const chunked = (text: string, size: number) => {
    const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
    return `${pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`;
  };

  it('in chunks of one byte is refused, and the connection is closed', async () => {
    const { token } = await world.environment();
    const body = JSON.stringify(anEvent({ payload: { text: 'x'.repeat(2_000) } }));
    const { closed } = await sendRaw(
      world.api().url,
      head(token, 'Transfer-Encoding: chunked\r\n') + chunked(body, 1),
    );
    const stream = await closed;
    expect(statusesOf(stream)).toEqual([400]);
    expect(errorCodeOf(stream)).toBe('malformed_request');
  });

  const ORIGIN = 'https://app.example.com';
  const PATHS = ['/api/v1/events', '/api/v1/events/batch'];
  const REFUSED = [
    ['a malformed chunk', 'zz\r\n'],
    ['too many pieces', chunked('x'.repeat(2_000), 1)],
  ] as const;
  const ALLOWED = ['*', [ORIGIN]] as const;
  const cases = PATHS.flatMap((path) =>
    REFUSED.flatMap(([name, body]) => ALLOWED.map((allowed) => ({ path, name, body, allowed }))),
  );

  it.each(cases)(
    'with $name to $path is refused with each header once; origins: $allowed',
    async (refused) => {
      const { path, body, allowed } = refused;
      const { token } = await world.environment();
      const api = await world.more({ corsAllowedOrigins: allowed });
      const more = `X-Request-ID: mine\r\nOrigin: ${ORIGIN}\r\nTransfer-Encoding: chunked\r\n`;
      const { closed } = await sendRaw(api.url, head(token, more, path) + body);
      const stream = await closed;
      expect(statusesOf(stream)).toEqual([400]);
      expect(errorCodeOf(stream)).toBe('malformed_request');
      const lines = headerLinesOf(stream);
      const headers = Object.fromEntries(lines);
      expect(lines.map(([name]) => name).sort()).toEqual(Object.keys(headers).sort());
      expect(headers).toMatchObject({
        'x-trace-id': expect.stringMatching(/^[0-9a-f]{32}$/),
        'x-request-id': 'mine',
        'access-control-allow-origin': allowed === '*' ? '*' : ORIGIN,
        'access-control-expose-headers': expect.stringContaining('X-Trace-ID'),
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        connection: 'close',
      });
    },
  );

  it.each([1, 7, 64, 4_096])('in a few hundred bytes of chunks of %i byte(s) is accepted', async (size) => {
    const { token } = await world.environment();
    const text = size === 1 ? '' : 'x'.repeat(size === 7 ? 500 : 200_000);
    const body = JSON.stringify(anEvent({ payload: { text } }));
    const { closed } = await sendRaw(
      world.api().url,
      head(token, 'Transfer-Encoding: chunked\r\n') + chunked(body, size),
    );
    expect(statusesOf(await closed)).toEqual([201]);
  });

  it('is read only after the token is known, in any chunks', async () => {
    const { closed } = await sendRaw(
      world.api().url,
      `${head('wrong', 'Transfer-Encoding: chunked\r\n')}${chunked('x'.repeat(100), 1)}`,
    );
    expect(statusesOf(await closed)).toEqual([401]);
  });
});
