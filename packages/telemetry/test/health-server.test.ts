import { createServer } from 'node:net';
import { checkReadiness, createHealthServer, type Readiness } from '@postrider/telemetry';
import { afterEach, describe, expect, it } from '@postrider/testing';

const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.stop()));
});

async function serve(ready: () => Promise<Readiness>, isStopping?: () => boolean) {
  const server = await createHealthServer({
    port: 0,
    host: '127.0.0.1',
    ready,
    isStopping,
  });
  open.push(server);
  return (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init);
}

const isReady = async (): Promise<Readiness> => ({ ok: true, checks: { postgres: 'ok', redis: 'down' } });

describe('the health server', () => {
  it('answers /healthz with 200 before it is ready', async () => {
    const get = await serve(() => Promise.reject(new Error('down')));

    const response = await get('/healthz');

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok' });
  });

  it('answers /readyz with 200 and its checks when ready', async () => {
    const response = await (await serve(isReady))('/readyz?verbose');

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ready', checks: { postgres: 'ok', redis: 'down' } });
  });

  it('answers /readyz with 503 if a check fails or throws', async () => {
    const not = await (await serve(async () => ({ ok: false, checks: { postgres: 'down' } })))('/readyz');
    const failing = await (await serve(() => Promise.reject(new Error('secret detail'))))('/readyz');

    expect([not.status, failing.status]).toEqual([503, 503]);
    expect(await not.json()).toEqual({ status: 'not_ready', checks: { postgres: 'down' } });
    expect(await failing.text()).not.toContain('secret detail');
  });

  it('names PostgreSQL as the reason when it does not respond', async () => {
    const silent = {
      readDatabaseState: () => new Promise<never>(() => {}),
      isRedisReady: () => true,
      deadlineMs: 5,
    };
    const response = await (await serve(() => checkReadiness(silent)))('/readyz');

    expect(response.status).toBe(503);
    const checks = { postgres: 'unreachable', migrations: 'unknown', redis: 'ok' };
    expect(await response.json()).toEqual({ status: 'not_ready', checks });
  });

  it('answers /readyz with 503 as soon as the process stops, and /healthz with 200', async () => {
    let stopping = false;
    const get = await serve(isReady, () => stopping);
    expect((await get('/readyz')).status).toBe(200);

    stopping = true;
    const response = await get('/readyz');

    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ status: 'not_ready', checks: { process: 'stopping' } });
    expect((await get('/healthz')).status).toBe(200);
  });

  it('answers 404 and 405 with the error object', async () => {
    const get = await serve(isReady);
    const missing = await get('/elsewhere');
    const posted = await get('/healthz', { method: 'POST' });

    expect(missing.status).toBe(404);
    expect(await missing.json()).toMatchObject({
      error: { code: 'route_not_found', request_id: 'unknown' },
    });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await posted.json()).toMatchObject({ error: { code: 'method_not_allowed' } });
  });

  it('fails to start on a port that is in use', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as { port: number };

    const started = createHealthServer({
      port,
      host: '127.0.0.1',
      ready: isReady,
    });

    await expect(started).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await new Promise((resolve) => holder.close(resolve));
  });
});
