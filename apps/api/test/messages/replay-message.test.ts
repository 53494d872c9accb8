import { randomUUID } from 'node:crypto';
import { createTestTemplate } from '@postrider/db/testing';
import { createUuidV7Source, formatId, parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent, startApi } from '../support/api.ts';
import { EMAIL, EMAIL_TEMPLATE, useApi, WEBHOOK } from '../support/database.ts';
import { untilAnswered } from '../support/waiting.ts';

const world = useApi();

const replay = (token: string, messageId: string, body?: unknown, key?: string) => {
  const request = world.api().post(`/api/v1/messages/${messageId}/replay`, token);
  if (key !== undefined) request.set('Idempotency-Key', key);
  return body === undefined ? request : request.type('application/json').send(JSON.stringify(body));
};

describe('POST /api/v1/messages/{messageId}/replay', () => {
  it('responds with 201 and new, immediate runs, even for a scheduled message, and enqueues them', async () => {
    const { token } = await world.environment();
    const posted = await world.api().postEvent(token, anEvent({ schedule_at: '2099-01-01T00:00:00Z' }));
    const response = await replay(token, posted.body.message_id);
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      message_id: posted.body.message_id,
      status: 'pending',
      delivery_runs: [
        {
          id: expect.stringMatching(/^run_/),
          channel: posted.body.delivery_runs[0].channel,
          status: 'queued',
          scheduled_at: null,
        },
      ],
      skipped_channels: [],
    });
    expect(response.body.delivery_runs[0].id).not.toBe(posted.body.delivery_runs[0].id);
    expect(world.api().enqueued.at(-1)).toMatchObject({
      runId: parseId('run', response.body.delivery_runs[0].id),
      channelKind: 'webhook',
      delayMs: 0,
    });
  });

  it('is due at once after the clock of PostgreSQL was set back', async () => {
    const { token } = await world.environment();
    const posted = await world.api().postEvent(token);
    const real = world.api().deps.clock;
    let aheadMs = 3_600_000;
    const clock = {
      read: async () => new Date((await real.read()).getTime() + aheadMs),
      forget() {
        aheadMs = 0;
      },
    };
    const api = await startApi(world.db(), { clock });
    const path = `/api/v1/messages/${posted.body.message_id}/replay`;
    const response = await api.post(path, token).set('Idempotency-Key', randomUUID());
    await api.stop();
    expect(response.status).toBe(201);
    const runs = await world.db().deliveryRun.findMany({
      where: { messageId: parseId('msg', posted.body.message_id) ?? '', dueAt: { lte: new Date() } },
      select: { replay: true },
      orderBy: { replay: 'asc' },
    });
    expect(runs).toEqual([{ replay: 0 }, { replay: 1 }]);
    expect((await world.api().get('/api/v1/usage/current', token)).body.events.used).toBe(2);
  });

  it('resolves templates again, and the old run keeps the old version', async () => {
    const { token, environmentId } = await world.environment({
      channels: [EMAIL],
      templates: [EMAIL_TEMPLATE],
    });
    const posted = await world.api().postEvent(token);
    await createTestTemplate(world.db(), { ...EMAIL_TEMPLATE, environmentId, subject: 'New' });
    world.api().deps.snapshots.clear();
    expect((await replay(token, posted.body.message_id)).status).toBe(201);
    const path = `/api/v1/messages/${posted.body.message_id}/deliveries`;
    const { delivery_runs } = (await world.api().get(path, token)).body;
    const versions = delivery_runs.map((run: { template: { version: number } }) => run.template.version);
    expect(versions).toEqual([1, 2]);
  });

  it('delivers only to the given channels', async () => {
    const { token, channels } = await world.environment({ channels: [WEBHOOK, { ...WEBHOOK, name: 'B' }] });
    const posted = await world.api().postEvent(token);
    const id = formatId('chn', channels[1]?.id ?? '');
    const response = await replay(token, posted.body.message_id, { channels: [id] });
    expect(response.body.delivery_runs.map((run: { channel: { id: string } }) => run.channel.id)).toEqual([
      id,
    ]);
  });

  it('counts 1 against the quota, which refuses it exactly', async () => {
    const { token } = await world.environment({
      plan: { eventsPerMonth: 2 },
      channels: [WEBHOOK, { ...WEBHOOK, name: 'B' }],
    });
    const posted = await world.api().postEvent(token);
    expect((await replay(token, posted.body.message_id)).status).toBe(201);
    const usage = await world.api().get('/api/v1/usage/current', token);
    expect(usage.body.events).toEqual({ used: 2, limit: 2, remaining: 0 });
    const refused = await replay(token, posted.body.message_id);
    expect(refused.status).toBe(402);
    expect(refused.body.error.details[0]).toMatchObject({ limit: 2, used: 2 });
  });

  it('creates runs for each of many concurrent replays', async () => {
    const { token } = await world.environment();
    const posted = await world.api().postEvent(token);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => replay(token, posted.body.message_id)),
    );
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([201]));
    const message = await world.api().get(`/api/v1/messages/${posted.body.message_id}`, token);
    expect(message.body.delivery_runs).toHaveLength(21);
  });

  it('honours an Idempotency-Key: same bytes again, 409 for another body or another message', async () => {
    const { token } = await world.environment();
    const [one, two] = [await world.api().postEvent(token), await world.api().postEvent(token)];
    const key = randomUUID();
    const first = await replay(token, one.body.message_id, undefined, key);
    const again = await replay(token, one.body.message_id, undefined, key);
    expect(again.status).toBe(201);
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotent-replayed']).toBe('true');
    for (const conflict of [
      await replay(token, one.body.message_id, {}, key),
      await replay(token, two.body.message_id, undefined, key),
    ]) {
      expect(conflict.status).toBe(409);
      expect(conflict.body.error.code).toBe('idempotency_conflict');
    }
  });

  it('creates one set of runs for 50 concurrent requests with one key over two processes', async () => {
    const { token } = await world.environment();
    const posted = await world.api().postEvent(token);
    const apis = [world.api(), await world.more()];
    const key = randomUUID();
    const path = `/api/v1/messages/${posted.body.message_id}/replay`;
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        untilAnswered(() => (apis[index % 2] ?? world.api()).post(path, token).set('Idempotency-Key', key)),
      ),
    );
    expect(new Set(responses.map((response) => response.text)).size).toBe(1);
    const message = await world.api().get(`/api/v1/messages/${posted.body.message_id}`, token);
    expect(message.body.delivery_runs).toHaveLength(2);
  });

  it('answers 400 to a bad key and to what is not JSON, 415 to another type, 413 to what is too large', async () => {
    const { token } = await world.environment();
    const { body } = await world.api().postEvent(token);
    const path = `/api/v1/messages/${body.message_id}/replay`;
    const post = (type: string, text: string) => world.api().post(path, token).type(type).send(text);
    expect((await replay(token, body.message_id, undefined, 'x')).body.error.code).toBe(
      'idempotency_key_invalid',
    );
    expect((await post('application/json', '{')).body.error.code).toBe('invalid_json');
    expect((await post('text/plain', '{}')).body.error.code).toBe('unsupported_media_type');
    expect((await post('application/json', ' '.repeat(256 * 1024 + 1))).body.error.code).toBe(
      'payload_too_large',
    );
  });

  it.each([
    [{ extra: 1 }, '/extra', 'unknown_field'],
    [{ channels: 'x' }, '/channels', 'invalid_type'],
    [{ channels: [] }, '/channels', 'too_few'],
    [{ channels: [1] }, '/channels/0', 'invalid_type'],
    [{ channels: ['x', 'x'] }, '/channels', 'duplicate'],
    [{ channels: ['chn_01h455vb4pex5vsknk084sn02q'] }, '/channels/0', 'unknown_channel'],
    [{ channels: ['x'] }, '/channels/0', 'unknown_channel'],
    [[], '', 'invalid_type'],
  ])('answers 422 to %j', async (body, path, code) => {
    const { token } = await world.environment();
    const posted = await world.api().postEvent(token);
    const response = await replay(token, posted.body.message_id, body);
    expect(response.status).toBe(422);
    expect(response.body.error.details).toEqual([{ path, code, message: expect.any(String) }]);
  });

  it('answers 422 when a channel of another environment or one that does not take the event is named', async () => {
    const other = await world.environment();
    const { token, channels } = await world.environment({
      channels: [WEBHOOK, { ...WEBHOOK, eventKeys: ['invoice.*'] }],
    });
    const posted = await world.api().postEvent(token);
    const names = [other.channels[0]?.id, channels[1]?.id].map((id) => formatId('chn', id ?? ''));
    const response = await replay(token, posted.body.message_id, { channels: names });
    expect(response.body.error.details.map(({ path, code }: Record<string, string>) => [path, code])).toEqual(
      [
        ['/channels/0', 'unknown_channel'],
        ['/channels/1', 'no_matching_channel'],
      ],
    );
  });

  it('answers 422 as at ingestion when no channel or no template is there any more', async () => {
    const { token, channels, templates } = await world.environment({
      channels: [EMAIL, WEBHOOK],
      templates: [EMAIL_TEMPLATE],
    });
    const posted = await world.api().postEvent(token);
    const codes = async () => {
      world.api().deps.snapshots.clear();
      const response = await replay(token, posted.body.message_id);
      expect(response.status).toBe(422);
      return response.body.error.details.map(({ path, code }: Record<string, string>) => [path, code]);
    };
    await world
      .db()
      .templateVersion.update({ where: { id: templates[0]?.id ?? '' }, data: { active: false } });
    expect(await codes()).toEqual([['/event_key', 'template_not_found']]);
    const ids = channels.map((channel) => channel.id);
    await world.db().channel.updateMany({ where: { id: { in: ids } }, data: { enabled: false } });
    expect(await codes()).toEqual([['/event_key', 'no_matching_channel']]);
  });

  it('answers 422 as at ingestion when there is no address for an e-mail channel that is new', async () => {
    const { token, channels } = await world.environment({
      channels: [EMAIL, WEBHOOK],
      templates: [EMAIL_TEMPLATE],
    });
    const setEmail = async (enabled: boolean) => {
      await world.db().channel.update({ where: { id: channels[0]?.id ?? '' }, data: { enabled } });
      world.api().deps.snapshots.clear();
    };
    await setEmail(false);
    const posted = await world.api().postEvent(token, anEvent({ recipient: {} }));
    expect(posted.status).toBe(201);
    await setEmail(true);
    const { status, body } = await replay(token, posted.body.message_id);
    expect(status).toBe(422);
    expect(body.error.details).toMatchObject([{ path: '/recipient/email', code: 'required' }]);
  });

  it('answers 404 message_not_found to an unknown id and stores nothing for its key', async () => {
    const { token, environmentId } = await world.environment();
    const unknown = formatId('msg', createUuidV7Source()());
    const response = await replay(token, unknown, undefined, randomUUID());
    expect(response.status).toBe(404);
    expect(response.body.error.code).toBe('message_not_found');
    expect(await world.db().idempotencyRecord.count({ where: { environmentId } })).toBe(0);
  });

  it('answers 401 without a token', async () => {
    const response = await world.api().post('/api/v1/messages/x/replay');
    expect(response.status).toBe(401);
  });
});
