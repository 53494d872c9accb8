import { formatId, parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { detailsOf, pathOf } from '../support/channels.ts';
import { EMAIL, EMAIL_TEMPLATE, useApi, WEBHOOK } from '../support/database.ts';

const world = useApi();

const admin = (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: unknown) =>
  world.api().admin(method, path, body);
const test = (id: string, body?: unknown) => admin('post', `${pathOf(id)}/test`, body);
const rotate = (id: string, body?: unknown) => admin('post', `${pathOf(id)}/rotate-secret`, body);
const channelOf = (fixture: { channels: readonly { id: string }[] }, index = 0) =>
  formatId('chn', fixture.channels[index]?.id ?? '');

describe('DELETE /admin/v1/channels/{id}', () => {
  it('responds with 204, and the channel no longer exists or takes events', async () => {
    const fixture = await world.environment({ channels: [WEBHOOK, WEBHOOK] });
    const accepted = await world.api().postEvent(fixture.token).expect(201);
    await admin('delete', pathOf(channelOf(fixture))).expect(204, '');
    await admin('get', pathOf(channelOf(fixture))).expect(404);
    await admin('delete', pathOf(channelOf(fixture))).expect(404);
    const read = await world
      .api()
      .get(`/api/v1/messages/${accepted.body.message_id}/deliveries`, fixture.token)
      .expect(200);
    const runs = read.body.delivery_runs.map((run: Record<string, unknown>) => [run.status, run.last_error]);
    expect(runs).toEqual([
      ['failed', expect.objectContaining({ code: 'channel_disabled', attempt_number: 1 })],
      ['queued', null],
    ]);
    world.api().deps.snapshots.drop(`environment:${fixture.environmentId}`);
    const next = await world.api().postEvent(fixture.token).expect(201);
    expect(next.body.delivery_runs).toMatchObject([{ channel: { id: channelOf(fixture, 1) } }]);
  });
});

describe('POST /admin/v1/channels/{id}/rotate-secret', () => {
  it('returns the new secret, and shows how long the old one signs: a day by default', async () => {
    const fixture = await world.environment();
    const before = await admin('get', pathOf(channelOf(fixture)));
    const { body } = await rotate(channelOf(fixture)).expect(200);
    const { secret, ...channel } = body;
    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(fixture.channels[0]?.secret);
    expect({ ...channel, previous_secret_expires_at: null, updated_at: null }).toEqual({
      ...before.body,
      updated_at: null,
    });
    expect(Date.parse(channel.previous_secret_expires_at) - Date.parse(channel.updated_at)).toBe(86_400_000);
    expect((await admin('get', pathOf(channelOf(fixture)))).body).toEqual(channel);
  });

  it('responds with 409 during an overlap, except to a rotation without overlap', async () => {
    const fixture = await world.environment();
    await rotate(channelOf(fixture), { overlap_seconds: 60 }).expect(200);
    const refused = await rotate(channelOf(fixture), { overlap_seconds: 60 }).expect(409);
    expect(refused.body.error).toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/until 20/),
    });
    const { body } = await rotate(channelOf(fixture), { overlap_seconds: 0 }).expect(200);
    expect(body.previous_secret_expires_at).toBeNull();
  });

  it('responds with 409 for an email channel and 422 for an invalid overlap', async () => {
    const fixture = await world.environment({ channels: [EMAIL] });
    await rotate(channelOf(fixture)).expect(409);
    for (const overlap_seconds of [-1, 0.5, '60', 2_592_001, null]) {
      expect(detailsOf(await rotate(channelOf(fixture), { overlap_seconds }).expect(422))).toMatchObject([
        ['/overlap_seconds', expect.any(String)],
      ]);
    }
  });
});

