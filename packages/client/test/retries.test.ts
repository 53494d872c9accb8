import { PostriderConnectionError } from '@postrider/client';
import { describe, expect, it } from '@postrider/testing';
import { ACCEPTED, type Step, scriptedClient } from './support/scripted.ts';

const EVENT = { event_key: 'order.shipped', recipient: { email: 'ada@example.com' }, payload: { n: 1 } };
const DONE: Step = { status: 201, body: ACCEPTED };

describe('the idempotency key', () => {
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
  it('waits longer each time, with jitter, up to a maximum', async () => {
    const { client, waits } = scriptedClient(Array(6).fill('break'), {
      retry: { maxAttempts: 6, baseDelayMs: 100, maxDelayMs: 500 },
    });
    await expect(client.limits()).rejects.toBeInstanceOf(PostriderConnectionError);

    // Half of the backoff and, by the random number 0.5, half of its other half.
    expect(waits).toEqual([75, 150, 300, 375, 375]);
  });
});

describe('the time limit of a call', () => {
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
  it('does not contain the token', async () => {
    const { client } = scriptedClient(['break'], { retry: { maxAttempts: 1 } });
    const error = await client.limits().catch((thrown) => thrown);

    expect(JSON.stringify(error) + error.stack + String(error.cause?.stack)).not.toContain('pr_test_token');
  });

  it('is thrown at once for an invalid token or URL', () => {
    expect(() => scriptedClient([], { token: 'pr_x\ny' })).toThrow(/^(?!.*pr_x).*token/);
    expect(() => scriptedClient([], { baseUrl: 'notify.example.com' })).toThrow(/baseUrl/);
    expect(() => scriptedClient([], { baseUrl: 'http://me:hunter2@localhost' })).toThrow(
      /^(?!.*hunter2).*password/,
    );
  });
});

describe('a response without end', () => {
  it.each([200, 500])('fails with status %d, and is not read any further', async (status) => {
    const piece = new Uint8Array(1024 * 1024).fill(32);
    let pieces = 0;
    let isCancelled = false;
    const body = () =>
      new ReadableStream({
        pull(controller) {
          pieces += 1;
          // Ends some time, so that a client without a limit fails the test instead of filling the memory.
          if (pieces > 100) controller.close();
          else controller.enqueue(piece);
        },
        cancel() {
          isCancelled = true;
        },
      });
    const { client } = scriptedClient([], {
      surroundings: { fetch: async () => new Response(body(), { status }) },
      retry: { maxAttempts: 1 },
    });
    const error = await client.limits().catch((thrown) => thrown);

    expect(error).toBeInstanceOf(PostriderConnectionError);
    expect(error.message).toBe('The response is larger than 64 MiB.');
    expect(isCancelled).toBe(true);
  });
});

describe('a list', () => {
  const page = (ids: string[], next: string | null): Step => ({
    status: 200,
    body: { data: ids.map((id) => ({ id })), has_more: next !== null, next_cursor: next },
  });

  it('can return one page and its cursor', async () => {
    const { client } = scriptedClient([page(['a'], 'c1')]);

    expect(await client.messages.page({ limit: 1 })).toMatchObject({ has_more: true, next_cursor: 'c1' });
  });
});
