import { createMetrics } from '@postrider/telemetry';
import { describe, expect, it } from '@postrider/testing';

describe('metrics', () => {
  it('are Prometheus text, labelled with their service', async () => {
    const metrics = createMetrics('api', { processMetrics: false });
    metrics.counter('events_total', 'Events accepted.', ['outcome']).inc({ outcome: 'accepted' });
    metrics.histogram('request_seconds', 'Time of a request.').observe(0.004);
    metrics.gauge('queue_waiting', 'Jobs waiting.', [], (gauge) => gauge.set(7));

    const { contentType, text } = await metrics.read();

    expect(contentType).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text).toContain('events_total{outcome="accepted",service="api"} 1');
    expect(text).toContain('request_seconds_bucket{le="0.005",service="api"} 1');
    expect(text).toContain('queue_waiting{service="api"} 7');
  });

  it('have every known combination of labels of a counter from the start', async () => {
    const metrics = createMetrics('api', { processMetrics: false });
    metrics.counter('ended_total', 'Ended.', { kind: ['email', 'webhook'], status: ['failed', 'succeeded'] });
    const { text } = await metrics.read();
    for (const kind of ['email', 'webhook'])
      for (const status of ['failed', 'succeeded'])
        expect(text).toContain(`ended_total{kind="${kind}",status="${status}",service="api"} 0`);
  });

  it('of two services in one process are separate', async () => {
    const first = createMetrics('api');
    const second = createMetrics('worker');
    first.counter('runs_total', 'Runs.').inc();
    second.counter('runs_total', 'Runs.');

    expect((await second.read()).text).toContain('runs_total{service="worker"} 0');
    expect((await first.read()).text).toContain('process_resident_memory_bytes{service="api"}');
  });
});
