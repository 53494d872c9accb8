import { type ReplayPageOutcome, replayPage } from '@postrider/db';
import { formatId, parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { useApi, WEBHOOK } from '../support/database.ts';

const world = useApi();
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const NONE_SKIPPED = {
  no_matching_channel: 0,
  template_not_found: 0,
  filtered: 0,
  too_large_for_filters: 0,
  unknown_filter: 0,
  recipient_email_missing: 0,
  test_message: 0,
  message_erased: 0,
};

const pathOf = (environmentId: string) => `/admin/v1/environments/${formatId('env', environmentId)}/replays`;
const replay = (environmentId: string, body: unknown) =>
  world.api().admin('post', pathOf(environmentId), body);
const get = (id: string) => world.api().admin('get', `/admin/v1/replays/${id}`);
const cancel = (id: string) => world.api().admin('post', `/admin/v1/replays/${id}/cancel`);
const auditOf = (id: string) =>
  world.db().auditEntry.findMany({ where: { resourceId: id }, orderBy: { id: 'asc' } });

async function environmentWith(messages: number, input: Parameters<typeof world.environment>[0] = {}) {
  const environment = await world.environment(input);
  for (let posted = 0; posted < messages; posted += 1) {
    await world.api().postEvent(environment.token).expect(201);
  }
  return environment;
}

/** Processes a page like a worker. */
const work = (id: string): Promise<ReplayPageOutcome> =>
  replayPage({ db: world.db() }, { id: parseId('rpb', id) ?? '' });

describe('POST /admin/v1/environments/{id}/replays', () => {
  it('responds with 201 and a bulk replay that workers execute', async () => {
    const { environmentId } = await environmentWith(3);
    const { body } = await replay(environmentId, { filter: { event_key: 'order.shipped' } }).expect(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^rpb_/),
      environment_id: formatId('env', environmentId),
      status: 'pending',
      reason: null,
      filter: { event_key: 'order.shipped', created_before: body.created_at },
      channels: null,
      messages_per_second: 50,
      matched: 3,
      matched_is_lower_bound: false,
      replayed: 0,
      skipped: NONE_SKIPPED,
      position: null,
      failures: 0,
      last_error_code: null,
      retry_at: null,
      created_at: TIME,
      started_at: null,
      completed_at: null,
    });
    expect(await work(body.id)).toMatchObject({ outcome: 'advanced' });
    const done = (await get(body.id).expect(200)).body;
    expect(done).toMatchObject({
      status: 'completed',
      replayed: 3,
      position: expect.stringMatching(/^msg_/),
      started_at: TIME,
      completed_at: TIME,
    });
  });

  it('with dry_run counts matching messages and stores nothing', async () => {
    const { environmentId } = await environmentWith(2);
    const { body } = await replay(environmentId, { filter: {}, dry_run: true }).expect(200);
    expect(body).toEqual({
      dry_run: true,
      filter: { created_before: TIME },
      matched: 2,
      matched_is_lower_bound: false,
    });
    expect(await world.db().replayBatch.count({ where: { environmentId } })).toBe(0);
    expect(
      await world.db().auditEntry.count({ where: { environmentId, resourceType: 'replay_batch' } }),
    ).toBe(0);
  });

  it('stores the whole filter, an earlier created_before, the channels and the pace', async () => {
    const { environmentId, channels } = await environmentWith(1, {
      channels: [WEBHOOK, { ...WEBHOOK, name: 'B' }],
    });
    const [one = '', two = ''] = channels.map(({ id }) => formatId('chn', id));
    const filter = {
      event_key: 'order.shipped',
      status: 'failed',
      recipient_email: 'ada@example.com',
      created_after: '2026-01-01T00:00:00.000Z',
      created_before: '2026-02-01T00:00:00.000Z',
      run_status: 'failed',
      channel_id: one,
      channel_kind: 'webhook',
      error_code: 'webhook_timeout',
    };
    const body = { filter, channels: [two, one], messages_per_second: 7 };
    const answer = await replay(environmentId, body).expect(201);
    expect(answer.body).toMatchObject({ ...body, matched: 0 });
    expect((await get(answer.body.id)).body).toEqual(answer.body);
  });

  it('responds with 409 while the environment has an open one', async () => {
    const { environmentId } = await environmentWith(1);
    const first = await replay(environmentId, { filter: {} }).expect(201);
    const { body } = await replay(environmentId, { filter: {} }).expect(409);
    expect(body.error.code).toBe('conflict');
    await replay(environmentId, { filter: {}, dry_run: true }).expect(200);
    await cancel(first.body.id).expect(200);
    await replay(environmentId, { filter: {} }).expect(201);
  });

  it.each([
    ['nothing', {}, [['/filter', 'required']]],
    ['no object', [], [['', 'invalid_type']]],
    ['an unknown filter', { filter: { state: 'x' } }, [['/filter/state', 'unknown_field']]],
    ['a bad key', { filter: { event_key: 'x' } }, [['/filter/event_key', 'invalid_format']]],
    ['a bad status', { filter: { status: 'x' } }, [['/filter/status', 'invalid_value']]],
    [
      'a bad channel in the filter',
      { filter: { channel_id: 'x' } },
      [['/filter/channel_id', 'invalid_format']],
    ],
    ['a bad time', { filter: { created_after: 'now' } }, [['/filter/created_after', 'invalid_format']]],
    ['a bad address', { filter: { recipient_email: 'x' } }, [['/filter/recipient_email', 'invalid_format']]],
    ['no channels', { filter: {}, channels: [] }, [['/channels', 'too_few']]],
    ['a pace of nothing', { filter: {}, messages_per_second: 0 }, [['/messages_per_second', 'too_small']]],
    ['too fast a pace', { filter: {}, messages_per_second: 501 }, [['/messages_per_second', 'too_large']]],
    ['a text for dry_run', { filter: {}, dry_run: 'yes' }, [['/dry_run', 'invalid_type']]],
    ['an unknown channel', { filter: {}, channels: ['x'] }, [['/channels/0', 'unknown_channel']]],
  ])('answers 422 for %s', async (_what, body, issues) => {
    const { environmentId } = await world.environment();
    const response = await replay(environmentId, body).expect(422);
    const { details } = response.body.error;
    expect(details.map(({ path, code }: { path: string; code: string }) => [path, code])).toEqual(issues);
  });

  it('answers 422 for a channel of another environment and one that is disabled', async () => {
    const other = await world.environment();
    const { environmentId, channels } = await world.environment();
    await world.db().channel.update({ where: { id: channels[0]?.id ?? '' }, data: { enabled: false } });
    const ids = [other.channels[0]?.id, channels[0]?.id].map((id) => formatId('chn', id ?? ''));
    const { body } = await replay(environmentId, { filter: {}, channels: ids }).expect(422);
    expect(body.error.details).toHaveLength(2);
  });

  it('answers 404 for an environment that does not exist', async () => {
    const path = '/admin/v1/environments/env_01h455vb4pex5vsknk084sn02q/replays';
    for (const method of ['get', 'post'] as const) {
      const { body } = await world.api().admin(method, path, method === 'post' ? { filter: {} } : undefined);
      expect(body.error.code).toBe('environment_not_found');
    }
  });
});

