import { PostriderApiError, PostriderConnectionError, PostriderTimeoutError } from '@postrider/client';
import { describe, expect, it } from '@postrider/testing';
import { ACCEPTED, refusal, type Step, scriptedClient } from './support/scripted.ts';

const EVENT = { event_key: 'order.shipped', recipient: { email: 'ada@example.com' }, payload: { n: 1 } };
const KEY = '0d4cc4a5-6b0f-4a53-9a52-6a3f6d2f9b11';
const DONE: Step = { status: 201, body: ACCEPTED };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const keysOf = (seen: readonly { headers: Headers }[]) =>
  seen.map(({ headers }) => headers.get('idempotency-key'));

describe('the idempotency key', () => {
  it('is created once per call and kept over its retries, like the bytes of the body', async () => {
    const { client, seen } = scriptedClient(['break', { status: 502 }, 'break-in-body', DONE]);

    expect(await client.events.send(EVENT)).toEqual(ACCEPTED);
    expect(seen).toHaveLength(4);
    expect(new Set(keysOf(seen)).size).toBe(1);
    expect(keysOf(seen)[0]).toMatch(UUID);
    expect(new Set(seen.map(({ body }) => body))).toEqual(new Set([JSON.stringify(EVENT)]));
  });

  it('differs for the next call', async () => {
    const { client, seen } = scriptedClient([DONE, DONE]);
    await client.events.send(EVENT);
    await client.events.send(EVENT);

    expect(new Set(keysOf(seen)).size).toBe(2);
  });

  it('can be given for events, replays and cancels', async () => {
    const { client, seen } = scriptedClient([DONE, DONE, { status: 200, body: {} }]);
    await client.events.send(EVENT, { idempotencyKey: KEY });
    await client.messages.replay('msg_1', { channels: ['chn_1'] }, { idempotencyKey: KEY });
    await client.deliveryRuns.cancel('run_1', { idempotencyKey: KEY });

    expect(keysOf(seen)).toEqual([KEY, KEY, KEY]);
    expect(seen[1]?.body).toBe('{"channels":["chn_1"]}');
  });

  it('is in the error, so that the caller can retry with it later', async () => {
    const { client, seen } = scriptedClient(['break', 'break'], { retry: { maxAttempts: 2 } });
    const error = await client.events.send(EVENT).catch((thrown) => thrown);

    expect(error).toBeInstanceOf(PostriderConnectionError);
    expect(error.idempotencyKey).toBe(keysOf(seen)[0]);
  });

  it('is sent with the original body, even if the caller changes the object', async () => {
    const event = { ...EVENT, payload: { n: 1 } };
    const { client, seen } = scriptedClient(['break', DONE]);
    const sent = client.events.send(event);
    event.payload.n = 2;
    await sent;

    expect(seen.map(({ body }) => JSON.parse(body).payload.n)).toEqual([1, 1]);
  });
});

describe('a retry', () => {
  it.each([
    ['a lost connection', 'break'],
    ['a truncated response', 'break-in-body'],
    ['500', refusal(500, 'internal_error')],
    ['503', refusal(503, 'service_unavailable')],
    ['a proxy’s 502', { status: 502 }],
    ['429', refusal(429, 'rate_limited')],
    ['a key in progress', refusal(409, 'idempotency_in_progress')],
  ] as [string, Step][])('is made after %s', async (_, step) => {
    const { client, seen } = scriptedClient([step, DONE]);

    expect(await client.events.send(EVENT)).toEqual(ACCEPTED);
    expect(seen).toHaveLength(2);
  });

  it.each([
    [400, 'invalid_json'],
    [401, 'unauthorized'],
    [402, 'quota_exceeded'],
    [402, 'payment_required'],
    [404, 'message_not_found'],
    [409, 'idempotency_conflict'],
    [409, 'delivery_run_not_cancellable'],
    [413, 'payload_too_large'],
    [422, 'validation_failed'],
  ])('is not made after %s %s', async (status, code) => {
    const { client, seen } = scriptedClient([refusal(status, code, { headers: { 'retry-after': '1' } })]);

    await expect(client.events.send(EVENT)).rejects.toMatchObject({ status, code });
    expect(seen).toHaveLength(1);
  });

  it('waits longer each time, with jitter, up to a maximum', async () => {
    const { client, waits } = scriptedClient(Array(6).fill('break'), {
      retry: { maxAttempts: 6, baseDelayMs: 100, maxDelayMs: 500 },
    });
    await expect(client.limits()).rejects.toBeInstanceOf(PostriderConnectionError);

    // Half of the backoff and, by the random number 0.5, half of its other half.
    expect(waits).toEqual([75, 150, 300, 375, 375]);
  });

  it.each([
    ['seconds', '7'],
    ['a date', 'Sat, 21 Nov 2026 12:00:07 GMT'],
  ])('waits at least for Retry-After in %s', async (_, value) => {
    const { client, waits } = scriptedClient([
      refusal(429, 'rate_limited', { headers: { 'retry-after': value } }),
      DONE,
    ]);
    await client.events.send(EVENT);

    expect(waits[0]).toBeGreaterThanOrEqual(7_000);
    expect(waits[0]).toBeLessThan(8_000);
  });

  it('is not made if Retry-After is longer than the maximum wait', async () => {
    const { client, seen } = scriptedClient([
      refusal(503, 'service_unavailable', { headers: { 'retry-after': '3600' } }),
    ]);

    await expect(client.events.send(EVENT)).rejects.toMatchObject({ status: 503, retryAfterMs: 3_600_000 });
    expect(seen).toHaveLength(1);
  });

  it('rejects with the last error after the last try', async () => {
    const { client, seen } = scriptedClient([{ status: 500 }, { status: 500 }, { status: 503 }], {
      retry: { maxAttempts: 3 },
    });

    await expect(client.events.send(EVENT)).rejects.toMatchObject({ status: 503 });
    expect(seen).toHaveLength(3);
  });
});

