import { statementsDuring } from '@postrider/db/testing';
import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import type { TestApi } from '../support/api.ts';
import { anEvent } from '../support/api.ts';
import { pathOf, RICH } from '../support/configuration.ts';
import { useApi } from '../support/database.ts';

const world = useApi();
const elsewhere = useApi();

// biome-ignore lint/suspicious/noExplicitAny: documents are compared as they are
type Document = any;

async function anEnvironment(of = world) {
  const { environmentId, token, tenantId } = await of.environment({ channels: [] });
  const api = (): TestApi => of.api();
  const call = (path: string, body: object) => api().admin('post', pathOf(environmentId, path), body);
  const plan = (document: Document, more: object = {}) => call('/plan', { document, ...more });
  return {
    environmentId,
    token,
    tenantId,
    api,
    export: async () => (await api().admin('get', pathOf(environmentId)).expect(200)).body,
    drift: async () => (await api().admin('get', pathOf(environmentId, '/drift')).expect(200)).body,
    plan,
    changes: async (document: Document, more: object = {}) =>
      (await plan(document, more).expect(200)).body.changes.map(
        ({ action, kind, key }: Record<string, string>) => `${action} ${kind} ${key}`,
      ),
    apply: async (document: Document, more: object = {}) => {
      const { body } = await plan(document, more);
      expect(body.error).toBeUndefined();
      return call('/apply', { document, hash: body.hash, ...more });
    },
    applyHash: (document: Document, hash: string) => call('/apply', { document, hash }),
  };
}

const { roles: _roles, ...WITHOUT_ROLES } = RICH;

async function aRichEnvironment() {
  const environment = await anEnvironment();
  const { status, body } = await environment.apply(WITHOUT_ROLES);
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  return environment;
}

