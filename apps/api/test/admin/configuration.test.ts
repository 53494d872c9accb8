import { statementsDuring } from '@postrider/db/testing';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import {
  anEnvironment,
  aRichEnvironment,
  type Document,
  pathOf,
  RICH,
  WITHOUT_ROLES,
} from '../support/configuration.ts';
import { useApi } from '../support/database.ts';

const world = useApi();
const elsewhere = useApi();

describe('a configuration as a document', () => {
  it('is exported, applied to an empty installation, and exported the same', async () => {
    const one = await anEnvironment(world);
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
    const environment = await aRichEnvironment(world);
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
    const environment = await anEnvironment(world);
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
    const environment = await aRichEnvironment(world);
    const document = { version: 1, event_types: [{ event_key: 'order.shipped', description: 'New.' }] };
    const { hash } = (await environment.plan(document).expect(200)).body;
    const path = pathOf(environment.environmentId).replace('configuration', 'event-types/order.shipped');
    await environment.api().admin('put', path, { description: 'By hand.' }).expect(200);
    const { body } = await environment.applyHash(document, hash).expect(409);
    expect(body.error.code).toBe('configuration_changed');
  });

  it('leaves nothing of a document of which one part is refused, and names all errors by their place', async () => {
    const environment = await anEnvironment(world);
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
    const environment = await aRichEnvironment(world);
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
    const environment = await aRichEnvironment(world);
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
    const environment = await aRichEnvironment(world);
    const { body } = await environment.plan({ version: 1, layouts: [] }, { prune: true }).expect(422);
    expect(body.error.details[0].path).toBe('/document/layouts');
  });

  it('keeps a secret that is left out, sets one that differs, and never shows one', async () => {
    const environment = await aRichEnvironment(world);
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
    // The secret was given for the current server.
    document.channels[1].config.smtp.host = 'smtp.evil.example';
    const { body } = await environment.plan(document).expect(422);
    expect(body.error.details).toMatchObject([{ path: '/document/channels/1/config/smtp/password' }]);
  });

  it('groups the entries of the audit log by the id of the request', async () => {
    const environment = await anEnvironment(world);
    const { body } = await environment.apply(WITHOUT_ROLES);
    const entries = await world.db().auditEntry.findMany({
      where: { environmentId: environment.environmentId, requestId: body.request_id },
    });
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['channel.created', 'template.created', 'environment.configuration_applied']),
    );
  });

  it('renders new templates with the newest event, and refuses one that its deliveries would fail with', async () => {
    const environment = await aRichEnvironment(world);
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
    const environment = await anEnvironment(world);
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
    const environment = await aRichEnvironment(world);
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
