import { formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { batchesOf } from '../support/batches.ts';
import { EMAIL, EMAIL_TEMPLATE, useApi, WEBHOOK } from '../support/database.ts';
import { until } from '../support/waiting.ts';

const world = useApi();
const batches = batchesOf(world);

const TAKES_OTHERS = { ...WEBHOOK, eventKeys: ['invoice.*'] };
const usedBy = async (tenantId: string) =>
  Number((await world.db().tenantUsage.findFirst({ where: { tenantId } }))?.eventsUsed ?? 0);

describe('unmatched_events: store', () => {
  it('stores an event without channels as unrouted, counts it once and replays its response', async () => {
    const stored = await world.environment({
      channels: [TAKES_OTHERS],
      settings: { unmatchedEvents: 'store' },
    });
    const key = crypto.randomUUID();
    const { body } = await world.api().postEvent(stored.token, anEvent(), key).expect(201);
    expect(body).toMatchObject({ status: 'unrouted', delivery_runs: [] });
    const again = await world.api().postEvent(stored.token, anEvent(), key).expect(201);
    expect(again.body).toEqual(body);
    expect(await usedBy(stored.tenantId)).toBe(1);

    const { token } = stored;
    const read = await world.api().get(`/api/v1/messages/${body.message_id}?explain=channels`, token);
    expect(read.body).toMatchObject({
      status: 'unrouted',
      delivery_runs: [],
      channels: [{ taken: false, reason: 'event_key_not_subscribed' }],
    });
    const deliveries = await world.api().get(`/api/v1/messages/${body.message_id}/deliveries`, token);
    expect([deliveries.status, deliveries.body.delivery_runs]).toEqual([200, []]);
    const listed = await world.api().get('/api/v1/messages?status=unrouted', token);
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([body.message_id]);
    const pending = await world.api().get('/api/v1/messages?status=pending', token);
    expect(pending.body.data).toEqual([]);
  });

  it('counts a batch of them, with and without runs, exactly', async () => {
    const stored = await world.environment({
      plan: { eventsPerMonth: 3 },
      channels: [{ ...WEBHOOK, eventKeys: ['order.shipped'] }],
      settings: { unmatchedEvents: 'store' },
    });
    const events = ['a.b', 'order.shipped', 'a.c', 'a.d'].map((event_key) => ({
      idempotency_key: crypto.randomUUID(),
      event: anEvent({ event_key }),
    }));
    const { body } = await batches.post(stored.token, { events }).expect(200);
    const results = body.results as { status: number; body: { status?: string } }[];
    expect(results.map(({ status }) => status)).toEqual([201, 201, 201, 402]);
    expect(results.slice(0, 3).map((result) => result.body.status)).toEqual([
      'unrouted',
      'pending',
      'unrouted',
    ]);
    expect(await usedBy(stored.tenantId)).toBe(3);
  });

  it('replays it when a channel takes it, and reports the reason before', async () => {
    const stored = await world.environment({
      channels: [TAKES_OTHERS],
      settings: { unmatchedEvents: 'store' },
    });
    const { body } = await world.api().postEvent(stored.token, anEvent()).expect(201);
    const replay = () => world.api().post(`/api/v1/messages/${body.message_id}/replay`, stored.token);
    const refused = await replay().expect(422);
    expect(refused.body.error.details).toMatchObject([{ code: 'no_matching_channel' }]);
    const [channel] = stored.channels;
    await world
      .api()
      .admin('patch', `/admin/v1/channels/${formatId('chn', channel?.id ?? '')}`, { event_keys: ['*'] })
      .expect(200);
    await until(async () => (await replay()).status === 201);
    const read = await world.api().get(`/api/v1/messages/${body.message_id}`, stored.token);
    expect(read.body.status).toBe('pending');
  });
});

describe('missing_email_template: skip', () => {
  const settings = { missingEmailTemplate: 'skip' } as const;
  const kinds = (body: { delivery_runs: { channel: { kind: string } }[] }) =>
    body.delivery_runs.map(({ channel }) => channel.kind);

  it('sends the webhooks of an event without an email template, and reports it', async () => {
    const { token } = await world.environment({ channels: [WEBHOOK, EMAIL], settings });
    const { body } = await world
      .api()
      .postEvent(token, anEvent({ recipient: {} }))
      .expect(201);
    expect(kinds(body)).toEqual(['webhook']);
    const read = await world.api().get(`/api/v1/messages/${body.message_id}?explain=channels`, token);
    expect(
      read.body.channels.map(({ kind, reason }: { kind: string; reason: string }) => [kind, reason]),
    ).toEqual([
      ['webhook', 'matched'],
      ['email', 'no_active_template'],
    ]);
  });

  it('sends the email if there is a template', async () => {
    const { token } = await world.environment({
      channels: [WEBHOOK, EMAIL],
      templates: [EMAIL_TEMPLATE],
      settings,
    });
    const { body } = await world.api().postEvent(token, anEvent()).expect(201);
    expect(kinds(body)).toEqual(['webhook', 'email']);
  });

  it('refuses an event without any delivery, unless such events are stored', async () => {
    const refusing = await world.environment({ channels: [EMAIL], settings });
    const refused = await world.api().postEvent(refusing.token, anEvent()).expect(422);
    expect(refused.body.error.details).toMatchObject([{ path: '/event_key', code: 'no_matching_channel' }]);
    const storing = await world.environment({
      channels: [EMAIL],
      settings: { ...settings, unmatchedEvents: 'store' },
    });
    const { body } = await world.api().postEvent(storing.token, anEvent()).expect(201);
    expect(body.status).toBe('unrouted');
  });

  it('reports which channel a replay skips, and refuses a replay to only that channel', async () => {
    const { token, channels } = await world.environment({ channels: [WEBHOOK, EMAIL], settings });
    const { body } = await world.api().postEvent(token, anEvent()).expect(201);
    const named = channels.map(({ id }) => formatId('chn', id));
    const replay = (more: object) =>
      world.api().post(`/api/v1/messages/${body.message_id}/replay`, token).send(more);
    const both = await replay({ channels: named }).expect(201);
    expect(kinds(both.body)).toEqual(['webhook']);
    expect(both.body.skipped_channels).toMatchObject([
      { channel: { id: named[1] }, reason: 'template_not_found', condition: null },
    ]);
    const refused = await replay({ channels: named.slice(1) }).expect(422);
    expect(refused.body.error.details).toMatchObject([{ path: '/channels/0', code: 'template_not_found' }]);
  });
});
