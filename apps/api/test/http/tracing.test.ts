import { createIngest } from '@postrider/db';
import { type CollectedSpan, startTraceCollector, type TraceCollector } from '@postrider/local-stack/testing';
import { createLogger, openTracing, type Tracing } from '@postrider/telemetry';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { traceBatches } from '../../src/events/observe.ts';
import { ADMIN_TOKEN, type TestApi } from '../support/api.ts';
import { useApi } from '../support/database.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

const world = useApi();
let collector: TraceCollector;
beforeAll(async () => {
  collector = await startTraceCollector();
});
afterAll(() => collector.close());

async function openedTracing(): Promise<Tracing> {
  const tracing = await openTracing({
    service: 'postrider-api',
    otlpEndpoint: collector.url,
    otlpTracesEndpoint: null,
    tracesSampler: 'parentbased_always_on',
    tracesSamplerRatio: 1,
    logger: createLogger({ service: 'api', level: 'error' }),
  });
  if (!tracing) throw new Error('there is no tracing');
  return tracing;
}

/** The spans that an API exports while it is asked. */
async function spansOf(ask: (api: TestApi) => Promise<unknown>): Promise<readonly CollectedSpan[]> {
  const tracing = await openedTracing();
  const ingest = createIngest(world.db(), { maxInFlight: 1, watchBatch: traceBatches(tracing) });
  const api = await world.more({ tracing, ingest });
  const before = collector.spans().length;
  await ask(api);
  await api.stop();
  await tracing.close();
  return collector.spans().slice(before);
}

describe('the traces of an API', () => {
  it('continue the caller’s, with route, status and ids of each request', async () => {
    const { token } = await world.environment();
    let traceId = '';
    const spans = await spansOf(async (api) => {
      const response = await api.postEvent(token).set('traceparent', `00-${TRACE}-${SPAN}-01`);
      traceId = response.get('X-Trace-ID') ?? '';
      await api.get('/api/v1/limits');
    });
    const created = spans.find(({ name }) => name === 'POST /api/v1/events');
    expect(traceId).toBe(TRACE);
    expect(created).toMatchObject({
      service: 'postrider-api',
      kind: 2,
      traceId: TRACE,
      parentSpanId: SPAN,
      attributes: {
        'http.route': '/api/v1/events',
        'http.response.status_code': 201,
        'postrider.message_id': expect.stringMatching(/^msg_/),
        'postrider.tenant_id': expect.stringMatching(/^ten_/),
      },
      failed: false,
    });
    expect(spans.find(({ name }) => name === 'GET /api/v1/limits')).toMatchObject({
      parentSpanId: null,
      attributes: { 'http.response.status_code': 401, 'postrider.error_code': 'unauthorized' },
      failed: false,
    });
  });

  it('contain only the domain of email addresses that clients use as names', async () => {
    const spans = await spansOf((api) =>
      api
        .get('/admin/v1/plans')
        .set('Authorization', `Bearer ${ADMIN_TOKEN}`)
        .set('X-Actor', 'lovelace@example.com')
        .set('X-Request-ID', 'grace@example.org'),
    );
    expect(spans).toMatchObject([
      {
        attributes: {
          'http.response.status_code': 200,
          'postrider.actor': '***@example.com',
          'postrider.request_id': '***@example.org',
        },
      },
    ]);
    expect(JSON.stringify(spans)).not.toMatch(/lovelace|grace/);
  });

  it('show the batch in the trace of each request that it served, linked to the others', async () => {
    const { token } = await world.environment();
    const spans = await spansOf((api) => Promise.all(Array.from({ length: 20 }, () => api.postEvent(token))));
    const requests = spans.filter(({ name }) => name === 'POST /api/v1/events');
    const batches = spans.filter(({ name }) => name === 'accept batch');
    expect(requests).toHaveLength(20);
    expect(batches.map(({ parentSpanId }) => parentSpanId).sort()).toEqual(
      requests.map(({ spanId }) => spanId).sort(),
    );
    const served = new Map(requests.map((request) => [request.spanId, request]));
    for (const { parentSpanId, traceId, startMs, endMs } of batches) {
      const request = served.get(parentSpanId ?? '');
      expect(traceId).toBe(request?.traceId);
      expect(startMs).toBeGreaterThanOrEqual(request?.startMs ?? Number.POSITIVE_INFINITY);
      expect(endMs).toBeLessThanOrEqual(request?.endMs ?? 0);
    }
    const whole = batches.find(
      ({ attributes, links }) =>
        links.length === Number(attributes['postrider.batch.items']) - 1 && links.length > 1,
    );
    const parts = batches.filter(({ links }) => links.length === 1 && links[0] === whole?.spanId);
    expect(parts.map(({ parentSpanId }) => parentSpanId).sort()).toEqual([...(whole?.links ?? ['?'])].sort());
  });

  it('leave out probes and scrapes, and fail only for errors of the service', async () => {
    const { token } = await world.environment();
    const tracing = await openedTracing();
    const api = await world.more({ tracing, ingest: () => Promise.reject(new Error('broken')) });
    const before = collector.spans().length;
    for (const path of ['/healthz', '/readyz']) await api.get(path);
    expect((await api.postEvent(token)).status).toBe(500);
    await api.stop();
    await tracing.close();
    expect(collector.spans().slice(before)).toMatchObject([
      { name: 'POST /api/v1/events', failed: true, attributes: { 'http.response.status_code': 500 } },
    ]);
  });
});
