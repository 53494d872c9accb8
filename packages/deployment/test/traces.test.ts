import { randomBytes, randomUUID } from 'node:crypto';
import { createFixture, createTestDatabase, type TestDatabase, testRedisUrl } from '@postrider/db/testing';
import { createSecretBox } from '@postrider/domain';
import {
  type CollectedSpan,
  startTestService,
  startTraceCollector,
  type TestService,
  type TraceCollector,
} from '@postrider/local-stack/testing';
import { type Listening, startHttpReceiver, waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';

const key = randomBytes(32);
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

/** The `traceparent` of each request to the receiver, which answers the first with 500. */
const received: (string | undefined)[] = [];
let database: TestDatabase;
let collector: TraceCollector;
let service: TestService;
let receiver: Listening;

beforeAll(async () => {
  database = await createTestDatabase();
  collector = await startTraceCollector();
  receiver = await startHttpReceiver(({ headers }, response) => {
    received.push(headers.traceparent as string | undefined);
    response.writeHead(received.length === 1 ? 500 : 200).end();
  });
  service = await startTestService({
    databaseUrl: database.url,
    redisUrl: testRedisUrl(),
    worker: true,
    env: {
      ENCRYPTION_KEYS: `test:${key.toString('base64')}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    },
  });
});
afterAll(async () => {
  await service.stop();
  await collector.close();
  await receiver.close();
  await database.drop();
});

async function sendEvent(): Promise<Response> {
  const channel = {
    kind: 'webhook' as const,
    name: 'hook',
    config: { url: receiver.url },
    retry: { max_attempts: 2, delays_seconds: [0.05] },
  };
  const { token } = await createFixture(
    database.db,
    { channels: [channel] },
    createSecretBox([{ id: 'test', key }]),
  );
  return fetch(`${service.url}/api/v1/events`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01`,
    },
    body: JSON.stringify({ event_key: 'order.shipped', recipient: {}, payload: {} }),
  });
}

/** The spans of the caller's trace in the order of their start, once there are `count`. */
function traceOf(count: number): Promise<CollectedSpan[]> {
  return waitFor('the spans', () => {
    const spans = collector.spans().filter(({ traceId }) => traceId === CALLER.traceId);
    return spans.length >= count && [...spans].sort((a, b) => a.startMs - b.startMs);
  });
}

describe('the trace of an event', () => {
  it('goes from the request through its batch, the queue, and each job and attempt to the receiver', async () => {
    const response = await sendEvent();
    expect(response.status).toBe(201);
    expect(response.headers.get('x-trace-id')).toBe(CALLER.traceId);

    const spans = await traceOf(6);
    expect(spans.map(({ service: of, name, failed }) => [of, name, failed])).toEqual([
      ['postrider-api', 'POST /api/v1/events', false],
      ['postrider-api', 'accept batch', false],
      ['postrider-worker', 'webhook job', false],
      ['postrider-worker', 'webhook attempt', true],
      ['postrider-worker', 'webhook job', false],
      ['postrider-worker', 'webhook attempt', false],
    ]);
    const [request, batch, firstJob, firstAttempt, secondJob, secondAttempt] = spans;
    expect(spans.map(({ parentSpanId }) => parentSpanId)).toEqual([
      CALLER.spanId,
      request?.spanId,
      request?.spanId,
      firstJob?.spanId,
      request?.spanId,
      secondJob?.spanId,
    ]);
    expect(batch?.endMs).toBeLessThanOrEqual(request?.endMs ?? 0);
    expect(firstAttempt?.endMs).toBeLessThanOrEqual(secondJob?.startMs ?? 0);
    expect(firstAttempt?.attributes['error.type']).toBe('webhook_http_error');
    expect(secondAttempt?.attributes['postrider.message_id']).toBe(
      request?.attributes['postrider.message_id'],
    );
    expect(received).toEqual(
      [firstAttempt, secondAttempt].map((attempt) => `00-${CALLER.traceId}-${attempt?.spanId}-01`),
    );
  });
});