describe('a configuration as a document', () => {
  it('is exported, applied to an empty installation, and exported the same', async () => {
    const one = await anEnvironment();
    await (await one.apply(RICH)).status;
    const { document, secrets, left_out } = await one.export();
    expect(left_out).toEqual([]);
    expect(secrets).toEqual([
      { kind: 'channel', key: 'email Mail', path: '/config/smtp/password' },
      { kind: 'channel', key: 'webhook Orders of all shops', path: '/config/secret_headers/X-Key' },
      { kind: 'channel', key: 'webhook Orders of all shops', path: '/config/auth/token' },
    ]);
    expect(JSON.stringify({ document, secrets })).not.toContain('hunter2');

    const other = await anEnvironment(elsewhere);
    // Plans stay, and each installation of the tests has its own.
    const { plans: _plans, ...exported } = document;
    const withSecrets = structuredClone(exported);
    const [mail, orders] = withSecrets.channels;
    mail.config.smtp.password = 'another-password';
    orders.config.secret_headers['X-Key'] = 'another-header';
    orders.config.auth.token = 'another-token';
    const applied = await other.apply(withSecrets);
    expect(applied.body).toMatchObject({
      secrets: [
        { kind: 'channel', key: 'webhook Orders of all shops', secret: expect.stringMatching(/^whsec_/) },
      ],
    });
    const { plans: _others, ...again } = (await other.export()).document;
    expect(again).toEqual(exported);
    expect(JSON.stringify(again)).toBe(JSON.stringify(exported));
  });

  it('changes nothing the second time, with the secrets or without', async () => {
    const environment = await aRichEnvironment();
    const before = await environment.export();
    const entries = () =>
      world.db().auditEntry.count({ where: { environmentId: environment.environmentId } });
    const written = await entries();
    for (const document of [WITHOUT_ROLES, before.document]) {
      expect(await environment.changes(document)).toEqual([]);
      expect((await environment.apply(document)).body.changes).toEqual([]);
    }
    expect(await environment.export()).toEqual(before);
    expect(await entries()).toBe(written + 1);
  });

  it('is applied once by two at once: the other gets 409 configuration_changed', async () => {
    const environment = await anEnvironment();
    const { hash } = (await environment.plan(WITHOUT_ROLES).expect(200)).body;
    const other = await world.more();
    const path = pathOf(environment.environmentId, '/apply');
    const body = { document: WITHOUT_ROLES, hash };
    const replies = await Promise.all([
      world.api().admin('post', path, body),
      other.admin('post', path, body),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = replies.find(({ status }) => status === 409);
    expect(refused?.body.error.code).toBe('configuration_changed');
    expect(await environment.changes(WITHOUT_ROLES)).toEqual([]);
  });

  it('is not applied if something has changed since the plan', async () => {
    const environment = await aRichEnvironment();
    const document = { version: 1, event_types: [{ event_key: 'order.shipped', description: 'New.' }] };
    const { hash } = (await environment.plan(document).expect(200)).body;
    const path = pathOf(environment.environmentId).replace('configuration', 'event-types/order.shipped');
    await environment.api().admin('put', path, { description: 'By hand.' }).expect(200);
    const { body } = await environment.applyHash(document, hash).expect(409);
    expect(body.error.code).toBe('configuration_changed');
  });

  it('leaves nothing of a document of which one part is refused, and names all errors by their place', async () => {
    const environment = await anEnvironment();
    const before = await environment.export();
    const { body } = await environment
      .plan({
        ...WITHOUT_ROLES,
        templates: [
          ...WITHOUT_ROLES.templates,
          { event_key: 'a.b', channel_kind: 'email', subject: '{{', html: 'x' },
          { event_key: 'a.c', channel_kind: 'email', subject: 'x', html: '{% layout "none" %}' },
        ],
        channels: [
          ...WITHOUT_ROLES.channels,
          { kind: 'webhook', name: 'New', config: { url: 'https://a.example', auth: { type: 'bearer' } } },
          { kind: 'webhook', name: 'Worse', config: { url: 7 } },
        ],
        event_types: [{ event_key: 'a.b', payload_schema: { type: 'nonsense' } }, { event_key: 'a.b' }],
      })
      .expect(422);
    expect(body.error.details).toMatchObject([
      { path: '/document/event_types/1/event_key', code: 'duplicate' },
    ]);
    const more = await environment
      .plan({
        version: 1,
        templates: [
          { event_key: 'a.b', channel_kind: 'email', subject: '{{', html: 'x' },
          { event_key: 'a.c', channel_kind: 'email', subject: 'x', html: '{% layout "none" %}' },
        ],
        channels: [
          { kind: 'webhook', name: 'New', config: { url: 'https://a.example', auth: { type: 'bearer' } } },
          { kind: 'webhook', name: 'Worse', config: { url: 7 } },
        ],
        event_types: [{ event_key: 'a.b', payload_schema: { type: 'nonsense' } }],
      })
      .expect(422);
    const paths = more.body.error.details.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        '/document/templates/0/subject',
        '/document/templates/1/html',
        '/document/channels/0/config/auth/token',
        '/document/channels/1/config/url',
        '/document/event_types/0/payload_schema/type',
      ]),
    );
    expect(await environment.export()).toEqual(before);
  });

  it('keeps what it does not have, and removes it with prune, in its sections alone', async () => {
    const environment = await aRichEnvironment();
    const less = {
      version: 1,
      templates: [WITHOUT_ROLES.templates[2]],
      partials: [],
      layouts: [],
      translations: [],
    };
    const planned = (await environment.plan(less).expect(200)).body;
    expect(planned.changes).toEqual([]);
    expect(planned.unmanaged).toHaveLength(8);
    expect((await environment.apply(less, { prune: true })).body.changes).toHaveLength(8);
    const { document } = await environment.export();
    expect(document.templates.map(({ channel_kind }: Document) => channel_kind)).toEqual(['webhook']);
    expect([document.partials, document.layouts, document.translations]).toEqual([[], [], []]);
    expect(document.channels).toHaveLength(2);
    const none = { version: 1, channels: [], event_types: [] };
    await environment.apply(none, { prune: true });
    expect((await environment.export()).document).toMatchObject(none);
  });

  it('does not touch waiting runs of a channel that a plan would delete', async () => {
    const environment = await aRichEnvironment();
    await environment.api().postEvent(environment.token).expect(201);
    const runs = () =>
      world.db().deliveryRun.findMany({
        where: { environmentId: environment.environmentId },
        orderBy: { id: 'asc' },
      });
    const before = await runs();
    expect(before.length).toBeGreaterThan(0);
    const none = { version: 1, channels: [] };
    const statements = await statementsDuring(async () => {
      expect(await environment.changes(none, { prune: true })).toHaveLength(2);
    });
    expect(statements.filter((text) => text.startsWith('WITH target AS'))).toEqual([]);
    expect(await runs()).toEqual(before);
  });

  it('does not remove a part that an active template uses', async () => {
    const environment = await aRichEnvironment();
    const { body } = await environment.plan({ version: 1, layouts: [] }, { prune: true }).expect(422);
    expect(body.error.details[0].path).toBe('/document/layouts');
  });

  it('keeps a secret that is left out, sets one that differs, and never shows one', async () => {
    const environment = await aRichEnvironment();
    const document = { version: 1, channels: structuredClone(WITHOUT_ROLES.channels) as Document };
    document.channels[0].config.auth.token = 'hunter3-token';
    delete document.channels[1].config.smtp.password;
    const { changes } = (await environment.plan(document).expect(200)).body;
    expect(changes).toEqual([
      {
        action: 'update',
        kind: 'channel',
        key: 'webhook Orders of all shops',
        fields: [{ path: '/config/auth/token', from: null, to: null, secret: true }],
        scope: 'channels:write',
      },
    ]);
    const applied = await environment.apply(document);
    expect(applied.body.changes).toEqual(changes);
    expect(await environment.changes(document)).toEqual([]);
    const entries = await world.db().auditEntry.findMany({
      where: { environmentId: environment.environmentId },
    });
    expect(JSON.stringify([applied.body, entries])).not.toContain('hunter');
    // The secret was given for the server of now.
    document.channels[1].config.smtp.host = 'smtp.evil.example';
    const { body } = await environment.plan(document).expect(422);
    expect(body.error.details).toMatchObject([{ path: '/document/channels/1/config/smtp/password' }]);
  });

  it('groups the entries of the audit log by the id of the request', async () => {
    const environment = await anEnvironment();
    const { body } = await environment.apply(WITHOUT_ROLES);
    const entries = await world.db().auditEntry.findMany({
      where: { environmentId: environment.environmentId, requestId: body.request_id },
    });
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['channel.created', 'template.created', 'environment.configuration_applied']),
    );
  });

  it('renders new templates with the newest event, and refuses one that its deliveries would fail with', async () => {
    const environment = await aRichEnvironment();
    const event = anEvent({ payload: { order_id: 'A-7' } });
    const sent = await environment.api().postEvent(environment.token, event).expect(201);
    const document = {
      version: 1,
      templates: [
        { event_key: 'order.shipped', channel_kind: 'webhook', body: { id: '{{ payload.number }}' } },
        { event_key: 'order.shipped', channel_kind: 'email', subject: 'New', html: '{{ payload.order_id }}' },
      ],
    };
    const { hash, checks } = (await environment.plan(document).expect(200)).body;
    expect(checks).toMatchObject([
      { key: 'order.shipped email', event: sent.body.message_id, errors: [] },
      {
        key: 'order.shipped webhook',
        event: sent.body.message_id,
        errors: [{ path: '/body/id', message: expect.stringContaining('payload.number') }],
      },
    ]);
    const { body } = await environment.applyHash(document, hash).expect(422);
    expect(body.error.details).toMatchObject([
      { path: '/document/templates/0/body/id', code: 'invalid_template' },
    ]);
  });

  it('shows what was changed by hand since it was applied', async () => {
    const environment = await anEnvironment();
    expect(await environment.drift()).toEqual({ applied: null, changes: [] });
    const applied = await environment.apply(WITHOUT_ROLES);
    const { hash, request_id } = applied.body;
    expect(await environment.drift()).toMatchObject({
      applied: { hash, request_id, actor: 'admin' },
      changes: [],
    });
    const path = pathOf(environment.environmentId).replace('/configuration', '');
    const admin = environment.api().admin;
    await admin('put', `${path}/event-types/news.sent`, { description: 'By hand.' }).expect(200);
    await admin('put', `${path}/event-types/by.hand`, {}).expect(200);
    const { data } = (await admin('get', `${path}/channels`).expect(200)).body;
    const mail = data.find(({ kind }: Document) => kind === 'email');
    await admin('delete', `/admin/v1/channels/${mail.id}`).expect(204);
    expect((await environment.drift()).changes).toEqual([
      { action: 'create', kind: 'event_type', key: 'by.hand', id: null },
      { action: 'update', kind: 'event_type', key: 'news.sent', id: null },
      { action: 'delete', kind: 'channel', key: 'email Mail', id: null },
    ]);
  });

  it('leaves out channels that cannot be told apart, and says so', async () => {
    const environment = await aRichEnvironment();
    const path = pathOf(environment.environmentId).replace('configuration', 'channels');
    const twin = { kind: 'email', name: 'Mail', config: WITHOUT_ROLES.channels[1].config };
    await environment.api().admin('post', path, twin).expect(201);
    const { document, left_out } = await environment.export();
    expect(left_out).toMatchObject([{ kind: 'channel', key: 'email Mail' }]);
    expect(document.channels).toHaveLength(1);
    expect(await environment.changes(document, { prune: true })).toEqual([]);
    const { body } = await environment.plan(WITHOUT_ROLES).expect(422);
    expect(body.error.details).toMatchObject([{ path: '/document/channels/1', code: 'duplicate' }]);
  });
});

