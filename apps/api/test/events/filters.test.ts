import { formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { batchesOf, item } from '../support/batches.ts';
import { useApi, WEBHOOK } from '../support/database.ts';
import { until } from '../support/waiting.ts';

const world = useApi();
const batches = batchesOf(world);

const LARGE = { payload: { amount: { $gte: 100 } } };
const SMALL = { payload: { amount: { $lt: 100 } } };
const large = { ...WEBHOOK, name: 'large', filter: LARGE };
const small = { ...WEBHOOK, name: 'small', filter: SMALL };
const everything = { ...WEBHOOK, name: 'everything' };

const ofAmount = (amount: number) => anEvent({ payload: { amount } });
const names = (body: { delivery_runs: { channel: { name: string } }[] }) =>
  body.delivery_runs.map(({ channel }) => channel.name);
const channelPath = (id = '') => `/admin/v1/channels/${formatId('chn', id)}`;

describe('filters of channels', () => {
  it('decide at acceptance which channels take an event, single or in a batch', async () => {
    const { token } = await world.environment({ channels: [large, small, everything] });
    const one = await world.api().postEvent(token, ofAmount(100)).expect(201);
    expect(names(one.body)).toEqual(['large', 'everything']);
    const results = await batches.results(token, [item(ofAmount(99)), item(ofAmount(101))]);
    expect(results.map(({ body }) => names(body as never))).toEqual([
      ['small', 'everything'],
      ['large', 'everything'],
    ]);
  });

  it('leave an event without matching channels to unmatched_events', async () => {
    const refusing = await world.environment({ channels: [large] });
    const { body } = await world.api().postEvent(refusing.token, ofAmount(1)).expect(422);
    expect(body.error.details).toMatchObject([{ path: '/event_key', code: 'no_matching_channel' }]);
    const storing = await world.environment({ channels: [large], settings: { unmatchedEvents: 'store' } });
    const stored = await world.api().postEvent(storing.token, ofAmount(1)).expect(201);
    expect(stored.body.status).toBe('unrouted');
  });

  it('of a later release refuse the events of their channel, and nothing else of the environment', async () => {
    const unknown = { ...large, eventKeys: ['order.refunded'], filter: { $later: [] } };
    const { token } = await world.environment({ channels: [unknown, everything] });
    await world
      .api()
      .postEvent(token, { ...ofAmount(1), event_key: 'order.refunded' })
      .expect(500);
    const { body } = await world.api().postEvent(token, ofAmount(1)).expect(201);
    expect(names(body)).toEqual(['everything']);
    const refunded = { ...ofAmount(1), event_key: 'order.refunded' };
    const batch = await batches.post(token, { events: [item(refunded), item(ofAmount(2))] });
    expect(batch.body.results.map(({ status }: { status: number }) => status)).toEqual([500, 201]);
  });

  it('are explained by the first false condition', async () => {
    const { token } = await world.environment({ channels: [large, everything] });
    const { body } = await world.api().postEvent(token, ofAmount(1)).expect(201);
    const read = await world.api().get(`/api/v1/messages/${body.message_id}?explain=channels`, token);
    expect(read.body.channels).toMatchObject([
      { name: 'large', taken: false, reason: 'filtered', condition: '/payload/amount/$gte' },
      { name: 'everything', taken: true, reason: 'matched', condition: null },
    ]);
  });

  it('apply to a replay in their current form, which reports skipped channels', async () => {
    const { token, channels } = await world.environment({ channels: [large, everything] });
    const { body } = await world.api().postEvent(token, ofAmount(200)).expect(201);
    await world
      .api()
      .admin('patch', channelPath(channels[0]?.id), { filter: { payload: { amount: { $gte: 500 } } } })
      .expect(200);
    const replay = (more: object = {}) =>
      world.api().post(`/api/v1/messages/${body.message_id}/replay`, token).send(more);
    await until(async () => names((await replay().expect(201)).body).length === 1);
    const replayed = await replay().expect(201);
    expect(names(replayed.body)).toEqual(['everything']);
    expect(replayed.body.skipped_channels).toEqual([
      {
        channel: { id: formatId('chn', channels[0]?.id ?? ''), kind: 'webhook', name: 'large' },
        reason: 'filtered',
        condition: '/payload/amount/$gte',
      },
    ]);
    const named = await replay({ channels: [formatId('chn', channels[0]?.id ?? '')] }).expect(422);
    expect(named.body.error.details).toMatchObject([{ path: '/channels/0', code: 'no_matching_channel' }]);
  });

  it('refuse an event whose lists are too long for all filters together', async () => {
    const filter = {
      payload: { items: Object.fromEntries('abcdefghij'.split('').map((name) => [name, { $exist: false }])) },
    };
    const { token } = await world.environment({
      channels: Array.from({ length: 30 }, (_, index) => ({ ...WEBHOOK, name: `c${index}`, filter })),
    });
    const items = (count: number) =>
      anEvent({ payload: { items: Array.from({ length: count }, () => ({ j: 1 })) } });
    const { body } = await world.api().postEvent(token, items(30_000)).expect(422);
    expect(body.error.details).toMatchObject([{ path: '/payload', code: 'too_large' }]);
    await world
      .api()
      .postEvent(token, anEvent({ payload: { items: [{}] } }))
      .expect(201);
  });
});

describe('PATCH /admin/v1/channels/{id} {filter}', () => {
  it('replaces the whole filter, keeps it if left out and removes it with null', async () => {
    const { channels } = await world.environment({ channels: [large] });
    const path = channelPath(channels[0]?.id);
    const patch = async (body: unknown) =>
      (await world.api().admin('patch', path, body).expect(200)).body.filter;
    const other = { payload: { state: null, kind: { $in: ['a'] } } };
    expect(await patch({ name: 'renamed' })).toEqual(LARGE);
    expect(await patch({ filter: other })).toEqual(other);
    expect(await patch({ filter: null })).toBeNull();
    const entries = await world.db().auditEntry.findMany({
      where: { resourceId: formatId('chn', channels[0]?.id ?? ''), action: 'channel.updated' },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ after }) => (after as { filter: unknown }).filter)).toEqual([LARGE, other, null]);
  });

  it.each([
    [{ payload: { a: { $regex: 'x' } } }, '/filter/payload/a/$regex', 'unknown_field'],
    [{ metadata: 1 }, '/filter/metadata', 'unknown_field'],
    [[], '/filter', 'invalid_type'],
  ])('answers 422 for %j', async (filter, path, code) => {
    const { channels } = await world.environment();
    const { body } = await world.api().admin('patch', channelPath(channels[0]?.id), { filter }).expect(422);
    expect(body.error.details).toMatchObject([{ path, code }]);
  });
});

