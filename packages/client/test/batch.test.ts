import { createPostrider, PostriderApiError, PostriderConnectionError } from '@postrider/client';
import { describe, expect, it } from '@postrider/testing';
import { ACCEPTED, refusal, type Seen, type Step, scriptedClient } from './support/scripted.ts';

const EVENT = { event_key: 'order.shipped', recipient: { email: 'ada@example.com' }, payload: { n: 1 } };

const eventsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ event: { ...EVENT, payload: { n } } }));
const accepted = { status: 201, body: ACCEPTED };
const refused = (status: number, code: string, more: object = {}) => ({
  status,
  body: { error: { code, message: `It is ${code}.`, request_id: 'r-1' } },
  ...more,
});
const answer = (...results: object[]): Step => ({ status: 200, body: { results } });
const allAccepted = (count: number) => answer(...Array.from({ length: count }, () => accepted));

const sent = ({ body }: Seen) =>
  JSON.parse(body).events as { idempotency_key: string; event: { payload: { n: number } } }[];
const numbersOf = (seen: Seen) => sent(seen).map(({ event }) => event.payload.n);

/** A client of a service with a token bucket, by a clock that only the client's waits move. */
function rateLimited({ perSecond, burst }: { perSecond: number; burst: number }) {
  let now = 0;
  let tokens = burst;
  let requests = 0;
  const taken: number[] = [];
  const client = createPostrider({
    baseUrl: 'https://notify.example.com',
    token: 'pr_test_token',
    surroundings: {
      fetch: async (request) => {
        requests += 1;
        const { events } = (await request.json()) as { events: ReturnType<typeof sent> };
        const results = events.map(({ event }) => {
          if (tokens < 1) return refused(429, 'rate_limited', { retry_after: 1 });
          tokens -= 1;
          taken.push(event.payload.n);
          return accepted;
        });
        return Response.json({ results });
      },
      now: () => now,
      wait: async (ms) => {
        now += ms;
        tokens = Math.min(burst, tokens + (ms * perSecond) / 1_000);
      },
    },
  });
  return { client, accepted: taken, requests: () => requests, seconds: () => now / 1_000 };
}

