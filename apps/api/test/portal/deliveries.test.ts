import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@postrider/testing';
import { cursorsOf } from '../../src/paging/query.ts';
import { HOOK } from '../support/channels.ts';
import { useApi } from '../support/database.ts';
import { createProduct } from './support.ts';

const world = useApi();

describe('the deliveries of a consumer', () => {
  it('are the runs of its own channels, newest first, in pages and by filters', async () => {
    const product = await createProduct(world, { channels: [] });
    await product.call('post', 'channels', HOOK).expect(201);
    const { call, channelId } = await product.consumer('org_1');
    const second = await call('post', 'consumers/org_1/channels', {
      ...HOOK,
      event_keys: ['order.paid'],
    }).expect(201);
    product.forget();
    const runs: string[] = [];
    for (const event_key of ['order.paid', 'order.shipped', 'order.shipped']) {
      const { delivery_runs } = await product.send('org_1', { event_key });
      const own = delivery_runs.filter(({ channel }) => [channelId, second.body.id].includes(channel.id));
      runs.unshift(
        ...own
          .map(({ id }) => id)
          .sort()
          .reverse(),
      );
    }
    expect(runs).toHaveLength(4);
    const list = async (query = '') => {
      const { body } = await call('get', `consumers/org_1/deliveries?${query}`).expect(200);
      return {
        ids: body.data.map(({ id }: { id: string }) => id),
        cursor: body.next_cursor,
        data: body.data,
      };
    };
    expect((await list()).ids).toEqual(runs);
    const first = await list('limit=3');
    expect(first.ids).toEqual(runs.slice(0, 3));
    expect((await list(`limit=3&cursor=${first.cursor}`)).ids).toEqual(runs.slice(3));
    const cursors = cursorsOf('listConsumerDeliveries', () => true);
    const forged = cursors.format(`${'-'.repeat(36)} ${randomUUID()}`);
    await call('get', `consumers/org_1/deliveries?cursor=${forged}`).expect(422);
    await product.fail(runs[1] ?? '');
    const failed = await list('status=failed');
    expect(failed.ids).toEqual([runs[1]]);
    expect(failed.data[0]).toMatchObject({
      event_key: 'order.shipped',
      status: 'failed',
      last_error: { code: 'webhook_timeout', message: 'no answer' },
      attempts: [{ number: 1 }],
    });
    expect((await list('event_key=order.paid')).ids).toEqual(runs.slice(2));
    expect((await list(`channel_id=${second.body.id}`)).ids).toHaveLength(1);
    const one = await call('get', `consumers/org_1/deliveries/${runs[1]}`).expect(200);
    expect(one.body).toEqual(failed.data[0]);
    const content = await call('get', `delivery-runs/${runs[1]}/content`).expect(200);
    expect(content.body).toMatchObject({ kind: 'webhook', unverified_reason: 'nothing_sent' });
    await call('delete', `channels/${channelId}`).expect(204);
    await call('get', `delivery-runs/${runs[1]}/content`).expect(404);
    expect((await list()).ids).toHaveLength(1);
    await call('get', `consumers/org_1/deliveries/${runs[1]}`).expect(404);
  });

  it('can be cancelled while they are scheduled', async () => {
    const product = await createProduct(world, { channels: [] });
    await product.call('post', 'channels', HOOK).expect(201);
    const { call, channelId } = await product.consumer('org_1');
    const later = new Date(Date.now() + 86_400_000).toISOString();
    const { delivery_runs } = await product.send('org_1', { schedule_at: later });
    for (const { id, channel } of delivery_runs)
      await call('post', `delivery-runs/${id}/cancel`).expect(channel.id === channelId ? 200 : 404);
    expect(delivery_runs).toHaveLength(2);
  });

  it('are replayed one by one, to their channel alone, once for each key of the consumer', async () => {
    const product = await createProduct(world, { channels: [] });
    await product.call('post', 'channels', HOOK).expect(201);
    const one = await product.consumer('org_1');
    const two = await product.consumer('org_2');
    const runOf = async (consumer: typeof one) => {
      const { delivery_runs } = await product.send(consumer.id);
      expect(delivery_runs).toHaveLength(2);
      return delivery_runs.find(({ channel }) => channel.id === consumer.channelId)?.id;
    };
    const key = randomUUID();
    const path = `consumers/org_1/deliveries/${await runOf(one)}/replay`;
    const first = await one.call('post', path, undefined, key).expect(201);
    expect(first.body.delivery_runs.map(({ channel }: { channel: { id: string } }) => channel.id)).toEqual([
      one.channelId,
    ]);
    expect((await one.call('post', path, undefined, key).expect(201)).text).toBe(first.text);
    // The same key of another consumer is another key.
    const other = await two
      .call('post', `consumers/org_2/deliveries/${await runOf(two)}/replay`, undefined, key)
      .expect(201);
    expect(other.text).not.toBe(first.text);
    await two.call('post', path, undefined, randomUUID()).expect(404);
  });

  it('are replayed by the consumer within its own limit of events', async () => {
    const product = await createProduct(world, { channels: [] });
    const { call } = await product.consumer('org_1', { limits: { events_per_month: 2 } });
    const { delivery_runs } = await product.send('org_1');
    const path = `consumers/org_1/deliveries/${delivery_runs[0]?.id}/replay`;
    await call('post', path).expect(201);
    const { body } = await call('post', path).expect(402);
    expect(body.error).toMatchObject({ code: 'quota_exceeded', details: [{ path: '/consumer', used: 2 }] });
    // However many it has, its replays of a day are limited.
    const two = await product.consumer('org_2');
    const sent = await product.send('org_2');
    const replayed = `consumers/org_2/deliveries/${sent.delivery_runs[0]?.id}/replay`;
    await two.call('post', replayed).expect(201);
    const { environmentId } = product.fixture;
    await world.db().consumerUsage.updateMany({
      where: { environmentId, consumerId: 'org_2' },
      data: { replaysOfDay: 10_000 },
    });
    const refused = await two.call('post', replayed).expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await two.call('post', 'replays', { filter: {} }).expect(409)).body.error.message).toContain(
      '10,000',
    );
    // The tenant's own replays are not those of the consumer.
    await product.call('post', path).expect(201);
  });

  it('are replayed in bulk by each consumer on its own, to its channels alone', async () => {
    const product = await createProduct(world, { channels: [] });
    const { body: environments } = await product.call('post', 'channels', HOOK).expect(201);
    const one = await product.consumer('org_1');
    const two = await product.consumer('org_2');
    // The environment's delivery of one message fails, and the consumer's delivery of another.
    const [theirs, ours] = [await product.send('org_1'), await product.send('org_1')];
    const runOf = (of: typeof theirs, channelId: string) =>
      of.delivery_runs.find(({ channel }) => channel.id === channelId)?.id ?? '';
    await product.fail(runOf(theirs, environments.id));
    await product.fail(runOf(ours, one.channelId));
    const filter = { run_status: 'failed' };
    const counted = await one.call('post', 'replays', { filter, dry_run: true }).expect(200);
    expect(counted.body).toMatchObject({ matched: 1 });
    const { body } = await one.call('post', 'replays', { filter }).expect(201);
    expect(body).toMatchObject({
      matched: 1,
      messages_per_second: 10,
      channels: [one.channelId],
      filter: { consumer: 'org_1' },
    });
    await one.call('post', 'replays', { filter }).expect(409);
    // Neither another consumer nor the environment waits for it.
    await two.call('post', 'replays', { filter }).expect(201);
    await product.call('post', 'replays', { filter }).expect(201);
    await two.call('get', `replays/${body.id}`).expect(404);
    expect((await one.call('get', 'replays').expect(200)).body.data).toHaveLength(1);
    expect((await product.call('get', 'replays').expect(200)).body.data).toHaveLength(3);
    await one.call('post', `replays/${body.id}/cancel`).expect(200);
    await product.call('delete', 'consumers/org_2').expect(204);
    const statuses = await world
      .db()
      .replayBatch.findMany({ where: { consumerId: 'org_2', environmentId: product.fixture.environmentId } });
    expect(statuses.map(({ status }) => status)).toEqual(['cancelled']);
  });

  it('are tested with event keys that the channel takes, and no others', async () => {
    const product = await createProduct(world, { channels: [] });
    const { call, channelId } = await product.consumer('org_1');
    await call('patch', `channels/${channelId}`, { event_keys: ['order.*'] }).expect(200);
    const test = (event_key?: string) => call('post', `channels/${channelId}/test`, { event_key });
    await test('order.shipped').expect(201);
    await test().expect(201);
    for (const key of ['invoice.paid', 'channel.paused']) {
      const { body } = await test(key).expect(422);
      expect(body.error.details).toMatchObject([{ path: '/event_key', code: 'invalid_value' }]);
    }
    await product.call('post', `channels/${channelId}/test`, { event_key: 'invoice.paid' }).expect(201);
  });

  it('cannot be filtered by attributes of the consumer, which its callers would find out so', async () => {
    const product = await createProduct(world, { channels: [] });
    const { call, channelId } = await product.consumer('org_1', { attributes: { plan: 'gold' } });
    const gold = { consumer: { attributes: { plan: { $startsWith: 'g' } } } };
    const channel = `channels/${channelId}`;
    for (const filter of [gold, { $or: [gold, { payload: { a: 1 } }] }, { $not: { $and: [gold] } }]) {
      const patched = await call('patch', channel, { filter }).expect(422);
      expect(patched.body.error.details).toMatchObject([{ path: '/filter', code: 'invalid_value' }]);
      await call('post', 'consumers/org_1/channels', { ...HOOK, name: 'guess', filter }).expect(422);
    }
    await call('patch', channel, { filter: { payload: { consumer: 'x' } } }).expect(200);
    // The tenant may filter so, and the consumer may keep it.
    await product.call('patch', channel, { filter: gold }).expect(200);
    await call('patch', channel, { name: 'renamed', filter: gold }).expect(200);
  });

  it('belong to their consumer alone, and to no later one with its id', async () => {
    const product = await createProduct(world);
    const before = await product.consumer('org_1');
    await product.send('org_1');
    const batch = await before.call('post', 'replays', { filter: {} }).expect(201);
    await product.call('delete', 'consumers/org_1').expect(204);
    const after = await product.consumer('org_1');
    const counted = await after.call('post', 'replays', { filter: {}, dry_run: true }).expect(200);
    expect(counted.body).toMatchObject({ matched: 0 });
    expect((await after.call('get', 'replays').expect(200)).body.data).toEqual([]);
    await after.call('get', `replays/${batch.body.id}`).expect(404);
    const test = `channels/${after.channelId}/filter/test`;
    expect((await after.call('post', test, { filter: null }).expect(200)).body).toMatchObject({ tested: 0 });
    await product.send('org_1');
    expect((await after.call('post', test, { filter: null }).expect(200)).body).toMatchObject({ tested: 1 });
  });
});
