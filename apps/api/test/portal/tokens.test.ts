import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { HOOK } from '../support/channels.ts';
import { useApi } from '../support/database.ts';
import { createProduct } from './support.ts';

const world = useApi();

describe('the token of a consumer', () => {
  it('manages its own channels, and sees its usage and the event types', async () => {
    const product = await createProduct(world);
    await product.call('put', 'event-types/order.shipped', { description: 'Shipped' }).expect(200);
    const { call, channelId } = await product.consumer('org_1', {
      limits: { channels: 2 },
      attributes: { risk: 'high' },
    });
    expect((await call('get', 'consumers/org_1').expect(200)).body).toMatchObject({
      id: 'org_1',
      usage: { channels: 1 },
      limits: { channels: 2 },
      attributes: {},
    });
    const { body } = await call('post', 'consumers/org_1/channels', HOOK).expect(201);
    expect(body).toMatchObject({ consumer: 'org_1', public_only: true, secret: expect.any(String) });
    await call('post', 'consumers/org_1/channels', HOOK).expect(409);
    await call('patch', `channels/${channelId}`, { name: 'Renamed' }).expect(200);
    await call('post', `channels/${channelId}/pause`).expect(200);
    await call('post', `channels/${channelId}/resume`).expect(200);
    await call('post', `channels/${channelId}/rotate-secret`).expect(200);
    await call('post', `channels/${channelId}/test`).expect(201);
    await call('delete', `channels/${body.id}`).expect(204);
    expect((await call('get', 'consumers/org_1/channels').expect(200)).body.data).toHaveLength(1);
    expect((await call('get', 'event-types').expect(200)).body.data).toHaveLength(1);
    await call('get', 'event-types/order.shipped').expect(200);
    const [entry] = await product.audit();
    expect(entry).toMatchObject({ action: 'channel.deleted', actor: 'org_1', actorKind: 'consumer_token' });
  });

  it('cannot make channels operational, or of private addresses', async () => {
    const product = await createProduct(world);
    const { call, channelId } = await product.consumer('org_1');
    const local = { ...HOOK, config: { url: 'http://127.0.0.1/' } };
    await call('post', 'consumers/org_1/channels', local).expect(422);
    await call('post', 'consumers/org_1/channels', { ...HOOK, operational: true }).expect(422);
    await call('patch', `channels/${channelId}`, { operational: true }).expect(422);
  });

  it('begins with pc_, has the scopes of consumers only, and none that its issuer lacks', async () => {
    const product = await createProduct(world);
    const { token } = await product.consumer('org_1');
    expect(token).toMatch(/^pc_/);
    const issue = (body: object) =>
      world.api().admin('post', `${product.admin}/tokens`, { name: 'x', ...body });
    await issue({ consumer: 'org_1', scopes: ['events:write'] }).expect(422);
    await issue({ consumer: 'org_1', scopes: ['ignore_suppression'] }).expect(422);
    await issue({ consumer: 'org_2' }).expect(404);
    const { body } = await issue({ consumer: 'org_1' }).expect(201);
    expect(body).toMatchObject({ consumer: 'org_1', scopes: expect.arrayContaining(['channels:write']) });
    expect(body.scopes).not.toContain('events:write');
    const rotated = await world.api().admin('post', `/admin/v1/tokens/${body.id}/rotate`).expect(200);
    expect(rotated.body).toMatchObject({ consumer: 'org_1', token: expect.stringMatching(/^pc_/) });
  });

  it('opens no session of the console', async () => {
    const product = await createProduct(world);
    const { token } = await product.consumer('org_1');
    await supertest(world.api().url)
      .post('/console/session')
      .set('Sec-Fetch-Site', 'same-origin')
      .send({ token })
      .expect(401);
  });

  it('is refused while its consumer is disabled, and ends with it', async () => {
    const product = await createProduct(world);
    const { call } = await product.consumer('org_1');
    const set = async (settings: object) => {
      await product.call('put', 'consumers/org_1', settings).expect(200);
      product.forget();
    };
    await set({ enabled: false });
    await call('get', 'consumers/org_1').expect(401);
    await set({ enabled: true });
    await call('get', 'consumers/org_1').expect(200);
    await product.call('delete', 'consumers/org_1').expect(204);
    product.forget();
    await call('get', 'consumers/org_1').expect(401);
    // A new consumer with its id has none of its tokens.
    await set({});
    await call('get', 'consumers/org_1').expect(401);
  });

  it('has a request rate of its own, which takes nothing from the rates of the tenant and of its events', async () => {
    const product = await createProduct(world, { plan: { requestsPerSecond: 1, burst: 3 } } as never);
    const { call } = await product.consumer('org_1', { limits: { events_per_second: 1 } });
    for (let each = 0; each < 20; each += 1) await call('get', 'consumers/org_1').expect(200);
    const answers = await Promise.all(Array.from({ length: 300 }, () => call('get', 'consumers/org_1')));
    expect(answers.map(({ status }) => status)).toContain(429);
    await product.send('org_1');
  });

  it('tests filters on messages of its consumer alone', async () => {
    const product = await createProduct(world, { settings: { unmatchedEvents: 'store' } } as never);
    const one = await product.consumer('org_1');
    await product.consumer('org_2');
    await product.send('org_1');
    await product.send('org_2');
    await product.send(undefined);
    const { body } = await one
      .call('post', `channels/${one.channelId}/filter/test`, { filter: null })
      .expect(200);
    expect(body).toMatchObject({ tested: 1, matched: 1 });
  });

  it('sends no test with the templates of operational events', async () => {
    const product = await createProduct(world);
    const one = await product.consumer('org_1');
    const test = `channels/${one.channelId}/test`;
    const { body } = await one.call('post', test, { event_key: 'channel.paused' }).expect(422);
    expect(body.error.details).toMatchObject([{ path: '/event_key', code: 'invalid_value' }]);
    await one.call('post', test, { event_key: 'order.shipped' }).expect(201);
  });
});