describe('the rights for a configuration', () => {
  async function withScopes(scopes: readonly string[], bounds: object = {}) {
    const { body } = await world
      .api()
      .admin('post', '/admin/v1/operator-tokens', { name: 'ci', scopes, ...bounds })
      .expect(201);
    return (method: 'get' | 'post', path: string, sent: object = {}) =>
      supertest(world.api().url)
        [method](path)
        .set('Authorization', `Bearer ${body.token}`)
        .send(method === 'get' ? undefined : sent);
  }

  it('are those to read for a plan, and for an apply those of each change', async () => {
    const environment = await aRichEnvironment();
    const reader = await withScopes(['templates:read', 'event-types:read']);
    const exported = await reader('get', pathOf(environment.environmentId));
    expect(Object.keys(exported.body.document)).toEqual([
      ...['version', 'event_types', 'partials', 'layouts', 'translations', 'templates'],
    ]);
    const document = { version: 1, event_types: [{ event_key: 'x.y' }] };
    const planned = await reader('post', pathOf(environment.environmentId, '/plan'), { document });
    expect(planned.body.changes).toMatchObject([{ action: 'create', scope: 'event-types:write' }]);
    const { hash } = planned.body;
    const applied = await reader('post', pathOf(environment.environmentId, '/apply'), { document, hash });
    expect(applied.status).toBe(403);
    expect(applied.body.error.message).toContain('event-types:write');
    const channels = { version: 1, channels: [] };
    const refused = await reader('post', pathOf(environment.environmentId, '/plan'), { document: channels });
    expect(refused.status).toBe(403);
    expect(refused.body.error.message).toContain('channels:read');
    expect(await environment.changes(document)).toEqual(['create event_type x.y']);
  });

  it('do not let a reader say what the configuration is compared with, nor make a version without a change', async () => {
    const environment = await aRichEnvironment();
    const path = pathOf(environment.environmentId);
    await environment
      .api()
      .admin('put', path.replace('configuration', 'event-types/by.hand'), {})
      .expect(200);
    const drift = await environment.drift();
    const reader = await withScopes(['templates:read', 'event-types:read']);
    const { document } = (await reader('get', path)).body;
    for (const same of [{ version: 1 }, document]) {
      const { hash } = (await reader('post', `${path}/plan`, { document: same })).body;
      const applied = await reader('post', `${path}/apply`, { document: same, hash });
      expect(applied.body).toMatchObject({ changes: [], request_id: null });
    }
    const [template] = document.templates;
    const again = {
      version: 1,
      templates: [{ ...template, headers: { ...template.headers }, attachments: [] }],
    };
    const versions = () =>
      world.db().templateVersion.count({ where: { environmentId: environment.environmentId } });
    const before = await versions();
    const { hash } = (await reader('post', `${path}/plan`, { document: again })).body;
    await reader('post', `${path}/apply`, { document: again, hash });
    expect(await versions()).toBe(before);
    expect(await environment.drift()).toEqual(drift);
  });

  it('do not let a reader find out a secret by guessing', async () => {
    const environment = await aRichEnvironment();
    const reader = await withScopes(['templates:read', 'channels:read']);
    const planned = await reader('post', pathOf(environment.environmentId, '/plan'), {
      document: { version: 1, channels: WITHOUT_ROLES.channels },
    });
    expect(planned.status).toBe(200);
    expect(planned.body.changes.flatMap(({ fields }: Document) => fields)).toHaveLength(3);
  });

  it('do not show payloads of events in errors of templates', async () => {
    const environment = await aRichEnvironment();
    const event = anEvent({ event_key: 'news.sent', payload: { secret: 'hunter2-payload' } });
    await environment.api().postEvent(environment.token, event).expect(201);
    const leaking = {
      version: 1,
      templates: [
        {
          ...{ event_key: 'news.sent', channel_kind: 'email', subject: 'x', html: 'x' },
          cc: '{{ payload.secret }}',
        },
      ],
    };
    const checked = (await environment.plan(leaking).expect(200)).body.checks;
    expect(checked).toMatchObject([{ event: expect.stringMatching(/^msg_/), errors: [{ path: '/cc' }] }]);
    const reader = await withScopes(['templates:read', 'messages:read']);
    const planned = await reader('post', pathOf(environment.environmentId, '/plan'), { document: leaking });
    expect(planned.body.checks).toMatchObject([{ event: null, errors: [] }]);
  });

  it('do not reach another tenant, nor the installation for callers with bounds', async () => {
    const own = await anEnvironment();
    const other = await aRichEnvironment();
    const { body: tenant } = await world
      .api()
      .admin('get', pathOf(own.environmentId).replace('/configuration', ''));
    const bound = await withScopes(['templates:write', 'tenants:admin', 'event-types:write'], {
      tenants: [tenant.tenant_id],
    });
    for (const more of ['', '/drift']) {
      expect((await bound('get', pathOf(own.environmentId, more))).status).toBe(200);
      expect((await bound('get', pathOf(other.environmentId, more))).status).toBe(404);
    }
    const exported = await bound('get', pathOf(own.environmentId));
    expect(exported.body.document).not.toHaveProperty('plans');
    const before = await other.export();
    const document = { version: 1, event_types: [{ event_key: 'x.y' }] };
    const planned = await bound('post', pathOf(other.environmentId, '/plan'), { document });
    expect(planned.status).toBe(404);
    const plans = { version: 1, plans: [{ code: 'evil', name: 'Evil' }] };
    const refused = await bound('post', pathOf(own.environmentId, '/plan'), { document: plans });
    expect(refused.status).toBe(403);
    expect(await other.export()).toEqual(before);
  });
});

