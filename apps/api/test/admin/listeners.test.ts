import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { testRedisUrl } from '@postrider/db/testing';
import { formatId, parseId, reject } from '@postrider/domain';
import { findKeys } from '@postrider/local-stack/testing';
import { createListenerRelay, openRedis, type RedisClient, type RelayedDelivery } from '@postrider/queue';
import { waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { createListeners } from '../../src/listeners/listeners.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { channelActions, detailsOf, HOOK, pathOf } from '../support/channels.ts';
import { useApi } from '../support/database.ts';

const world = useApi();
const { anEnvironment, post, patch } = channelActions(world);
const listener = (config: object = {}, more: object = {}) => ({
  ...{ kind: 'webhook', name: 'laptop', ...more },
  config: { url: 'listen://laptop', ...config },
});

/** Two API processes that share a Redis, and the side of a worker. */
let redis: RedisClient;
let relay: ReturnType<typeof createListenerRelay>;
let apis: TestApi[];
const listenerOf = (channelId: string) =>
  waitFor('a listener', async () =>
    (await findKeys(redis, 'test-')).some((key) => key.endsWith(`{${channelId}}:here`)),
  );
const openListeners = () =>
  createListeners({
    relay,
    monotonicMs: () => performance.now(),
    isStopping: () => false,
    bounds: { pollEveryMs: 20, total: 4, perOwner: 2 },
  });
beforeAll(async () => {
  redis = openRedis(testRedisUrl(), { offline: 'queue', silenceLimitMs: 10_000 });
  relay = createListenerRelay(redis, `test-${randomUUID()}`);
  apis = [
    await startApi(world.db(), { listeners: openListeners() }),
    await startApi(world.db(), { listeners: openListeners() }),
  ];
});
afterAll(async () => {
  await Promise.all(apis.map((api) => api.stop()));
  redis.disconnect();
});

describe('a channel for a listener', () => {
  it('has at most four open deliveries, no credentials, and stays one', async () => {
    const { id } = await anEnvironment();
    const { body } = await post(id, listener({}, { max_in_flight: 100 })).expect(201);
    expect(body).toMatchObject({ config: { url: 'listen://laptop' }, max_in_flight: 4 });
    expect((await patch(body.id, { max_in_flight: null }).expect(200)).body.max_in_flight).toBe(4);
    const secrets = { auth: { type: 'bearer', token: 't' }, secret_headers: { 'X-Key': 'k' } };
    expect(detailsOf(await post(id, listener(secrets)).expect(422)).sort()).toEqual([
      ['/config/auth', 'invalid_value'],
      ['/config/secret_headers', 'invalid_value'],
    ]);
    const url = [['/config/url', 'invalid_value']];
    expect(detailsOf(await patch(body.id, { config: { url: HOOK.config.url } }).expect(422))).toEqual(url);
    const { body: hook } = await post(id, HOOK).expect(201);
    expect(detailsOf(await patch(hook.id, { config: { url: 'listen://laptop' } }).expect(422))).toEqual(url);
    expect(detailsOf(await post(id, listener({ url: 'listen://a/b' })).expect(422))).toEqual([
      ['/config/url', 'invalid_format'],
    ]);
  });

  it('is one of ten in its environment, and none of a consumer', async () => {
    const { id } = await anEnvironment();
    for (let number = 0; number < 10; number += 1) await post(id, listener()).expect(201);
    expect((await post(id, listener()).expect(409)).body.error.message).toContain('at most 10');
    await post(id, HOOK).expect(201);
    const consumer = `/admin/v1/environments/${id}/consumers/c1`;
    await world
      .api()
      .admin('put', consumer, {})
      .expect((response) => expect(response.status).toBeLessThan(300));
    const refused = await world.api().admin('post', `${consumer}/channels`, listener()).expect(422);
    expect(detailsOf(refused)).toEqual([['/config/url', 'invalid_value']]);
  });

  it('hands each delivery to one request, of whichever process, and takes its answer at any', async () => {
    const { id } = await anEnvironment();
    const { body: channel } = await post(id, listener()).expect(201);
    const channelId = parseId('chn', channel.id) ?? '';
    const take = (api: TestApi | undefined) =>
      api?.admin('post', `${pathOf(channel.id)}/listen`, { wait_seconds: 20 }).expect(200);
    const waiting = [take(apis[0]), take(apis[1])].map(async (asked) => (await asked)?.body.delivery);
    await listenerOf(channelId);
    const signal = new AbortController().signal;
    const deliver = (body: string) =>
      relay.deliver({ channelId, headers: { 'webhook-id': 'run_1' }, body, timeoutMs: 30_000, signal });
    const delivered = [deliver('one'), deliver('two')];
    const deliveries = await Promise.all(waiting);
    expect(deliveries.map(({ body }) => body).sort()).toEqual(['one', 'two']);
    for (const { id: of, body } of deliveries) {
      const answer = { id: of, status: body === 'one' ? 201 : 500, body };
      await apis[1]?.admin('post', `${pathOf(channel.id)}/listen/answer`, answer).expect(204);
      await apis[0]?.admin('post', `${pathOf(channel.id)}/listen/answer`, answer).expect(409);
    }
    expect(await Promise.all(delivered)).toEqual([
      { status: 201, headers: {}, body: 'one' },
      { status: 500, headers: {}, body: 'two' },
    ]);
  });

  it('is listened to by a tenant that has no request yet, though others have taken all of a process', async () => {
    const stop = new AbortController();
    const headers = {
      Authorization: 'Bearer an-admin-token-of-the-tests-0123456789',
      'Content-Type': 'application/json',
    };
    const [one, other, third] = await Promise.all(
      [1, 2, 3].map(async () => {
        const { body: channel } = await post((await anEnvironment()).id, listener()).expect(201);
        return (seconds: number) =>
          fetch(`${apis[1]?.url}${pathOf(channel.id)}/listen`, {
            method: 'POST',
            headers,
            signal: stop.signal,
            body: JSON.stringify({ wait_seconds: seconds }),
          }).then(({ status }) => status);
      }),
    );
    if (!one || !other || !third) throw new Error('no channels');
    const waiting = [one(20), one(20), other(20), other(20)];
    await waitFor('all places taken', async () => (await one(0)) === 503 && (await other(0)) === 503);
    expect(await third(0)).toBe(200);
    // The oldest request has ended without a delivery, and its listener asks again.
    expect(await Promise.race(waiting)).toBe(200);
    stop.abort();
    await Promise.allSettled(waiting);
  });

  /** Asks for the next delivery of a channel, and resolves with its body or null. */
  function askOf(channelId: string) {
    const listeners = openListeners();
    return (findCaller: () => Promise<unknown>) =>
      new Promise<string>((resolve) => {
        const res = { once: () => undefined, end: (bytes: Uint8Array) => resolve(String(bytes)) };
        const present = (delivery: RelayedDelivery | null) => delivery?.body ?? null;
        const holder = { owner: channelId };
        listeners.open({ channelId, holder, waitMs: 20_000, present, findCaller })(
          res as unknown as ServerResponse,
        );
      });
  }

  it('keeps a request waiting while its caller cannot be looked up, and gives no delivery to it meanwhile', async () => {
    const channelId = randomUUID();
    const end = new AbortController();
    const delivery = { channelId, headers: {}, timeoutMs: 30_000, signal: end.signal };
    let isAway = false;
    let lookUps = 0;
    const answers: string[] = [];
    const asked = askOf(channelId)(async () => {
      lookUps += 1;
      if (isAway) throw new Error('PostgreSQL is away');
    }).then((body) => answers.push(body));
    await listenerOf(channelId);
    isAway = true;
    const moreLookUps = (before: number) => waitFor('more look-ups', () => lookUps > before + 2);
    // The last one that succeeded may still take a delivery.
    await moreLookUps(lookUps);
    const delivered = relay.deliver({ ...delivery, body: 'one' });
    await moreLookUps(lookUps);
    expect(answers).toEqual([]);
    isAway = false;
    await asked;
    expect(answers).toEqual(['"one"']);
    end.abort();
    await Promise.allSettled([delivered]);
  });

  it('gives no delivery to a request whose caller lost access while it waited', async () => {
    const channelId = randomUUID();
    const ask = askOf(channelId);
    const answers = [ask(async () => reject('unauthorized')), ask(() => Promise.resolve())];
    await listenerOf(channelId);
    const end = new AbortController();
    const delivered = relay.deliver({
      ...{ channelId, headers: {}, body: 'one', timeoutMs: 30_000 },
      signal: end.signal,
    });
    expect(await Promise.all(answers)).toEqual(['null', '"one"']);
    end.abort();
    await Promise.allSettled([delivered]);
  });

  it('gives no delivery to a waiting request of an operator whose bounds were narrowed', async () => {
    const [environment, other] = [await anEnvironment(), await anEnvironment()];
    const { body: channel } = await post(environment.id, listener()).expect(201);
    const admin = (method: 'post' | 'patch', path: string, body: object) =>
      apis[0]?.admin(method, `/admin/v1/${path}`, body).then((response) => response.body);
    const operator = await admin('post', 'operators', {
      ...{ email: `${randomUUID()}@example.com`, name: 'Ada', role: 'admin' },
    });
    const { token } = await admin('post', 'operator-tokens', { name: 'own', operator_id: operator.id });
    const headers = { Authorization: `Bearer ${token}` };
    const path = `${apis[0]?.url}${pathOf(channel.id)}`;
    const waiting = fetch(`${path}/listen`, { method: 'POST', headers }).then((response) => response.json());
    const channelId = parseId('chn', channel.id) as string;
    await listenerOf(channelId);
    await admin('patch', `operators/${operator.id}`, { environments: [other.id] });
    await waitFor('the bounds', async () => (await fetch(path, { headers })).status === 404);
    const end = new AbortController();
    const delivered = relay.deliver({
      ...{ channelId, headers: {}, body: 'one', timeoutMs: 30_000 },
      signal: end.signal,
    });
    expect(await waiting).toEqual({ delivery: null });
    end.abort();
    await Promise.allSettled([delivered]);
  });

  it('is listened to by a few requests of a tenant at once, which ask no other channel', async () => {
    const environment = await anEnvironment();
    const { body: channel } = await post(environment.id, listener()).expect(201);
    const path = `${pathOf(channel.id)}/listen`;
    const stop = new AbortController();
    const headers = { Authorization: `Bearer an-admin-token-of-the-tests-0123456789` };
    const waiting = [1, 2].map(() =>
      fetch(`${apis[0]?.url}${path}`, { method: 'POST', headers, signal: stop.signal }).then(
        ({ status }) => status,
      ),
    );
    await waitFor(
      'a refusal',
      async () => (await apis[0]?.admin('post', path, { wait_seconds: 0 }))?.status === 503,
    );
    stop.abort();
    expect((await Promise.allSettled(waiting)).length).toBe(2);
    await waitFor(
      'room',
      async () => (await apis[0]?.admin('post', path, { wait_seconds: 0 }))?.status === 200,
    );
    const { body: hook } = await post(environment.id, HOOK).expect(201);
    await apis[0]?.admin('post', `${pathOf(hook.id)}/listen`, {}).expect(409);
    await apis[0]?.admin('post', `${pathOf(formatId('chn', randomUUID()))}/listen`, {}).expect(404);
    await apis[0]?.admin('post', `${path}/answer`, { id: randomUUID(), status: 200 }).expect(409);
  });
});