describe('POST /admin/v1/channels/{id}/test', () => {
  it('responds with 201 like acceptance, with one run of this channel, and enqueues it', async () => {
    const fixture = await world.environment({ channels: [WEBHOOK, { ...WEBHOOK, enabled: false }] });
    const { body } = await test(channelOf(fixture, 1)).expect(201);
    expect(body).toEqual({
      message_id: expect.stringMatching(/^msg_/),
      status: 'pending',
      delivery_runs: [
        {
          id: expect.stringMatching(/^run_/),
          channel: { id: channelOf(fixture, 1), kind: 'webhook', name: WEBHOOK.name },
          status: 'queued',
          scheduled_at: null,
        },
      ],
    });
    const runId = parseId('run', body.delivery_runs[0].id);
    expect(world.api().enqueued.at(-1)).toMatchObject({ runId, channelKind: 'webhook', delayMs: 0 });
  });

  it('is shown as a marked message, and cannot be replayed', async () => {
    const fixture = await world.environment();
    await world.api().postEvent(fixture.token).expect(201);
    const { body } = await test(channelOf(fixture), { payload: { a: 1 } }).expect(201);
    const path = `/api/v1/messages/${body.message_id}`;
    const read = await world.api().get(path, fixture.token).expect(200);
    expect(read.body).toMatchObject({ test: true, event_key: 'postrider.test', payload: { a: 1 } });
    const list = await world.api().get('/api/v1/messages', fixture.token).expect(200);
    expect(list.body.data.map((message: { test: boolean }) => message.test)).toEqual([true, false]);
    const refused = await world.api().post(`${path}/replay`, fixture.token).expect(409);
    expect(refused.body.error.code).toBe('conflict');
  });

  it('is sent although the quota is exhausted and the tenant suspended, and is not counted', async () => {
    const fixture = await world.environment({ plan: { eventsPerMonth: 1 }, billingStatus: 'suspended' });
    const usage = () => world.api().get('/api/v1/usage/current', fixture.token).expect(200);
    const before = await usage();
    await test(channelOf(fixture)).expect(201);
    await test(channelOf(fixture)).expect(201);
    expect((await usage()).body).toEqual(before.body);
  });

  it('uses the active template of the event key, even if the channel does not take the event', async () => {
    const fixture = await world.environment({
      channels: [{ ...EMAIL, eventKeys: ['invoice.*'] }],
      templates: [EMAIL_TEMPLATE],
    });
    const body = { event_key: EMAIL_TEMPLATE.eventKey, recipient: { email: 'ada@example.com' } };
    const sent = await test(channelOf(fixture), body).expect(201);
    const runs = await world.db().deliveryRun.findMany({
      where: { messageId: parseId('msg', sent.body.message_id) ?? '' },
    });
    expect(runs).toMatchObject([{ templateVersionId: fixture.templates[0]?.id, maxAttempts: 1 }]);
  });

  it('responds with 422 for an invalid event', async () => {
    const fixture = await world.environment({ channels: [EMAIL] });
    const { environmentId } = fixture;
    const payloadSchema = { type: 'object', required: ['order'] };
    await world.db().eventType.create({ data: { environmentId, eventKey: 'order.shipped', payloadSchema } });
    expect(detailsOf(await test(channelOf(fixture)).expect(422))).toEqual([['/recipient/email', 'required']]);
    const response = await test(channelOf(fixture), { event_key: 'order.shipped' }).expect(422);
    expect(detailsOf(response)).toEqual([
      ['/recipient/email', 'required'],
      ['/payload/order', 'payload_schema_mismatch'],
    ]);
    const malformed = { event_key: 'order', recipient: { email: 'a, b' }, payload: [], more: 1 };
    expect(detailsOf(await test(channelOf(fixture), malformed).expect(422)).sort()).toEqual([
      ['/event_key', 'invalid_format'],
      ['/more', 'unknown_field'],
      ['/payload', 'invalid_type'],
      ['/recipient/email', 'invalid_format'],
    ]);
  });

  it('answers 429 with Retry-After for more than 30 in a minute', async () => {
    const fixture = await world.environment();
    for (let n = 0; n < 30; n += 1) await test(channelOf(fixture)).expect(201);
    const refused = await test(channelOf(fixture)).expect(429);
    expect(refused.body.error.code).toBe('rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });
});

describe('a plan that no longer includes a kind of channel', () => {
  it('excludes channels of this kind from later events, and refuses tests of them with 409', async () => {
    const fixture = await world.environment({ channels: [WEBHOOK, EMAIL], templates: [EMAIL_TEMPLATE] });
    const kindsOf = ({ body }: { body: { delivery_runs: { channel: { kind: string } }[] } }) =>
      body.delivery_runs.map(({ channel }) => channel.kind);
    expect(kindsOf(await world.api().postEvent(fixture.token).expect(201))).toEqual(['webhook', 'email']);

    const reduce = async (channel_kinds: string[]) => {
      await admin('patch', `/admin/v1/plans/${fixture.planCode}`, { channel_kinds }).expect(200);
      world.api().deps.snapshots.drop(`plan:${fixture.planCode}`);
    };
    await reduce(['email']);
    expect(kindsOf(await world.api().postEvent(fixture.token).expect(201))).toEqual(['email']);
    await test(channelOf(fixture)).expect(409);
    const replayed = await world.api().postEvent(fixture.token, anEvent());
    const path = `/api/v1/messages/${replayed.body.message_id}/replay`;
    const named = await world
      .api()
      .post(path, fixture.token)
      .send({ channels: [channelOf(fixture)] })
      .expect(422);
    expect(detailsOf(named)).toEqual([['/channels/0', 'unknown_channel']]);

    await reduce([]);
    const refused = await world.api().postEvent(fixture.token).expect(422);
    expect(detailsOf(refused)).toEqual([['/event_key', 'no_matching_channel']]);
  });
});