describe('the time limit of a call', () => {
  it('ends a try without a response and starts the next one', async () => {
    const { client, seen } = scriptedClient(['hang', DONE], { timeoutMs: 20 });

    expect(await client.events.send(EVENT)).toEqual(ACCEPTED);
    expect(seen).toHaveLength(2);
  });

  it('is in the error if no try got a response', async () => {
    const { client } = scriptedClient(['hang'], { timeoutMs: 20, retry: { maxAttempts: 1 } });

    await expect(client.limits()).rejects.toBeInstanceOf(PostriderTimeoutError);
  });

  it('is cut short by the caller’s signal during a try', async () => {
    const { client, seen } = scriptedClient(['hang', DONE]);
    const controller = new AbortController();
    const call = client.events.send(EVENT, { signal: controller.signal });
    controller.abort(new Error('enough'));

    await expect(call).rejects.toThrow('enough');
    expect(seen.length).toBeLessThanOrEqual(1);
  });

  it('is cut short by the caller’s signal during a wait', async () => {
    const controller = new AbortController();
    const { client, seen } = scriptedClient(['break', DONE], {
      surroundings: { fetch: () => Promise.reject(new TypeError('fetch failed')) },
      retry: { baseDelayMs: 3_600_000, maxDelayMs: 3_600_000 },
    });
    const call = client.limits({ signal: controller.signal });
    setImmediate(() => controller.abort(new Error('enough')));

    await expect(call).rejects.toThrow('enough');
    expect(seen).toHaveLength(0);
  });
});

describe('an error', () => {
  it('has the code, message and details of the service', async () => {
    const details = [{ path: '/recipient/email', code: 'required', message: 'is required' }];
    const { client } = scriptedClient([
      {
        status: 422,
        headers: { 'x-trace-id': '0af7651916cd43dd8448eb211c80319c' },
        body: { error: { code: 'validation_failed', message: 'No.', request_id: 'checkout-1', details } },
      },
    ]);
    const error = await client.events.send(EVENT, { requestId: 'checkout-1' }).catch((thrown) => thrown);

    expect(error).toBeInstanceOf(PostriderApiError);
    expect(error).toMatchObject({
      name: 'PostriderApiError',
      message: 'No.',
      status: 422,
      code: 'validation_failed',
      details,
      requestId: 'checkout-1',
      traceId: '0af7651916cd43dd8448eb211c80319c',
      retryAfterMs: null,
    });
  });

  it('says that the response is not from the service', async () => {
    const { client } = scriptedClient([{ status: 301, headers: { location: 'https://elsewhere.example' } }]);

    await expect(client.limits()).rejects.toMatchObject({ status: 301, code: 'unexpected_response' });
  });

  it('does not contain the token', async () => {
    const { client } = scriptedClient(['break'], { retry: { maxAttempts: 1 } });
    const error = await client.limits().catch((thrown) => thrown);

    expect(JSON.stringify(error) + error.stack + String(error.cause?.stack)).not.toContain('pr_test_token');
  });

  it('is thrown at once for an invalid token or URL', () => {
    expect(() => scriptedClient([], { token: 'pr_x\ny' })).toThrow(/^(?!.*pr_x).*token/);
    expect(() => scriptedClient([], { baseUrl: 'notify.example.com' })).toThrow(/URL/);
    expect(() => scriptedClient([], { baseUrl: 'http://me:hunter2@localhost' })).toThrow(
      /^(?!.*hunter2).*password/,
    );
  });
});

describe('a list', () => {
  const page = (ids: string[], next: string | null): Step => ({
    status: 200,
    body: { data: ids.map((id) => ({ id })), has_more: next !== null, next_cursor: next },
  });

  it('is read by page, each only when it is needed', async () => {
    const { client, seen } = scriptedClient([page(['a', 'b'], 'c1'), page(['c'], null)]);
    const found: string[] = [];
    for await (const { id } of client.messages.all({ event_key: 'order.shipped', limit: 2 })) {
      found.push(`${seen.length}${id}`);
    }

    expect(found).toEqual(['1a', '1b', '2c']);
    expect(seen.map(({ url }) => new URL(url).search)).toEqual([
      '?event_key=order.shipped&limit=2',
      '?event_key=order.shipped&limit=2&cursor=c1',
    ]);
  });

  it('can return one page and its cursor', async () => {
    const { client } = scriptedClient([page(['a'], 'c1')]);

    expect(await client.messages.page({ limit: 1 })).toMatchObject({ has_more: true, next_cursor: 'c1' });
  });
});
