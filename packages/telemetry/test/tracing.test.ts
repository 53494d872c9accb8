import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startTraceCollector, type TraceCollector } from '@postrider/local-stack/testing';
import { openTracing, type Tracing, type TracingSettings } from '@postrider/telemetry';
import { afterEach, beforeEach, describe, expect, it } from '@postrider/testing';
import { recordingLogger } from './lines.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const SAMPLED = `00-${TRACE}-${SPAN}-01`;
const UNSAMPLED = `00-${TRACE}-${SPAN}-00`;

let collector: TraceCollector;
beforeEach(async () => {
  collector = await startTraceCollector();
});
afterEach(() => collector.close());

const settings = (changes: Partial<TracingSettings> = {}): TracingSettings => ({
  service: 'postrider-test',
  otlpEndpoint: collector.url,
  otlpTracesEndpoint: null,
  tracesSampler: 'parentbased_always_on',
  tracesSamplerRatio: 1,
  logger: recordingLogger().logger,
  ...changes,
});

async function open(changes: Partial<TracingSettings> = {}): Promise<Tracing> {
  const tracing = await openTracing(settings(changes));
  if (!tracing) throw new Error('there is no tracing');
  return tracing;
}

describe('spans', () => {
  it('are exported with their parent, links, attributes and error', async () => {
    const tracing = await open();
    const job = tracing.begin('job', { kind: 'consumer', parent: SAMPLED, beganMsAgo: 60_000 });
    const attempt = tracing.begin('?', {
      kind: 'client',
      parent: job.traceparent,
      links: [SAMPLED, 'broken'],
    });
    attempt.end({
      name: 'attempt',
      attributes: { code: 'webhook_timeout', none: undefined },
      failure: 'late',
    });
    job.end();
    await tracing.close();

    const [sentAttempt, sentJob] = collector.spans();
    expect(sentAttempt).toMatchObject({
      service: 'postrider-test',
      name: 'attempt',
      kind: 3,
      traceId: TRACE,
      parentSpanId: sentJob?.spanId,
      links: [SPAN],
      attributes: { code: 'webhook_timeout' },
      failed: true,
    });
    expect(sentJob).toMatchObject({ name: 'job', kind: 5, parentSpanId: SPAN, links: [], failed: false });
    expect((sentAttempt?.startMs ?? 0) - (sentJob?.startMs ?? 0)).toBeGreaterThan(59_000);
    expect(job.traceparent).toBe(`00-${TRACE}-${sentJob?.spanId}-01`);
  });

  it('contain only the domain of an email address, in attributes and errors', async () => {
    const tracing = await open();
    const request = tracing.begin('request', {
      kind: 'server',
      parent: null,
      attributes: { begun: 'lovelace@example.com' },
    });
    request.end({ attributes: { ended: 'by grace@example.org' }, failure: 'no hopper@example.net' });
    await tracing.close();
    expect(JSON.stringify(collector.spans())).not.toMatch(/lovelace|grace|hopper/);
    expect(collector.spans()).toMatchObject([
      {
        attributes: { begun: '***@example.com', ended: 'by ***@example.org' },
        failure: 'no ***@example.net',
      },
    ]);
  });

  it('start a trace without a parent, and are sent to the unchanged endpoint for traces', async () => {
    const tracing = await open({
      otlpEndpoint: 'http://127.0.0.1:9',
      otlpTracesEndpoint: `${collector.url}/v1/traces`,
    });
    const span = tracing.begin('request', { kind: 'server', parent: null });
    span.end();
    await tracing.close();
    expect(collector.spans()).toMatchObject([{ traceId: span.traceId, parentSpanId: null, failed: false }]);
  });

  it.each([
    ['parentbased_always_on', 'server', UNSAMPLED, true],
    ['parentbased_always_off', 'server', SAMPLED, false],
    ['parentbased_always_off', 'server', null, false],
    ['parentbased_traceidratio', 'server', SAMPLED, false],
    ['parentbased_traceidratio', 'server', null, false],
    ['traceidratio', 'server', SAMPLED, false],
    ['always_on', 'server', UNSAMPLED, true],
    ['always_off', 'server', SAMPLED, false],
    ['parentbased_always_on', 'consumer', UNSAMPLED, false],
    ['parentbased_always_off', 'consumer', SAMPLED, true],
    ['parentbased_traceidratio', 'consumer', SAMPLED, true],
    ['traceidratio', 'internal', SAMPLED, true],
    ['always_on', 'consumer', UNSAMPLED, true],
    ['always_off', 'consumer', SAMPLED, false],
  ] as const)(
    'by %s of kind %s below %s are exported: %s',
    async (tracesSampler, kind, parent, isSampled) => {
      const tracing = await open({ tracesSampler, tracesSamplerRatio: 0 });
      const span = tracing.begin('work', { kind, parent });
      span.end();
      await tracing.close();
      expect(span.isSampled).toBe(isSampled);
      expect(span.traceparent.endsWith(isSampled ? '-01' : '-00')).toBe(true);
      expect(collector.spans()).toHaveLength(isSampled ? 1 : 0);
    },
  );

  it("of requests are sampled by ratio, independent of the clients' trace ids, which they keep", async () => {
    const tracing = await open({ tracesSampler: 'traceidratio', tracesSamplerRatio: 0.5 });
    const spans = Array.from({ length: 400 }, () =>
      tracing.begin('request', { kind: 'server', parent: SAMPLED }),
    );
    const below = spans.map(({ traceparent }) =>
      tracing.begin('batch', { kind: 'internal', parent: traceparent }),
    );
    await tracing.close();
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
    expect(new Set(spans.map(({ isSampled }) => isSampled))).toEqual(new Set([true, false]));
    expect(below.map(({ isSampled }) => isSampled)).toEqual(spans.map(({ isSampled }) => isSampled));
  });

  it('are dropped when the collector refuses them, which is logged at a limited rate', async () => {
    const { logger, entries } = recordingLogger();
    const tracing = await open({ otlpTracesEndpoint: `${collector.url}/elsewhere`, logger });
    for (let n = 0; n < 3_000; n += 1) tracing.begin('request', { kind: 'server', parent: null }).end();
    await tracing.close();
    expect(collector.spans()).toEqual([]);
    const [first, ...others] = entries();
    expect(first).toMatchObject({ level: 'warn', message: 'spans could not be exported' });
    expect(others.filter(({ suppressed }) => suppressed === undefined)).toEqual([]);
  });
});

describe('the libraries of OpenTelemetry', () => {
  it('are loaded only if a collector is configured', async () => {
    const script = `
      import { createRequire } from 'node:module';
      import { openTracing } from '@postrider/telemetry';
      const { cache } = createRequire(import.meta.url);
      const isSdk = (path) => /@opentelemetry.(sdk|exporter|otlp|core|resources)/.test(path);
      const report = () => console.log(Object.keys(cache).some(isSdk));
      const settings = { service: 'it', tracesSampler: 'always_on', tracesSamplerRatio: 1, logger: console };
      const none = await openTracing({ ...settings, otlpEndpoint: null, otlpTracesEndpoint: null });
      report();
      const one = await openTracing({ ...settings, otlpEndpoint: '${collector.url}', otlpTracesEndpoint: null });
      report();
      console.log(none === null, one === null);
      await one.close();`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--conditions=@postrider/source',
      '--import',
      'tsx',
      '--input-type=module',
      '--eval',
      script,
    ]);
    expect(stdout.trim().split('\n')).toEqual(['false', 'true', 'true false']);
  });
});
