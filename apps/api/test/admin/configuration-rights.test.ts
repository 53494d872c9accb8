import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { anEvent } from '../support/api.ts';
import {
  anEnvironment,
  aRichEnvironment,
  type Document,
  pathOf,
  WITHOUT_ROLES,
} from '../support/configuration.ts';
import { useApi } from '../support/database.ts';

const world = useApi();

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
    const environment = await aRichEnvironment(world);
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
    const environment = await aRichEnvironment(world);
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
    const environment = await aRichEnvironment(world);
    const reader = await withScopes(['templates:read', 'channels:read']);
    const planned = await reader('post', pathOf(environment.environmentId, '/plan'), {
      document: { version: 1, channels: WITHOUT_ROLES.channels },
    });
    expect(planned.status).toBe(200);
    expect(planned.body.changes.flatMap(({ fields }: Document) => fields)).toHaveLength(3);
  });

  it('do not show payloads of events in errors of templates', async () => {
    const environment = await aRichEnvironment(world);
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
    const own = await anEnvironment(world);
    const other = await aRichEnvironment(world);
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
    const environment = await anEnvironment(world);
    const before = await environment.export();
    const { status, body } = await environment.plan(document);
    expect(status).toBe(what === 'a deep config' ? 400 : 422);
    expect((body.error.details ?? []).every(({ path }: Document) => path.startsWith('/document'))).toBe(true);
    expect(await environment.export()).toEqual(before);
  });

  it('is refused and changes nothing with keys of prototypes, and when it is too large', async () => {
    const environment = await anEnvironment(world);
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
