import { createFixture } from '@postrider/db/testing';
import { formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent, startApi } from '../support/api.ts';
import { EMAIL, EMAIL_TEMPLATE, useApi } from '../support/database.ts';

const world = useApi();

async function anEnvironment() {
  const { environmentId, token } = await world.environment();
  const id = formatId('env', environmentId);
  const environmentPath = `/admin/v1/environments/${id}`;
  return { id, token, environmentPath, path: `${environmentPath}/suppressions` };
}
const add = (path: string, body: object) => world.api().admin('post', path, body);
const list = async (path: string) => (await world.api().admin('get', path).expect(200)).body.data;

describe('POST /admin/v1/environments/{id}/suppressions', () => {
  it('responds with 201 and the entry, and with the same one for the address in any case', async () => {
    const { id, path } = await anEnvironment();
    const { body } = await add(path, { email: 'Ada@example.com', reason: 'asked' }).expect(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^sup_/),
      environment_id: id,
      email: 'Ada@example.com',
      scope: 'all',
      reason: 'asked',
      source: 'manual',
      created_at: expect.any(String),
      expires_at: null,
    });
    expect((await add(path, { email: 'ada@EXAMPLE.com' }).expect(201)).body).toEqual(body);
    expect(await list(path)).toEqual([body]);
  });

  it('takes the time at which an entry ends, in an import, too', async () => {
    const { path } = await anEnvironment();
    const expires_at = '2099-01-01T00:00:00.000Z';
    const { body } = await add(path, { email: 'ada@example.com', expires_at }).expect(201);
    expect(body.expires_at).toBe(expires_at);
    const entries = [{ email: 'bob@example.com', expires_at }];
    await add(`${path}/import`, { entries }).expect(200);
    expect(await list(path)).toMatchObject([{ expires_at }, { expires_at }]);
    const always = await add(path, { email: 'ada@example.com' }).expect(201);
    expect(always.body.expires_at).toBeNull();
  });

  it('refuses a time at which an entry ends that has passed by the clock of the database', async () => {
    const { path } = await anEnvironment();
    const clock = { read: async () => new Date('2100-01-01T00:00:00Z'), forget: () => undefined };
    const later = await world.more({ clock });
    const entry = { email: 'ada@example.com', expires_at: '2099-01-01T00:00:00Z' };
    const { body } = await later.admin('post', path, entry).expect(422);
    expect(body.error.details).toMatchObject([{ path: '/expires_at' }]);
  });

  it.each([
    [{ email: 'ada@example.com', expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
    [{ email: 'ada@example.com', expires_at: 'tomorrow' }, '/expires_at'],
    [{ email: 'Ada <ada@example.com>' }, '/email'],
    [{ email: 'ada@example.com', scope: 'transactional' }, '/scope'],
    [{ email: 'ada@example.com', scope: 'Two Words' }, '/scope'],
    [{ email: 'ada@example.com', reason: 'two\nlines' }, '/reason'],
  ])('refuses %j', async (body, at) => {
    const { path } = await anEnvironment();
    const refused = await add(path, body).expect(422);
    expect(refused.body.error.details).toMatchObject([{ path: at }]);
    expect(await list(path)).toEqual([]);
  });
});

describe('a suppression of a stream', () => {
  it('is refused unless the environment has the stream, and the refusal names those that it has', async () => {
    const { path, environmentPath } = await anEnvironment();
    const entry = { email: 'ada@example.com', scope: 'news' };
    const message = 'is not a stream of the environment: it must be one of all';
    const refused = await add(path, entry).expect(422);
    expect(refused.body.error.details).toEqual([{ path: '/scope', code: 'invalid_value', message }]);
    await world.api().admin('put', `${environmentPath}/event-types/a.b`, { stream: 'offers' }).expect(200);
    await world
      .api()
      .admin('patch', environmentPath, { stream_names: { bulletin: {} } })
      .expect(200);
    const imported = await add(`${path}/import`, { entries: [{ email: 'b@example.com' }, entry] }).expect(
      422,
    );
    expect(imported.body.error.details).toEqual([
      { path: '/entries/1/scope', code: 'invalid_value', message: `${message}, bulletin, offers` },
    ]);
    await add(path, { ...entry, scope: 'offers' }).expect(201);
    await add(path, { ...entry, scope: 'bulletin' }).expect(201);
    const unknown = path.replace(/env_\w+/, 'env_01h455vb4pex5vsknk084sn02q');
    await add(unknown, entry).expect(404);
  });
});

describe('POST /admin/v1/environments/{id}/suppressions/import', () => {
  it('imports all or none, counts new entries, and changes nothing when repeated', async () => {
    const { path, environmentPath } = await anEnvironment();
    await world
      .api()
      .admin('patch', environmentPath, { stream_names: { news: {} } })
      .expect(200);
    const entries = [{ email: 'a@example.com' }, { email: 'b@example.com', scope: 'news' }];
    const broken = { entries: [...entries, { email: 'c@example.com', scope: 'transactional' }] };
    expect((await add(`${path}/import`, broken).expect(422)).body.error.details[0].path).toBe(
      '/entries/2/scope',
    );
    expect((await add(`${path}/import`, { entries }).expect(200)).body).toEqual({ added: 2, existing: 0 });
    expect((await add(`${path}/import`, { entries }).expect(200)).body).toEqual({ added: 0, existing: 2 });
    expect(await list(path)).toMatchObject([{ source: 'import' }, { source: 'import' }]);
  });
});

