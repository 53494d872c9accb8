import { createHmac } from 'node:crypto';
import { parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { HOOK, MAIL } from '../support/channels.ts';
import { useApi } from '../support/database.ts';
import { createProduct } from './support.ts';

const world = useApi();

const headersOf = ({ request }: { request: { headers: [string, string][] } }) =>
  Object.fromEntries(request.headers);

describe('the preview of a webhook', () => {
  it('shows the newest message that the channel takes with changes that are not saved, and sends nothing', async () => {
    const product = await createProduct(world, { channels: [] });
    const { call, channelId } = await product.consumer('org_1');
    const channel = `channels/${channelId}`;
    await call('patch', channel, { event_keys: ['order.paid'] }).expect(200);
    const secret = (await call('post', `${channel}/rotate-secret`).expect(200)).body.secret as string;
    product.forget();
    const payload = { order_id: 'A-1042' };
    const { message_id } = await product.send('org_1', { event_key: 'order.paid', payload });
    await call('patch', channel, { event_keys: ['order.paid', 'order.other'] }).expect(200);
    const before = await world.db().deliveryRun.count();
    const config = { body: 'cloudevents-structured', signature: { type: 'github' } };
    const { body } = await call('post', `${channel}/preview`, { config }).expect(200);
    expect(body).toMatchObject({ message_id, event_key: 'order.paid', request: { method: 'POST' } });
    expect(JSON.parse(body.request.body)).toMatchObject({ type: 'order.paid', data: payload });
    const headers = headersOf(body);
    expect(headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
    // It cannot be used: another secret made it.
    expect(headers['x-hub-signature-256']).toMatch(/^sha256=[0-9a-f]{64}$/);
    const signed = createHmac('sha256', secret).update(body.request.body).digest('hex');
    expect(headers['x-hub-signature-256']).not.toBe(`sha256=${signed}`);
    const saved = await call('post', `${channel}/preview`).expect(200);
    expect(JSON.parse(saved.body.request.body)).toMatchObject({ type: 'order.paid', data: { message_id } });
    expect((await call('get', channel).expect(200)).body.config).toMatchObject({
      body: 'standard',
      signature: null,
    });
    expect(await world.db().deliveryRun.count()).toBe(before);
  });

  it('shows no secret', async () => {
    const product = await createProduct(world, { channels: [] });
    const { call, channelId } = await product.consumer('org_1');
    const config = {
      secret_headers: { 'X-Key': 'open-sesame' },
      auth: { type: 'bearer', token: 'open-sesame' },
      signature: { type: 'stripe', secret: 'open-sesame' },
      signatures: ['v1'],
    };
    await call('patch', `channels/${channelId}`, { config }).expect(200);
    const { body, text } = await call('post', `channels/${channelId}/preview`).expect(200);
    expect(headersOf(body)).toMatchObject({
      'x-key': '(masked)',
      authorization: '(masked)',
      'stripe-signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
    });
    expect(text).not.toContain('open-sesame');
  });

  it('shows no message of others, none that was erased, and then the event of a test', async () => {
    const product = await createProduct(world, { channels: [] });
    const { call, channelId } = await product.consumer('org_1');
    const two = await product.consumer('org_2');
    await product.send('org_2');
    const preview = async () => (await call('post', `channels/${channelId}/preview`).expect(200)).body;
    const empty = await preview();
    expect(empty).toMatchObject({ message_id: null, event_key: 'postrider.test' });
    expect(headersOf(empty)).toMatchObject({ 'postrider-test': 'true' });
    await two.call('post', `channels/${channelId}/preview`).expect(404);
    const { message_id } = await product.send('org_1');
    expect(await preview()).toMatchObject({ message_id });
    const id = parseId('msg', message_id) ?? '';
    await world.db().message.updateMany({ where: { id }, data: { erasedAt: new Date() } });
    expect(await preview()).toMatchObject({ message_id: null });
    await product.send('org_1');
    await product.call('delete', 'consumers/org_1').expect(204);
    const later = await product.consumer('org_1');
    const { body } = await later.call('post', `channels/${later.channelId}/preview`).expect(200);
    expect(body).toMatchObject({ message_id: null });
  });

  it('is refused for a config that could not be saved, a template that fails, and other kinds', async () => {
    const product = await createProduct(world, { channels: [] });
    const { call, channelId } = await product.consumer('org_1');
    const preview = (config: object) => call('post', `channels/${channelId}/preview`, { config });
    const wrong = await preview({ signature: { type: 'custom' } }).expect(422);
    expect(wrong.body.error.details).toMatchObject([{ path: '/config/signature/header', code: 'required' }]);
    await preview({ url: 'http://127.0.0.1/' }).expect(422);
    const failing = await preview({ body: 'template' }).expect(422);
    expect(failing.body.error.details).toMatchObject([{ code: 'invalid_template' }]);
    const mail = await product.call('post', 'channels', MAIL).expect(201);
    await product.call('post', `channels/${mail.body.id}/preview`).expect(409);
    const hook = await product.call('post', 'channels', HOOK).expect(201);
    await product.call('post', `channels/${hook.body.id}/preview`).expect(200);
  });
});
