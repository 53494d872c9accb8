import { createPostrider } from '@postrider/client';
import { describe, expect, it } from '@postrider/testing';
import { ACCEPTED, type Seen, type Step, scriptedClient } from './support/scripted.ts';

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

  it("sends all events within a plan's rate without a refused request", async () => {
    const plan = rateLimited({ perSecond: 10, burst: 20 });
    const results = await plan.client.events.sendBatch(eventsOf(1_000));

    expect(results.filter(({ accepted }) => accepted)).toHaveLength(1_000);
    expect(plan.accepted).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
    expect(plan.seconds()).toBeLessThan(120);
    // A second request of a round would double them.
    expect(plan.requests()).toBeLessThan(110);
  });

  it('keeps its results when something other than the service responds', async () => {
    const strange: Step = { status: 200, body: {} };
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