describe('POST /admin/v1/channels/{id}/filter/test', () => {
  const test = (id: string | undefined, filter: unknown) =>
    world.api().admin('post', `${channelPath(id)}/filter/test`, { filter });

  it('counts which of the newest messages a filter would take, and changes nothing', async () => {
    const { token, channels } = await world.environment({
      channels: [
        { ...everything, eventKeys: ['order.*'] },
        { ...everything, eventKeys: ['invoice.*'] },
      ],
    });
    const sent: string[] = [];
    for (const amount of [1, 100, 1000]) {
      sent.push((await world.api().postEvent(token, ofAmount(amount)).expect(201)).body.message_id);
    }
    await world
      .api()
      .postEvent(token, { ...ofAmount(500), event_key: 'invoice.paid' })
      .expect(201);
    const { body } = await test(channels[0]?.id, LARGE).expect(200);
    expect(body).toEqual({
      tested: 4,
      matched: 2,
      not_matched: 1,
      not_subscribed: 1,
      too_large: 0,
      is_complete: true,
      matched_samples: [sent[2], sent[1]],
      not_matched_samples: [{ message_id: sent[0], condition: '/payload/amount/$gte' }],
    });
    const all = await test(channels[0]?.id, null).expect(200);
    expect(all.body).toMatchObject({ matched: 3, not_matched: 0 });
    const read = await world.api().admin('get', channelPath(channels[0]?.id)).expect(200);
    expect(read.body.filter).toBeNull();
  });

  it('examines the newest 1,000 messages of its own environment', async () => {
    const { token, channels } = await world.environment({ channels: [everything] });
    const other = await world.environment({ channels: [everything] });
    await world.api().postEvent(other.token, ofAmount(1)).expect(201);
    for (let sent = 0; sent < 1_030; sent += 103) {
      const events = Array.from({ length: 100 }, (_, index) => item(ofAmount(index)));
      await batches.results(token, events);
      await Promise.all(
        Array.from({ length: 3 }, () => world.api().postEvent(token, ofAmount(0)).expect(201)),
      );
    }
    const { body } = await test(channels[0]?.id, { payload: { amount: { $gte: 0 } } }).expect(200);
    expect(body).toMatchObject({ tested: 1_000, matched: 1_000, is_complete: true });
    expect(body.matched_samples).toHaveLength(10);
  });

  it('responds with 422 to an invalid filter, and with 404 for an unknown channel', async () => {
    const { channels } = await world.environment();
    const { body } = await test(channels[0]?.id, { $or: [] }).expect(422);
    expect(body.error.details).toMatchObject([{ path: '/filter/$or', code: 'too_few' }]);
    await test(crypto.randomUUID(), null).expect(404);
  });
});
