import { randomUUID } from 'node:crypto';
import { formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { useApi, WEBHOOK } from '../support/database.ts';

const { api, db, environment } = useApi();

const UNKNOWN_ENVIRONMENT = 'env_01h455vb4pex5vsknk084sn02q';
const pathOf = (environmentId: string) => `/admin/v1/environments/${formatId('env', environmentId)}`;

/** Action, resource and actor of the audit entries of an environment, oldest first. */
async function auditOf(environmentId: string): Promise<string[][]> {
  const entries = await db().auditEntry.findMany({
    where: { environmentId, resourceType: { in: ['message', 'delivery_run'] } },
    orderBy: { id: 'asc' },
  });
  return entries.map(({ action, resourceId, actor }) => [action, resourceId, actor]);
}

describe('an operator', () => {
  it('sends an event for an environment: within its quota, once per key, and with one audit entry', async () => {
    const { environmentId, token } = await environment({ plan: { eventsPerMonth: 1 } });
    const key = randomUUID();
    const send = (withKey: string) =>
      api()
        .admin('post', `${pathOf(environmentId)}/events`, anEvent())
        .set('Idempotency-Key', withKey);
    const first = await send(key).expect(201);
    const again = await send(key).expect(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    await send(randomUUID()).expect(402);
    expect(await auditOf(environmentId)).toEqual([['message.sent', first.body.message_id, 'admin']]);
    await api().get(`/api/v1/messages/${first.body.message_id}`, token).expect(200);
    await api()
      .admin('post', `${pathOf(environmentId)}/events`, anEvent())
      .expect(400);
  });

  it('replays a message and cancels a scheduled run, each with an audit entry', async () => {
    const { environmentId, token } = await environment();
    const sent = await api()
      .postEvent(token, anEvent({ schedule_at: '2099-01-01T00:00:00Z' }))
      .expect(201);
    const [run] = sent.body.delivery_runs;
    const replay = `${pathOf(environmentId)}/messages/${sent.body.message_id}/replay`;
    const replayed = await api().admin('post', replay, {}).expect(201);
    expect(replayed.body.delivery_runs).toHaveLength(1);
    const cancelled = await api()
      .admin('post', `${pathOf(environmentId)}/delivery-runs/${run.id}/cancel`, {})
      .set('X-Actor', 'ada')
      .expect(200);
    expect(cancelled.body.status).toBe('cancelled');
    const line = api().log.find(({ route }) => String(route).endsWith('delivery-runs/:deliveryRunId/cancel'));
    expect(line).toMatchObject({ actor: 'ada', environment_id: formatId('env', environmentId) });
    await api()
      .post(replay.replace(pathOf(environmentId), '/api/v1'), token)
      .expect(201);
    expect(await auditOf(environmentId)).toEqual([
      ['message.replayed', sent.body.message_id, 'admin'],
      ['delivery_run.cancelled', run.id, 'ada'],
    ]);
  });

  it('needs the admin token, and an existing environment with the message', async () => {
    const [one, other] = [await environment(), await environment()];
    const sent = await api().postEvent(one.token).expect(201);
    const replay = (path: string) => `${path}/messages/${sent.body.message_id}/replay`;
    await api()
      .post(replay(pathOf(one.environmentId)), one.token)
      .expect(401);
    await api()
      .admin('post', replay(pathOf(other.environmentId)), {})
      .expect(404);
    const response = await api()
      .admin('post', replay(`/admin/v1/environments/${UNKNOWN_ENVIRONMENT}`), {})
      .expect(404);
    expect(response.body.error.code).toBe('environment_not_found');
    await api()
      .admin('post', replay(pathOf(one.environmentId)), {})
      .set('X-Actor', 'worker')
      .expect(422);
  });

  it('sends no response that pages of other origins could read', async () => {
    const { environmentId } = await environment();
    const response = await api()
      .admin('post', `${pathOf(environmentId)}/events`, anEvent())
      .set({ Origin: 'https://evil.example', 'Idempotency-Key': randomUUID() });
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('an Idempotency-Key', () => {
  /** The routes of an environment, each with a function that sends a body and a key. */
  async function routes() {
    const { environmentId, token } = await environment();
    const operators = (path: string, body: string, key: string) =>
      api()
        .admin('post', `${pathOf(environmentId)}${path}`)
        .set('Idempotency-Key', key)
        .type('json')
        .send(body);
    const tokens = (path: string, body: string, key: string) =>
      api().post(`/api/v1${path}`, token).set('Idempotency-Key', key).type('json').send(body);
    return { environmentId, token, operators, tokens };
  }

  /** A path and a body for each operation with keys. */
  async function requests(token: string): Promise<[path: string, body: string][]> {
    const later = anEvent({ schedule_at: '2099-01-01T00:00:00Z' });
    const sent = await api().postEvent(token, later).expect(201);
    return [
      ['/events', JSON.stringify(anEvent())],
      [`/messages/${sent.body.message_id}/replay`, '{}'],
      [`/delivery-runs/${sent.body.delivery_runs[0].id}/cancel`, '{}'],
    ];
  }

  it.each(['operators', 'tokens'] as const)(
    'is that of the environment: the %s’ route first, the same request by the other is replayed',
    async (first) => {
      const both = await routes();
      const [one, other] = first === 'tokens' ? [both.tokens, both.operators] : [both.operators, both.tokens];
      for (const [path, body] of await requests(both.token)) {
        const key = randomUUID();
        const made = await one(path, body, key);
        const again = await other(path, body, key);
        expect([again.status, again.text]).toEqual([made.status, made.text]);
        expect(again.headers['idempotent-replayed']).toBe('true');
        expect((await other(path, `${body} `, key)).body.error.code).toBe('idempotency_conflict');
      }
    },
  );

  it('that 0.1.0 stored for an operator is still that of the same request, by both routes', async () => {
    const { environmentId, token, operators, tokens } = await routes();
    for (const [path, body] of await requests(token)) {
      const key = randomUUID();
      const made = await operators(path, body, key);
      const ids = [formatId('env', environmentId), ...(path.match(/(?:msg|run)_[^/]+/g) ?? [])].join(' ');
      await db().$executeRaw`
        UPDATE idempotency_records SET fingerprint = sha256(convert_to(${`${ids}\n${body}`}, 'UTF8'))
         WHERE key = ${key}::uuid`;
      for (const send of [operators, tokens]) expect((await send(path, body, key)).text).toBe(made.text);
      expect((await operators(path, `${body} `, key)).status).toBe(409);
    }
  });
});

describe('explain=channels', () => {
  it('says which channels took an event, and why the others did not', async () => {
    const { token, channels, environmentId } = await environment({
      channels: [WEBHOOK, { ...WEBHOOK, name: 'Other keys', eventKeys: ['invoice.*'] }],
    });
    const sent = await api().postEvent(token).expect(201);
    const admin = `${pathOf(environmentId)}/channels`;
    const config = WEBHOOK.config;
    const later = await api().admin('post', admin, { kind: 'webhook', name: 'Later', config }).expect(201);
    const [taken, otherKeys] = channels;
    const runs = sent.body.delivery_runs.map(({ id }: { id: string }) => id);
    const expected = [
      [formatId('chn', taken?.id ?? ''), true, 'matched', runs],
      [formatId('chn', otherKeys?.id ?? ''), false, 'event_key_not_subscribed', []],
      [later.body.id, false, 'created_later', []],
    ];
    const path = `messages/${sent.body.message_id}?explain=channels`;
    const byToken = await api().get(`/api/v1/${path}`, token).expect(200);
    const byAdmin = await api()
      .admin('get', `${pathOf(environmentId)}/${path}`)
      .expect(200);
    for (const { body } of [byToken, byAdmin]) {
      expect(
        body.channels.map((channel: Record<string, unknown>) => [
          channel.channel_id,
          channel.taken,
          channel.reason,
          channel.delivery_run_ids,
        ]),
      ).toEqual(expected);
    }
    await api().admin('patch', `/admin/v1/channels/${expected[1]?.[0]}`, { enabled: false }).expect(200);
    await api().admin('delete', `/admin/v1/channels/${later.body.id}`).expect(204);
    const after = await api().get(`/api/v1/${path}`, token).expect(200);
    expect(after.body.channels.map(({ reason }: { reason: string }) => reason)).toEqual([
      'matched',
      'disabled',
      'deleted',
    ]);
  });

  it('is the only value of explain, and explain the only parameter', async () => {
    const { token, environmentId } = await environment();
    const sent = await api().postEvent(token).expect(201);
    for (const query of ['explain=runs', 'explain=channels&explain=channels', 'explian=channels']) {
      const path = `messages/${sent.body.message_id}?${query}`;
      await api().get(`/api/v1/${path}`, token).expect(422);
      await api()
        .admin('get', `${pathOf(environmentId)}/${path}`)
        .expect(422);
    }
    const plain = await api().get(`/api/v1/messages/${sent.body.message_id}`, token).expect(200);
    expect(plain.body).not.toHaveProperty('channels');
  });
});

describe('the usage of a tenant', () => {
  it('is listed by month, newest first, including months without events', async () => {
    const { tenantId, token } = await environment({ plan: { eventsPerMonth: 100 } });
    await api().postEvent(token).expect(201);
    await db().$executeRaw`
      INSERT INTO tenant_usage (tenant_id, period_start, events_used)
      VALUES (${tenantId}::uuid, (date_trunc('month', now() AT TIME ZONE 'UTC') - interval '2 months')::date, 41)`;
    const path = `/admin/v1/tenants/${formatId('ten', tenantId)}/usage`;
    const { body } = await api().admin('get', `${path}?months=3`).expect(200);
    expect(body.items.map((item: Record<string, unknown>) => [item.events_used, item.events_limit])).toEqual([
      [1, 100],
      [0, 100],
      [41, 100],
    ]);
    expect(body.items[0].period_start).toBe(`${new Date().toISOString().slice(0, 7)}-01`);
    expect((await api().admin('get', path).expect(200)).body.items).toHaveLength(12);
    await api().admin('get', `${path}?months=0`).expect(422);
    await api().admin('get', '/admin/v1/tenants/ten_01h455vb4pex5vsknk084sn02q/usage').expect(404);
  });
});
