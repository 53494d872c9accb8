import { createMetrics, createMetricsServer } from '@postrider/telemetry';
import { afterEach, describe, expect, it } from '@postrider/testing';

const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.stop()));
});

async function serve(
  read?: () => Promise<{ contentType: string; text: string }>,
  monotonicMs?: () => number,
) {
  const metrics = createMetrics('worker', { processMetrics: false });
  metrics.counter('runs_total', 'Runs.').inc(3);
  const server = await createMetricsServer({
    port: 0,
    host: '127.0.0.1',
    metrics: read === undefined ? metrics : { read },
    ...(monotonicMs ? { monotonicMs } : {}),
  });
  if (server === null) throw new Error('there is no server');
  open.push(server);
  return (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init);
}

describe('the metrics server', () => {
  it('answers /metrics with 200 in Prometheus text, without CORS headers', async () => {
    const get = await serve();
    const response = await get('/metrics', { headers: { origin: 'https://elsewhere.example' } });

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(await response.text()).toContain('runs_total{service="worker"} 3');
    expect((await get('/healthz')).status).toBe(404);
    expect((await get('/metrics', { method: 'OPTIONS' })).status).toBe(405);
  });

  it('reads the metrics at most once a second', async () => {
    let now = 0;
    let reads = 0;
    const get = await serve(
      async () => {
        reads += 1;
        return { contentType: 'text/plain', text: `${reads}` };
      },
      () => now,
    );
    const ask = async () => (await get('/metrics')).text();

    expect(await Promise.all(Array.from({ length: 50 }, ask))).toEqual(Array(50).fill('1'));
    now = 999;
    expect(await ask()).toBe('1');
    now = 1_000;
    expect(await ask()).toBe('2');
  });

  it('answers 500 without the reason if the metrics cannot be read', async () => {
    const response = await (await serve(() => Promise.reject(new Error('secret detail'))))('/metrics');

    expect([response.status, await response.text()]).toEqual([500, 'metrics cannot be read\n']);
  });

  it('answers probes if they are configured', async () => {
    const metrics = createMetrics('worker', { processMetrics: false });
    let isReady = true;
    const server = await createMetricsServer({
      port: 0,
      host: '127.0.0.1',
      metrics,
      health: { ready: async () => ({ ok: isReady, checks: {} }), isStopping: () => !isReady },
    });
    if (server === null) throw new Error('there is no server');
    open.push(server);
    const status = async (path: string) => (await fetch(`http://127.0.0.1:${server.port}${path}`)).status;

    expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 200]);
    isReady = false;
    expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 503]);
  });

  it('is not started without a port', async () => {
    const metrics = createMetrics('worker', { processMetrics: false });
    expect(await createMetricsServer({ port: null, metrics })).toBeNull();
  });
});