describe('sendBatch', () => {
  it('splits events into requests of 100, in order, and reports progress', async () => {
    const { client, seen } = scriptedClient([allAccepted(100), allAccepted(100), allAccepted(50)]);
    const progress: number[] = [];
    const results = await client.events.sendBatch(eventsOf(250), {
      onProgress: (done) => progress.push(done),
    });

    expect(seen.map((request) => sent(request).length)).toEqual([100, 100, 50]);
    expect(seen.flatMap(numbersOf)).toEqual(Array.from({ length: 250 }, (_, n) => n));
    expect(results.map(({ accepted }) => accepted?.message_id)).toEqual(Array(250).fill(ACCEPTED.message_id));
    expect(progress).toEqual([100, 200, 250, 250]);
  });

  it('splits by bytes, so that no request is larger than 1 MiB', async () => {
    const large = Array.from({ length: 10 }, () => ({
      event: { ...EVENT, payload: { text: 'é'.repeat(100_000) } },
    }));
    const { client, seen } = scriptedClient([allAccepted(5), allAccepted(5)]);
    await client.events.sendBatch(large);

    expect(seen.map((request) => sent(request).length)).toEqual([5, 5]);
    for (const { body } of seen) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1024 * 1024);
    const huge = { event: { ...EVENT, payload: { text: 'x'.repeat(1024 * 1024) } } };
    await expect(client.events.sendBatch([huge])).rejects.toThrow(TypeError);
  });

  it('retries only retryable events, with the same keys and no sooner than Retry-After', async () => {
    const { client, seen, waits } = scriptedClient([
      answer(
        accepted,
        refused(429, 'rate_limited', { retry_after: 3 }),
        refused(422, 'validation_failed'),
        refused(409, 'idempotency_in_progress', { retry_after: 1 }),
      ),
      answer({ ...accepted, idempotent_replayed: true }, accepted),
    ]);
    const results = await client.events.sendBatch(eventsOf(4));

    expect(seen.map(numbersOf)).toEqual([
      [0, 1, 2, 3],
      [1, 3],
    ]);
    const [first, second] = seen.map(sent);
    expect(second?.map(({ idempotency_key: key }) => key)).toEqual([
      first?.[1]?.idempotency_key,
      first?.[3]?.idempotency_key,
    ]);
    expect(waits[0]).toBeGreaterThanOrEqual(3_000);
    expect(
      results.map(({ error, replayed }) => (error as PostriderApiError | undefined)?.code ?? replayed),
    ).toEqual([false, true, 'validation_failed', false]);
  });

  it('retries an event as often as a single one, and keeps its last error', async () => {
    const limited = answer(refused(429, 'rate_limited', { retry_after: 1 }));
    const { client, seen } = scriptedClient([limited, limited], { retry: { maxAttempts: 2 } });
    const [result] = await client.events.sendBatch(eventsOf(1));

    expect(seen).toHaveLength(2);
    expect(result?.error).toMatchObject({ code: 'rate_limited', idempotencyKey: result?.idempotencyKey });
  });

  it('keeps its results and sends nothing more when the service stops responding', async () => {
    const { client, seen } = scriptedClient([allAccepted(100), 'break'], { retry: { maxAttempts: 1 } });
    const results = await client.events.sendBatch(eventsOf(300));

    expect(seen).toHaveLength(2);
    expect(results.filter(({ accepted }) => accepted)).toHaveLength(100);
    expect(results.slice(100).every(({ error }) => error instanceof PostriderConnectionError)).toBe(true);
  });

  it('repeats the whole request with the same bytes when its response is lost', async () => {
    const { client, seen } = scriptedClient(['break', allAccepted(3)]);
    await client.events.sendBatch(eventsOf(3));

    expect(seen).toHaveLength(2);
    expect(seen[1]?.body).toBe(seen[0]?.body);
  });

  it('retries an atomic batch as a whole or not at all', async () => {
    const { client, seen } = scriptedClient([
      answer(refused(409, 'batch_aborted'), refused(409, 'idempotency_in_progress', { retry_after: 1 })),
      answer(refused(409, 'batch_aborted'), refused(422, 'validation_failed')),
    ]);
    const results = await client.events.sendBatch(eventsOf(2), { atomic: true });

    expect(seen.map(numbersOf)).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(results.map(({ error }) => (error as PostriderApiError).code)).toEqual([
      'batch_aborted',
      'validation_failed',
    ]);
    await expect(client.events.sendBatch(eventsOf(101), { atomic: true })).rejects.toThrow('one request');
  });

  it('gives every event the error of its refused request', async () => {
    const { client } = scriptedClient([refusal(401, 'unauthorized')]);
    const results = await client.events.sendBatch(eventsOf(2));

    expect(results.map(({ error }) => error instanceof PostriderApiError && error.code)).toEqual([
      'unauthorized',
      'unauthorized',
    ]);
  });

  it("sends all events within a plan's rate without a refused request", async () => {
    const plan = rateLimited({ perSecond: 10, burst: 20 });
    const results = await plan.client.events.sendBatch(eventsOf(1_000));

    expect(results.filter(({ accepted }) => accepted)).toHaveLength(1_000);
    expect(plan.accepted).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
    expect(plan.seconds()).toBeLessThan(120);
    // A second request of a round would double them.
    expect(plan.requests()).toBeLessThan(110);
  });

  it("gives unsent events the rate limit's error if the wait is too long", async () => {
    const { client, seen } = scriptedClient([
      answer(
        accepted,
        ...Array.from({ length: 99 }, () => refused(429, 'rate_limited', { retry_after: 90 })),
      ),
    ]);
    const results = await client.events.sendBatch(eventsOf(250));

    expect(seen).toHaveLength(1);
    expect(results[0]?.accepted).toBeDefined();
    for (const { error, idempotencyKey } of results.slice(1))
      expect(error).toMatchObject({ code: 'rate_limited', retryAfterMs: 90_000, idempotencyKey });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['JSON of another kind', { ok: true }],
    ['invalid results', { results: [null, { status: 'fine' }] }],
  ])('retries a response 200 with %s', async (_what, body) => {
    const strange: Step = { status: 200, body, headers: { 'content-length': body ? '9' : '0' } };
    const { client, seen } = scriptedClient([strange, allAccepted(2)]);
    const results = await client.events.sendBatch(eventsOf(2));

    expect(seen[1]?.body).toBe(seen[0]?.body);
    expect(results.every(({ accepted }) => accepted)).toBe(true);
  });

  it('keeps its results when something other than the service responds', async () => {
    const strange: Step = { status: 200, headers: { 'content-length': '0' } };
    const { client } = scriptedClient([allAccepted(100), strange, strange], { retry: { maxAttempts: 2 } });
    const results = await client.events.sendBatch(eventsOf(101));

    expect(results.filter(({ accepted }) => accepted)).toHaveLength(100);
    expect(results[100]?.error).toMatchObject({ status: 502, code: 'unexpected_response' });
  });

  it('rejects with the reason of a signal, and given keys make a second call safe', async () => {
    const controller = new AbortController();
    const events = eventsOf(150).map((event, n) => ({ ...event, idempotencyKey: `key-${n}` }));
    const { client, seen } = scriptedClient([allAccepted(100), allAccepted(100), allAccepted(50)]);
    const onProgress = () => controller.abort(new Error('enough'));
    await expect(client.events.sendBatch(events, { signal: controller.signal, onProgress })).rejects.toThrow(
      'enough',
    );
    await client.events.sendBatch(events);

    expect(seen).toHaveLength(3);
    expect(seen[1]?.body).toBe(seen[0]?.body);
  });
});