describe('GET /admin/v1/environments/{id}/suppressions', () => {
  it('finds exactly one address, in any case, and not in other environments', async () => {
    const [here, there] = [await anEnvironment(), await anEnvironment()];
    await add(here.path, { email: 'ada@example.com' }).expect(201);
    await add(here.path, { email: 'ada.l@example.com' }).expect(201);
    expect(await list(`${here.path}?email=ADA%40example.com`)).toMatchObject([{ email: 'ada@example.com' }]);
    expect(await list(`${there.path}?email=ada%40example.com`)).toEqual([]);
    await world.api().admin('get', `${here.path}?email=ada`).expect(422);
  });
});

describe('DELETE /admin/v1/suppressions/{id}', () => {
  it('removes the entry once, and the audit log shows who did it without the address', async () => {
    const { id, path } = await anEnvironment();
    const { body } = await add(path, { email: 'ada@example.com' }).expect(201);
    await world.api().admin('delete', `/admin/v1/suppressions/${body.id}`).expect(204);
    await world.api().admin('delete', `/admin/v1/suppressions/${body.id}`).expect(404);
    expect(await list(path)).toEqual([]);
    const log = await world.api().admin('get', `/admin/v1/audit-log?environment_id=${id}`).expect(200);
    expect(log.body.data.slice(0, 2)).toMatchObject([
      { action: 'suppression.deleted', resource_id: body.id },
      { action: 'suppression.created', resource_id: body.id },
    ]);
    expect(log.text).not.toContain('ada@');
  });
});

describe('ignore_suppression', () => {
  const event = anEvent({ ignore_suppression: true });

  it('gets 403 without the scope, in a batch only for that event, and stores nothing', async () => {
    const { id, token } = await anEnvironment();
    const refused = await world.api().postEvent(token, event).expect(403);
    expect(refused.body.error).toMatchObject({
      code: 'token_scope_missing',
      message: expect.stringContaining('ignore_suppression'),
    });
    await world
      .api()
      .postEvent(token, anEvent({ ignore_suppression: false }))
      .expect(201);
    const events = [event, anEvent()].map((each) => ({ idempotency_key: crypto.randomUUID(), event: each }));
    const batch = await world.api().post('/api/v1/events/batch', token).send({ events }).expect(200);
    expect(batch.body.results.map(({ status }: { status: number }) => status)).toEqual([403, 201]);
    const { body } = await world.api().admin('get', `/admin/v1/environments/${id}/messages`).expect(200);
    expect(body.data).toHaveLength(2);
  });

  it('is stored with the message if the token has the scope, which a rotation preserves', async () => {
    const { id } = await anEnvironment();
    const tokens = `/admin/v1/environments/${id}/tokens`;
    const issued = await world
      .api()
      .admin('post', tokens, { name: 'a', scopes: ['ignore_suppression'] })
      .expect(201);
    const rotated = await world
      .api()
      .admin('post', `/admin/v1/tokens/${issued.body.id}/rotate`, {})
      .expect(200);
    expect(rotated.body.scopes).toContain('ignore_suppression');
    const sent = await world.api().postEvent(rotated.body.token, event).expect(201);
    const messages = await world.db().$queryRaw<object[]>`
      SELECT ignore_suppression FROM messages JOIN delivery_runs run ON run.message_id = messages.id LIMIT 1000`;
    expect(sent.body.message_id).toMatch(/^msg_/);
    expect(messages).toContainEqual({ ignore_suppression: true });
  });

  it('cannot be an unknown scope', async () => {
    const { id } = await anEnvironment();
    const tokens = `/admin/v1/environments/${id}/tokens`;
    await world
      .api()
      .admin('post', tokens, { name: 'a', scopes: ['everything'] })
      .expect(422);
  });
});

describe('the stream of an event type', () => {
  it('is pinned to the messages that are accepted while it is set', async () => {
    const made = await createFixture(world.db(), { channels: [EMAIL], templates: [EMAIL_TEMPLATE] });
    const path = `/admin/v1/environments/${formatId('env', made.environmentId)}/event-types/order.shipped`;
    const streams = async () => {
      await world.api().postEvent(made.token).expect(201);
      const rows = await world.db().message.findMany({
        where: { environmentId: made.environmentId },
        orderBy: { id: 'asc' },
      });
      return rows.map(({ stream }) => stream);
    };
    expect(await streams()).toEqual([null]);
    await world.api().admin('put', path, { stream: 'newsletter' }).expect(200);
    world.api().deps.snapshots.drop(`environment:${made.environmentId}`);
    expect(await streams()).toEqual([null, 'newsletter']);
    await world.api().admin('put', path, { stream: 'all' }).expect(422);
  });

  it('needs PUBLIC_URL', async () => {
    const api = await startApi(world.db(), { publicUrl: null });
    try {
      const { id } = await anEnvironment();
      const path = `/admin/v1/environments/${id}/event-types/order.shipped`;
      const refused = await api.admin('put', path, { stream: 'newsletter' }).expect(422);
      expect(refused.body.error.details[0].message).toContain('PUBLIC_URL');
    } finally {
      await api.stop();
    }
  });
});