describe('GET /admin/v1/environments/{id}/replays', () => {
  it('pages through the bulk replays of the environment, newest first', async () => {
    const { environmentId } = await environmentWith(1);
    const ids: string[] = [];
    for (let made = 0; made < 3; made += 1) {
      const { body } = await replay(environmentId, { filter: {} }).expect(201);
      await cancel(body.id).expect(200);
      ids.unshift(body.id);
    }
    const other = await environmentWith(1);
    await replay(other.environmentId, { filter: {} }).expect(201);
    const first = await world
      .api()
      .admin('get', `${pathOf(environmentId)}?limit=2`)
      .expect(200);
    const cursor = first.body.next_cursor;
    const second = await world
      .api()
      .admin('get', `${pathOf(environmentId)}?limit=2&cursor=${cursor}`)
      .expect(200);
    expect([...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(second.body.has_more).toBe(false);
    await world
      .api()
      .admin('get', `${pathOf(environmentId)}?limit=0`)
      .expect(422);
  });
});

describe('POST /admin/v1/replays/{id}/cancel', () => {
  it('stops the bulk replay, and is idempotent', async () => {
    const { environmentId } = await environmentWith(1);
    const { body: batch } = await replay(environmentId, { filter: {} }).expect(201);
    const { body } = await cancel(batch.id).expect(200);
    expect(body).toEqual({ ...batch, status: 'cancelled', completed_at: TIME });
    expect((await cancel(batch.id).expect(200)).body).toEqual(body);
    expect(await work(batch.id)).toEqual({ outcome: 'not_available' });
  });

  it('responds with 409 for a completed one', async () => {
    const { environmentId } = await environmentWith(1);
    const { body: batch } = await replay(environmentId, { filter: {} }).expect(201);
    await work(batch.id);
    const { body } = await cancel(batch.id).expect(409);
    expect(body.error).toMatchObject({ code: 'conflict', message: 'The bulk replay is completed.' });
  });

  it('has one audit entry, like the creation', async () => {
    const { environmentId, tenantId } = await environmentWith(1);
    const { body: batch } = await replay(environmentId, { filter: {} }).set('X-Actor', 'ada').expect(201);
    const { body: cancelled } = await cancel(batch.id).set('X-Actor', 'bob');
    await cancel(batch.id);
    expect(await auditOf(batch.id)).toMatchObject([
      { action: 'replay_batch.created', actor: 'ada', tenantId, environmentId, before: null, after: batch },
      { action: 'replay_batch.cancelled', actor: 'bob', tenantId, before: batch, after: cancelled },
    ]);
  });

  it.each(['rpb_01h455vb4pex5vsknk084sn02q', 'run_01h455vb4pex5vsknk084sn02q', 'x', '%00'])(
    'answers 404 for %s, as a read does',
    async (id) => {
      for (const response of [await cancel(id), await get(id)]) {
        expect(response.status).toBe(404);
        expect(response.body.error.code).toBe('replay_batch_not_found');
      }
    },
  );
});