describe('a hostile document', () => {
  const deep = (depth: number): object => (depth === 0 ? {} : { a: deep(depth - 1) });
  it.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['no version', {}],
    ['another version', { version: 2 }],
    ['an unknown section', { version: 1, tokens: [] }],
    ['a section of another type', { version: 1, channels: {} }],
    ['settings of another type', { version: 1, settings: [] }],
    ['items of another type', { version: 1, templates: [null, 7, 'x', []] }],
    ['items without keys', { version: 1, event_types: [{}], channels: [{ kind: 'webhook' }] }],
    ['keys of another type', { version: 1, event_types: [{ event_key: ['a.b'] }] }],
    ['an unknown setting', { version: 1, settings: { constructor: 1 } }],
    [
      'a channel of an unknown kind',
      { version: 1, channels: [{ kind: '__proto__', name: 'x', config: {} }] },
    ],
    ['a deep config', { version: 1, channels: [{ kind: 'webhook', name: 'x', config: deep(40) }] }],
    [
      'too many items',
      { version: 1, event_types: Array.from({ length: 1_001 }, (_, at) => ({ event_key: `a.b${at}` })) },
    ],
  ])('is refused and changes nothing: %s', async (what, document) => {
    const environment = await anEnvironment();
    const before = await environment.export();
    const { status, body } = await environment.plan(document);
    expect(status).toBe(what === 'a deep config' ? 400 : 422);
    expect((body.error.details ?? []).every(({ path }: Document) => path.startsWith('/document'))).toBe(true);
    expect(await environment.export()).toEqual(before);
  });

  it('is refused and changes nothing with keys of prototypes, and when it is too large', async () => {
    const environment = await anEnvironment();
    const send = (text: string) =>
      supertest(world.api().url)
        .post(pathOf(environment.environmentId, '/plan'))
        .set('Authorization', `Bearer ${world.api().deps.adminToken}`)
        .type('application/json')
        .send(text);
    const polluted = await send(
      '{"document":{"version":1,"settings":{"__proto__":{"https_only":true}},"translations":[{"locale":"fr","messages":{"__proto__":"x"}}]}}',
    );
    expect([200, 422]).toContain(polluted.status);
    expect(({} as Record<string, unknown>).https_only).toBeUndefined();
    const large = await send(`{"document":{"version":1,"x":"${'x'.repeat(4 * 1024 * 1024)}"}}`);
    expect(large.status).toBe(413);
  });
});
