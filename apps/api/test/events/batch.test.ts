import { randomUUID } from 'node:crypto';
import { createIngestBatch } from '@postrider/db';
import { describe, expect, it } from '@postrider/testing';
import { anEvent, startApi } from '../support/api.ts';
import { batchesOf, type Item, item, items, outcomes, type Result } from '../support/batches.ts';
import { useApi } from '../support/database.ts';

const world = useApi();
const { post, results, stored } = batchesOf(world);

describe('POST /api/v1/events/batch', () => {
  it('accepts each event like a single request, in order, and enqueues its runs', async () => {
    const environment = await world.environment();
    const events = items(100);
    const accepted = await results(environment.token, events);

    expect(outcomes(accepted)).toEqual(events.map(() => 201));
    expect(await stored(environment)).toEqual({ messages: 100, runs: 100, answers: 100 });
    const alone = await world
      .api()
      .postEvent(environment.token, events[7]?.event, events[7]?.idempotency_key);
    expect(alone.headers['idempotent-replayed']).toBe('true');
    expect(alone.body).toEqual(accepted[7]?.body);
  });

  it('refuses events individually, each with the response of a single request', async () => {
    const { token } = await world.environment();
    const events = [
      item(),
      item(anEvent({ event_key: 'no' })),
      item(anEvent(), 'no-uuid'),
      item(anEvent({ payload: { text: 'x'.repeat(260 * 1024) } })),
      item(anEvent({ payload: { text: 'a\u0000b' } })),
      item(anEvent({ payload: { list: Array.from({ length: 900 }, () => 1e300) } })),
      item(),
    ];
    const given = await results(token, events);

    expect(outcomes(given)).toEqual([
      201,
      'validation_failed',
      'idempotency_key_invalid',
      'payload_too_large',
      'invalid_json',
      'invalid_json',
      201,
    ]);
    const alone = await world.api().postEvent(token, anEvent({ event_key: 'no' }));
    const body = given[1]?.body as { error?: Record<string, unknown> } | undefined;
    expect({ ...body?.error, request_id: alone.body.error.request_id }).toEqual(alone.body.error);
  });

  it('refuses an event with a number that would lose digits by itself, with the path in that event', async () => {
    const { token } = await world.environment();
    const events = [item(anEvent({ payload: { order: { id: 'NUMBER' } } })), item()];
    const text = JSON.stringify({ events }).replace('"NUMBER"', '9007199254740993');
    const { body } = await post(token, text).expect(200);
    expect(body.results).toMatchObject([
      { status: 422, body: { error: { details: [{ path: '/payload/order/id', code: 'too_large' }] } } },
      { status: 201 },
    ]);
  });

  it('accepts no number that would lose digits after an event with very many of them', async () => {
    const { token } = await world.environment();
    const events = [
      item(anEvent({ payload: { ids: 'NUMBERS' } })),
      item(anEvent({ payload: { id: 'NUMBER' } })),
    ];
    const text = JSON.stringify({ events })
      .replace('"NUMBERS"', `[${Array(300).fill('9007199254740993').join()}]`)
      .replace('"NUMBER"', '9007199254740993');
    const { body } = await post(token, text).expect(200);
    expect(body.results).toMatchObject([
      { status: 422, body: { error: { code: 'validation_failed' } } },
      { status: 422, body: { error: { details: [{ path: '', code: 'too_large' }] } } },
    ]);
  });

  it('refuses an event of 33 levels by itself, and a body of more than 64 before parsing it', async () => {
    const environment = await world.environment();
    // The event and its payload are two levels.
    const deep = (levels: number) => JSON.parse('['.repeat(levels - 2) + ']'.repeat(levels - 2));
    const eventOf = (levels: number) => item(anEvent({ payload: { list: deep(levels) } }));
    // Around the event are three levels.
    const given = await results(environment.token, [eventOf(32), eventOf(33), eventOf(61), item()]);
    expect(outcomes(given)).toEqual([201, 'invalid_json', 'invalid_json', 201]);

    const tooDeep = [
      JSON.stringify({ events: [eventOf(62)] }),
      // Found behind what an event alone is refused for, and before what the parser refuses.
      `{"events":["\\u0000",${'['.repeat(1_000_000)}`,
    ];
    for (const body of tooDeep) {
      const response = await post(environment.token, body);
      expect(response.status).toBe(400);
      expect(response.body.error).toMatchObject({
        code: 'invalid_json',
        message: 'The body is nested deeper than 64 levels.',
      });
    }
    expect(await stored(environment)).toMatchObject({ messages: 2 });
  });

  it.each([
    ['no object', []],
    ['no events', { events: [] }],
    ['101 events', { events: items(101) }],
    ['an unknown field', { events: items(1), atomik: true }],
    ['an event that is no object', { events: [item('text')] }],
    ['an event without key', { events: [{ event: anEvent() }] }],
  ])('answers 422 and stores nothing for %s', async (_what, body) => {
    const environment = await world.environment();
    const response = await post(environment.token, body);
    expect([response.status, response.body.error.code]).toEqual([422, 'validation_failed']);
    expect(await stored(environment)).toEqual({ messages: 0, runs: 0, answers: 0 });
  });

  it('accepts a body of up to 1 MiB, whatever the plan allows for one event', async () => {
    const { token } = await world.environment({ plan: { maxPayloadBytes: 10_000 } });
    const large = Array.from({ length: 100 }, () => item(anEvent({ payload: { text: 'x'.repeat(9_000) } })));
    expect(outcomes(await results(token, large))).toEqual(large.map(() => 201));
    const larger = Array.from({ length: 100 }, () =>
      item(anEvent({ payload: { text: 'x'.repeat(11_000) } })),
    );
    expect((await post(token, { events: larger })).body.error.code).toBe('payload_too_large');
  });

  it('counts a repeated key as one event', async () => {
    const environment = await world.environment();
    const [first] = items(1) as [Item];
    const again = { ...first, idempotency_key: first.idempotency_key.toUpperCase() };
    expect(outcomes(await results(environment.token, [first, again]))).toEqual([
      201,
      'idempotency_key_repeated',
    ]);
    expect(await stored(environment)).toEqual({ messages: 1, runs: 1, answers: 1 });
  });

  it('returns the first responses when the whole batch is sent again, even if the quota is exhausted', async () => {
    const environment = await world.environment({ plan: { eventsPerMonth: 3 } });
    const events = items(3);
    const first = await results(environment.token, events);
    const again = await results(environment.token, events);
    expect(again).toEqual(first.map((result) => ({ ...result, idempotent_replayed: true })));
    expect(await stored(environment)).toMatchObject({ messages: 3 });
  });

  it('returns stored responses among new and refused events, without counting them again', async () => {
    const environment = await world.environment({ plan: { eventsPerMonth: 4 } });
    const events = items(3) as [Item, Item, Item];
    const first = await results(environment.token, events);
    const invalidNow = item(anEvent({ event_key: 'no' }), events[1].idempotency_key);
    const given = await results(environment.token, [events[0], ...items(2), invalidNow, events[2]]);
    expect(outcomes(given)).toEqual([201, 201, 'quota_exceeded', 'idempotency_conflict', 201]);
    expect([given[0], given[4]]).toEqual([
      { ...first[0], idempotent_replayed: true },
      { ...first[2], idempotent_replayed: true },
    ]);
    expect(await stored(environment)).toMatchObject({ messages: 4 });
  });

  it('responds with a conflict for a key that another event has used', async () => {
    const { token } = await world.environment();
    const [first] = items(1) as [Item];
    await results(token, [first]);
    const other = item(anEvent({ payload: { other: true } }), first.idempotency_key);
    expect(outcomes(await results(token, [other, item()]))).toEqual(['idempotency_conflict', 201]);
  });

  it('accepts the first events if the quota does not suffice for all', async () => {
    const environment = await world.environment({ plan: { eventsPerMonth: 4 } });
    const given = await results(environment.token, items(7));
    expect(outcomes(given)).toEqual([
      201,
      201,
      201,
      201,
      'quota_exceeded',
      'quota_exceeded',
      'quota_exceeded',
    ]);
    expect(await stored(environment)).toMatchObject({ messages: 4 });
  });

  it('accepts exactly the quota when batches race with single events in two processes', async () => {
    const environment = await world.environment({ plan: { eventsPerMonth: 150 } });
    const other = await startApi(world.db());
    try {
      const batches = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          post(environment.token, { events: items(40) }, index % 2 ? other : world.api()),
        ),
      );
      const single = await Promise.all(
        Array.from({ length: 20 }, () => world.api().postEvent(environment.token)),
      );
      const statuses = [
        ...batches.flatMap(({ body }) => (body.results as Result[]).map(({ status }) => status)),
        ...single.map(({ status }) => status),
      ];
      expect(new Set(statuses)).toEqual(new Set([201, 402]));
      expect(statuses.filter((status) => status === 201)).toHaveLength(150);
      expect(await stored(environment)).toMatchObject({ messages: 150 });
    } finally {
      await other.stop();
    }
  });

  it('stores each event once when the same batch arrives many times concurrently', async () => {
    const environment = await world.environment();
    const events = items(20);
    const all = await Promise.all(Array.from({ length: 8 }, () => results(environment.token, events)));
    const bodies = new Set(all.map((one) => JSON.stringify(one.map(({ body }) => body))));
    expect(bodies.size).toBe(1);
    expect(await stored(environment)).toMatchObject({ messages: 20, answers: 20 });
  });

  it('counts each event against the rate limit', async () => {
    const { token } = await world.environment({ plan: { requestsPerSecond: 1, burst: 3 } });
    const response = await post(token, { events: items(5) });
    expect(outcomes(response.body.results)).toEqual([201, 201, 201, 'rate_limited', 'rate_limited']);
    expect(response.headers.ratelimit).toMatch(/r=0/);
    expect(response.body.results[4].retry_after).toBeGreaterThan(0);
  });

  it('takes one token per event and per further request under concurrency', async () => {
    const environment = await world.environment({ plan: { requestsPerSecond: 1, burst: 1_000 } });
    let used = 0;
    const api = await world.more({
      takeBucketTokens: async (_bucket, _rate, { wanted } = { wanted: 1 }) => {
        used += wanted;
        const giveBack = (count: number) => {
          used -= count;
        };
        return { taken: wanted, remaining: 0, retryAfterMs: 0, resetMs: 0, giveBack };
      },
    });
    const body = JSON.stringify({ events: items(20) });
    const send = () =>
      api.post('/api/v1/events/batch', environment.token).set('Content-Type', 'application/json').send(body);
    const responses = await Promise.all(Array.from({ length: 8 }, send));
    expect(responses.flatMap(({ body: { results: all } }) => outcomes(all))).toEqual(Array(160).fill(201));
    expect(used).toBe(20 + 7);
  });

  it('takes a token for a request that is refused as a whole, before parsing it', async () => {
    const { token } = await world.environment({ plan: { requestsPerSecond: 1, burst: 2 } });
    const statuses = [];
    for (let count = 0; count < 4; count += 1) {
      const response = await world
        .api()
        .post('/api/v1/events/batch', token)
        .set('Content-Type', 'application/json')
        .send('{');
      statuses.push(response.status);
    }
    expect(statuses.slice(0, 2)).toEqual([400, 400]);
    expect(statuses).toContain(429);
  });

  it('limits the issues of a response, with at least one per event', async () => {
    const { token } = await world.environment();
    const unknown = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`field_${index}`, 1]));
    const { body } = await post(token, { events: Array.from({ length: 20 }, () => item(anEvent(unknown))) });
    const counts = (body.results as { body: { error: { details: unknown[] } } }[]).map(
      (result) => result.body.error.details.length,
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThan(550);
    expect(Math.min(...counts)).toBe(1);
  });

  it('reports only the first issue of a body with very many', async () => {
    const { token } = await world.environment();
    const response = await post(token, { events: Array.from({ length: 100_000 }, () => ({})) });
    expect([response.status, response.body.error.details.length]).toEqual([422, 1]);
  });

  it('does not delay one tenant behind the batches of another', async () => {
    const greedy = await world.environment();
    const other = await world.environment();
    const flood = Promise.all(Array.from({ length: 30 }, () => post(greedy.token, { events: items(100) })));
    const done: string[] = [];
    void flood.then(() => done.push('flood'));
    const { body } = await post(other.token, { events: items(1) });
    done.push('other');
    expect(outcomes(body.results)).toEqual([201]);
    expect(done).toEqual(['other']);
    await flood;
  });

  it('refuses every event of a tenant that does not pay', async () => {
    const { token } = await world.environment({ billingStatus: 'suspended' });
    expect(outcomes(await results(token, items(2)))).toEqual(['payment_required', 'payment_required']);
  });

  it('fails only the event that cannot be stored, and stores the others', async () => {
    const environment = await world.environment();
    const api = await startApi(world.db(), {
      ingestBatch: (
        (accept) => async (batch) =>
          accept({
            ...batch,
            // A run of a missing channel, which the foreign key refuses.
            events: batch.events.map((event, index) =>
              index === 1
                ? {
                    ...event,
                    runs: event.runs.map((run) => ({
                      ...run,
                      channel: { ...run.channel, id: randomUUID() },
                    })),
                  }
                : event,
            ),
          })
      )(createIngestBatch(world.db())),
    });
    try {
      const { body } = await post(environment.token, { events: items(3) }, api);
      expect(outcomes(body.results)).toEqual([201, 'internal_error', 201]);
      expect(JSON.stringify(api.log)).toContain('error');
      expect(await stored(environment)).toMatchObject({ messages: 2 });
    } finally {
      await api.stop();
    }
  });
});
