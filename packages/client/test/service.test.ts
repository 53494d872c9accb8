import { randomBytes, randomUUID } from 'node:crypto';
import { createPostrider, type Message, type Postrider, type PostriderOptions } from '@postrider/client';
import {
  createFixture,
  createTestDatabase,
  type FixtureInput,
  type TestDatabase,
} from '@postrider/db/testing';
import { createSecretBox } from '@postrider/domain';
import { chooseFreePort } from '@postrider/rig/servers';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type ServiceHere, startServiceHere } from '../../../apps/api/test/support/service.ts';
import { runExample, startExample } from './support/examples.ts';
import { type LosingProxy, startLosingProxy } from './support/losing-proxy.ts';

const KEY = randomBytes(32);
const EVENT = {
  event_key: 'order.shipped',
  recipient: { email: 'ada@example.com', name: 'Ada', locale: 'cs' },
  payload: { order_id: 'A-1' },
};

let database: TestDatabase;
let service: ServiceHere;
let proxy: LosingProxy;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceHere({
    database,
    worker: true,
    env: { ENCRYPTION_KEYS: `test:${KEY.toString('base64')}` },
  });
  proxy = await startLosingProxy(service.url);
});
afterAll(async () => {
  await proxy.close();
  await service.stop();
  await database.drop();
});

function webhookChannel(url: string) {
  return { kind: 'webhook', name: 'Shop', config: { url } } as const;
}

/** An environment with a webhook channel, and a client of it. */
async function environment(input: FixtureInput = {}, options: Partial<PostriderOptions> = {}) {
  // Nobody listens at the channel's address: these tests end with the acceptance.
  const channels = [webhookChannel('http://127.0.0.1:9/in')];
  const box = createSecretBox([{ id: 'test', key: KEY }]);
  const made = await createFixture(database.db, { channels, ...input }, box);
  const client = createPostrider({ baseUrl: proxy.url, token: made.token, ...options });
  return { ...made, client };
}

async function messagesOf(client: Postrider): Promise<Message[]> {
  const found: Message[] = [];
  for await (const message of client.messages.all({ limit: 2 })) found.push(message);
  return found;
}

describe('the client against the service', () => {
  it.each(['..', '.', '', '../../healthz', 'msg_?x#y'])('sends the id %j as one segment', async (id) => {
    const { client } = await environment();
    const message = client.messages.get(id);
    await expect(message).rejects.toMatchObject({ status: 404, code: 'message_not_found' });
  });

  it.each([undefined, '', 'pr_a b', 'pr_a\nb'])('is not created with the token %j', (token) => {
    const create = () => createPostrider({ baseUrl: proxy.url, token: token as string });
    expect(create).toThrow('The token is missing, or has characters that no token has.');
  });

  it.each([undefined, '', '/api', 'localhost:3000', 'ftp://x'])(
    'is not created with the address %j',
    (baseUrl) => {
      const create = () => createPostrider({ baseUrl: baseUrl as string, token: 'pr_x' });
      expect(create).toThrow(
        'The address (baseUrl) is missing, or begins with neither https:// nor http://.',
      );
    },
  );

  it('creates one message per call, even if responses are lost and the service is down for a while', async () => {
    const { client } = await environment();
    proxy.plan.push('lose-answer', 'unavailable', 'lose-answer');
    const { message_id } = await client.events.send(EVENT);

    expect((await messagesOf(client)).map(({ id }) => id)).toEqual([message_id]);
  });

  it('replays once and cancels once, even if responses are lost', async () => {
    const { client } = await environment();
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const { message_id, delivery_runs } = await client.events.send({ ...EVENT, schedule_at: later });
    proxy.plan.push('lose-answer');
    const cancelled = await client.deliveryRuns.cancel(delivery_runs[0]?.id ?? '');
    proxy.plan.push('lose-answer');
    await client.messages.replay(message_id);

    expect(cancelled.status).toBe('cancelled');
    const runs = (await client.messages.deliveries(message_id)).delivery_runs;
    expect(runs.map(({ trigger }) => trigger)).toEqual(['event', 'replay']);
  });

  it('accepts a repeated key for the same call and refuses it for another', async () => {
    const { client } = await environment();
    const idempotencyKey = randomUUID();
    const first = await client.events.send(EVENT, { idempotencyKey });

    expect(await client.events.send(EVENT, { idempotencyKey })).toEqual(first);
    await expect(client.events.send({ ...EVENT, payload: {} }, { idempotencyKey })).rejects.toMatchObject({
      status: 409,
      code: 'idempotency_conflict',
    });
  });

  it('waits for the rate limit until all events are accepted', async () => {
    const { client } = await environment({ plan: { requestsPerSecond: 5, burst: 1 } });
    await Promise.all(Array.from({ length: 4 }, () => client.events.send(EVENT)));

    expect(await messagesOf(client)).toHaveLength(4);
  });

  it('rejects at once when the quota is used up, with usage and limit', async () => {
    const { client } = await environment({ plan: { eventsPerMonth: 0 } });

    await expect(client.events.send(EVENT, { requestId: 'checkout-7' })).rejects.toMatchObject({
      status: 402,
      code: 'quota_exceeded',
      requestId: 'checkout-7',
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      details: expect.arrayContaining([expect.objectContaining({ code: 'quota_limit' })]),
    });
  });

  it('lists every message once, newest first, by page', async () => {
    const { client } = await environment();
    const sent: string[] = [];
    for (let n = 0; n < 5; n += 1) sent.push((await client.events.send(EVENT)).message_id);

    expect((await messagesOf(client)).map(({ id }) => id)).toEqual(sent.reverse());
  });

  it('reads usage and limits', async () => {
    const { client } = await environment({ plan: { eventsPerMonth: 7 } });
    await client.events.send(EVENT);

    expect((await client.usage()).events).toEqual({ used: 1, limit: 7, remaining: 6 });
    expect((await client.limits()).quota).toEqual({ events_per_month: 7 });
  });
});

describe('the examples', () => {
  it('send an event, receive its webhook, and count the messages', async () => {
    const port = await chooseFreePort();
    const { token, channels } = await environment({
      channels: [webhookChannel(`http://127.0.0.1:${port}/webhooks`)],
    });
    const variables = { POSTRIDER_URL: service.url, POSTRIDER_TOKEN: token };
    const receiver = await startExample('receive-webhooks.ts', ['--once'], {
      WEBHOOK_SECRET: channels[0]?.secret ?? '',
      PORT: String(port),
    });

    const sent = await runExample('send-event.ts', variables);
    expect(sent.split('\n')[0]).toMatch(/^accepted as msg_/);
    expect(sent).toMatch(/webhook "Shop": attempt 1 succeeded, \d+ ms/);
    expect(await receiver.ended).toMatch(/^order.shipped {.*"order_id":"A-1001"/m);
    expect(JSON.parse(await runExample('list-messages.ts', variables))).toEqual({ delivered: 1 });
  });
});
