import { createUuidV7Source, formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { EMAIL, useApi, WEBHOOK } from '../support/database.ts';
import { codesOf, EMAIL_BODY, listOf, templateActions, WEBHOOK_BODY } from '../support/templates.ts';

const world = useApi();
const newId = createUuidV7Source();
const { anEnvironment, create, act } = templateActions(world);

describe('POST /admin/v1/environments/{id}/templates', () => {
  it('responds with 201 and the version as later reads show it, numbered from 1, with an audit entry', async () => {
    const environment = await anEnvironment({ channels: [EMAIL] });
    const { body: first } = await create(environment.id, EMAIL_BODY).expect(201);
    const { warnings, ...template } = first;
    expect(template).toEqual({
      id: expect.stringMatching(/^tpl_/),
      environment_id: environment.id,
      event_key: 'order.shipped',
      channel_kind: 'email',
      version: 1,
      active: false,
      created_at: expect.any(String),
      subject: EMAIL_BODY.subject,
      html: EMAIL_BODY.html,
      text: null,
      mjml: null,
      body: null,
      cc: null,
      bcc: null,
      reply_to: null,
      headers: null,
      attachments: null,
      default_locale: 'en',
      parts: [],
    });
    expect(codesOf(warnings)).toEqual(['text_derived']);
    const read = await world.api().admin('get', `/admin/v1/templates/${template.id}`).expect(200);
    expect(read.body).toEqual(template);
    const { body: second } = await create(environment.id, { ...EMAIL_BODY, activate: true }).expect(201);
    expect([second.version, second.active]).toEqual([2, true]);
    const entries = await world.db().auditEntry.findMany({ where: { resourceId: template.id } });
    expect(entries).toMatchObject([{ action: 'template.created', before: null, after: { version: 1 } }]);
  });

  it('accepts a webhook template, and warns if no channel will use it', async () => {
    const environment = await anEnvironment({ channels: [] });
    const { body } = await create(environment.id, { ...WEBHOOK_BODY, activate: true }).expect(201);
    expect(body).toMatchObject({ body: WEBHOOK_BODY.body, subject: null, html: null, active: true });
    expect(codesOf(body.warnings)).toEqual(['no_matching_channel']);
  });

  it('compiles MJML once, stores its source, and delivers the HTML', async () => {
    const environment = await anEnvironment({ channels: [EMAIL] });
    const html =
      '<mjml><mj-body><mj-section><mj-column><mj-text>Hi {{ recipient.name }}</mj-text></mj-column></mj-section></mj-body></mjml>';
    const { body } = await create(environment.id, { ...EMAIL_BODY, html, activate: true }).expect(201);
    expect(body.mjml).toBe(html);
    expect(body.html).toMatch(/<!doctype html>.*Hi {{ recipient.name }}<\/div>/s);
    const preview = await act(body.id, 'preview', { payload: { order_id: 'A-1' } }).expect(200);
    expect(preview.body.rendered.html).toContain('Hi Ada Lovelace</div>');
    expect(preview.body.rendered.text).toContain('Hi Ada Lovelace');
  });

  it.each<[string, object, unknown]>([
    [
      'an issue of syntax, with its place',
      { ...EMAIL_BODY, html: '<p>\n  {% if a %}</p>' },
      [{ path: '/html', code: 'invalid_template', line: 2, column: 3 }],
    ],
    [
      'issues of all parts at once',
      { ...EMAIL_BODY, subject: '{{ x | nothing }}', html: '{% include "x" %}', text: '{{' },
      [{ path: '/subject' }, { path: '/html' }, { path: '/text', line: 1, column: 1 }],
    ],
    [
      'an issue in a JSON template by its pointer',
      { ...WEBHOOK_BODY, body: { a: [{ 'b/c': '{{ x | raw }}' }] } },
      [{ path: '/body/a/0/b~1c', code: 'invalid_template', line: 1, column: 1 }],
    ],
    [
      'MJML that is wrong, by its line',
      { ...EMAIL_BODY, html: '<mjml>\n<mj-body>\n<mj-nothing/>\n</mj-body></mjml>' },
      [{ path: '/html', code: 'invalid_template', line: 3 }],
    ],
    [
      'MJML that wants a file',
      { ...EMAIL_BODY, html: '<mjml><mj-body><mj-include path="/etc/passwd" type="html"/></mj-body></mjml>' },
      [{ path: '/html', code: 'invalid_template', line: 1, column: 16 }],
    ],
    ['an email without text and HTML', { ...EMAIL_BODY, html: null }, [{ path: '/html', code: 'required' }]],
    ['an email with a body', { ...EMAIL_BODY, body: {} }, [{ path: '/body', code: 'unknown_field' }]],
    [
      'a webhook with a subject',
      { ...WEBHOOK_BODY, subject: 'x' },
      [{ path: '/subject', code: 'unknown_field' }],
    ],
    ['a webhook without a body', { ...WEBHOOK_BODY, body: undefined }, [{ path: '/body', code: 'required' }]],
    ['no kind', { event_key: 'a.b' }, [{ path: '/channel_kind', code: 'required' }]],
    ['another kind', { ...EMAIL_BODY, channel_kind: 'sms' }, [{ path: '/channel_kind' }]],
    [
      'no event key',
      { ...EMAIL_BODY, event_key: 'shipped' },
      [{ path: '/event_key', code: 'invalid_format' }],
    ],
  ])('answers 422 for %s', async (_, body, details) => {
    const environment = await anEnvironment();
    const response = await create(environment.id, body).expect(422);
    expect(response.body.error.details).toMatchObject(details as object[]);
  });

  it.each([formatId('env', newId()), formatId('ten', newId()), 'x'])(
    'answers 404 for an environment that does not exist: %s',
    async (environment) => {
      for (const response of [
        await create(environment, EMAIL_BODY),
        await world.api().admin('get', listOf(environment)),
      ]) {
        expect([response.status, response.body.error.code]).toEqual([404, 'environment_not_found']);
      }
    },
  );

  it('serves others while it checks a hostile template, and refuses that one', async () => {
    const environment = await anEnvironment();
    const nested = `${'{% if true %}'.repeat(15_000)}${'{% endif %}'.repeat(15_000)}`.slice(0, 250_000);
    const hostile = create(environment.id, { ...EMAIL_BODY, html: nested });
    const [refused, other] = await Promise.all([hostile, create((await anEnvironment()).id, WEBHOOK_BODY)]);
    expect(refused.status).toBe(422);
    expect(other.status).toBe(201);
  });
});

describe('GET /admin/v1/environments/{id}/templates', () => {
  it('lists versions newest first, by page and filter, without their contents', async () => {
    const environment = await anEnvironment();
    for (const body of [
      EMAIL_BODY,
      WEBHOOK_BODY,
      { ...EMAIL_BODY, event_key: 'order.paid', activate: true },
    ]) {
      await create(environment.id, body).expect(201);
    }
    const list = async (query: string) =>
      (
        await world
          .api()
          .admin('get', `${listOf(environment.id)}?${query}`)
          .expect(200)
      ).body;
    const shown = (page: { data: { event_key: string; channel_kind: string }[] }) =>
      page.data.map(({ event_key, channel_kind }) => `${event_key} ${channel_kind}`);
    const first = await list('limit=2');
    expect(shown(first)).toEqual(['order.paid email', 'order.shipped webhook']);
    expect(first.data[0]).not.toHaveProperty('html');
    expect(shown(await list(`limit=2&cursor=${first.next_cursor}`))).toEqual(['order.shipped email']);
    expect(shown(await list('event_key=order.shipped&channel_kind=email'))).toEqual(['order.shipped email']);
    expect(shown(await list('active=true'))).toEqual(['order.paid email']);
    expect(shown(await list('active=false'))).toHaveLength(2);
  });

  it('responds with 422 for invalid parameters', async () => {
    const environment = await anEnvironment();
    const path = `${listOf(environment.id)}?event_key=x&channel_kind=sms&active=1&other=1`;
    const { body } = await world.api().admin('get', path).expect(422);
    expect(body.error.details.map((detail: { path: string }) => detail.path).sort()).toEqual([
      '/active',
      '/channel_kind',
      '/event_key',
      '/other',
    ]);
  });
});

describe('GET /admin/v1/environments/{id}/templates?part=', () => {
  it('lists the templates that a change of a layout, partial or translation would republish', async () => {
    const { id } = await anEnvironment();
    const add = (type: string, body: object) =>
      world
        .api()
        .admin('post', `/admin/v1/environments/${id}/${type}`, { activate: true, ...body })
        .expect(201);
    await add('partials', { name: 'logo', content: 'x' });
    await add('layouts', { name: 'main', content: "{% render 'logo' %}{% block %}{% endblock %}" });
    await add('translations', { locale: 'fr-CA', messages: { hello: 'Bonjour' } });
    const template = (event_key: string, html: string) =>
      create(id, { event_key, channel_kind: 'email', subject: 'Hi', html, activate: true }).expect(201);
    await template('with.layout', "{% layout 'main' %}");
    await template('with.message', "{{ 'hello' | t }}");
    await template('with.neither', 'Hello');
    const using = async (part: string) => {
      const { body } = await world
        .api()
        .admin('get', `${listOf(id)}?active=true&part=${part}`)
        .expect(200);
      return body.data.map(({ event_key }: { event_key: string }) => event_key);
    };
    expect(await using('layout:main')).toEqual(['with.layout']);
    expect(await using('partial:logo')).toEqual(['with.layout']);
    expect(await using('partial:main')).toEqual([]);
    expect(await using('translation:fr-CA')).toEqual(['with.message']);
    const { body } = await world
      .api()
      .admin('get', `${listOf(id)}?part=main`)
      .expect(422);
    expect(body.error.details).toMatchObject([{ path: '/part', code: 'invalid_format' }]);
  });
});

describe('a template with problems for mail programs', () => {
  it('causes warnings at creation and activation, based on its source', async () => {
    const environment = await anEnvironment({ channels: [EMAIL] });
    const html = '<p style="z-index: 1"><a href="{{ payload.url }}">x</a><img src="{{ payload.image }}"></p>';
    const { body } = await create(environment.id, { ...EMAIL_BODY, html, text: 'x' }).expect(201);
    expect(codesOf(body.warnings)).toEqual(['client_support', 'image_without_alt']);
    const activated = await act(body.id, 'activate').expect(200);
    expect(codesOf(activated.body.warnings)).toEqual(['client_support', 'image_without_alt']);
  });
});

describe('an email of a stream without an unsubscribe link', () => {
  it('causes a warning at creation, activation and preview, and one with a link in its layout does not', async () => {
    const { id } = await anEnvironment({ channels: [EMAIL] });
    const at = `/admin/v1/environments/${id}`;
    const admin = world.api().admin;
    const html = '<p>News</p>';
    const previewed = async (template: string) =>
      codesOf((await admin('post', `/admin/v1/templates/${template}/preview`, {}).expect(200)).body.warnings);
    const before = await create(id, { ...EMAIL_BODY, html, text: 'x' }).expect(201);
    expect(codesOf(before.body.warnings)).toEqual([]);
    expect(await previewed(before.body.id)).toEqual([]);
    await admin('put', `${at}/event-types/${EMAIL_BODY.event_key}`, { stream: 'news' }).expect(200);
    const { body } = await create(id, { ...EMAIL_BODY, html, text: 'x' }).expect(201);
    expect(body.warnings).toMatchObject([{ code: 'unsubscribe_missing', path: '/html' }]);
    expect(await previewed(body.id)).toEqual(['unsubscribe_missing']);
    expect(codesOf((await act(body.id, 'activate').expect(200)).body.warnings)).toEqual([
      'unsubscribe_missing',
    ]);
    const content = '<body>{% block body %}{% endblock %}<a href="{{ unsubscribe_url }}">Leave</a></body>';
    await admin('post', `${at}/layouts`, { name: 'news', content, activate: true }).expect(201);
    const inLayout = "{% layout 'news' %}{% block body %}<p>News</p>{% endblock %}";
    const linked = await create(id, { ...EMAIL_BODY, html: inLayout, text: 'x' }).expect(201);
    expect(codesOf(linked.body.warnings)).toEqual([]);
    expect(await previewed(linked.body.id)).toEqual([]);
    const hidden = '<p style="display:none"><a href="{{ unsubscribe_url }}">Leave</a></p>';
    const unseen = await create(id, { ...EMAIL_BODY, html: hidden, text: 'x' }).expect(201);
    expect(await previewed(unseen.body.id)).toEqual(['unsubscribe_missing']);
  });
});

describe('POST /admin/v1/templates/{id}/activate and /deactivate', () => {
  it('switch the version of new events, forwards and back', async () => {
    const environment = await anEnvironment({ channels: [EMAIL] });
    const { token } = environment;
    const ids: string[] = [];
    for (const subject of ['one', 'two']) {
      const { body } = await create(environment.id, { ...EMAIL_BODY, subject, activate: true });
      ids.push(body.id);
    }
    const [one = '', two = ''] = ids;
    const templateOf = async () => {
      world.api().deps.snapshots.clear();
      const posted = await world.api().postEvent(token).expect(201);
      const path = `/api/v1/messages/${posted.body.message_id}/deliveries`;
      return (await world.api().get(path, token)).body.delivery_runs[0].template;
    };
    expect(await templateOf()).toEqual({ id: two, version: 2 });
    const rolledBack = await act(one, 'activate').expect(200);
    expect(rolledBack.body).toMatchObject({ id: one, active: true, warnings: [] });
    expect(await templateOf()).toEqual({ id: one, version: 1 });
    const other = await world.api().admin('get', `/admin/v1/templates/${two}`);
    expect(other.body.active).toBe(false);
  });

  it('warn that events will be refused, which is then true', async () => {
    const environment = await anEnvironment({ channels: [EMAIL] });
    const { body: template } = await create(environment.id, { ...EMAIL_BODY, activate: true });
    const deactivated = await act(template.id, 'deactivate').expect(200);
    expect(deactivated.body.active).toBe(false);
    expect(codesOf(deactivated.body.warnings)).toEqual(['template_required']);
    world.api().deps.snapshots.clear();
    const refused = await world.api().postEvent(environment.token, anEvent()).expect(422);
    expect(refused.body.error.details).toMatchObject([{ path: '/event_key', code: 'template_not_found' }]);
  });

  it('do not warn if another version is active or a channel sends a default', async () => {
    const environment = await anEnvironment({ channels: [EMAIL, WEBHOOK] });
    const { body: old } = await create(environment.id, EMAIL_BODY);
    await create(environment.id, { ...EMAIL_BODY, activate: true });
    const { body: hook } = await create(environment.id, { ...WEBHOOK_BODY, activate: true });
    expect((await act(old.id, 'deactivate').expect(200)).body.warnings).toEqual([]);
    expect((await act(hook.id, 'deactivate').expect(200)).body.warnings).toEqual([]);
  });

  it.each(['activate', 'deactivate', 'preview'])(
    'answer 404 for a version that does not exist: %s',
    async (verb) => {
      for (const id of [formatId('tpl', newId()), formatId('env', newId()), 'x']) {
        const response = await act(id, verb);
        expect([response.status, response.body.error.code]).toEqual([404, 'template_not_found']);
      }
      const read = await world.api().admin('get', `/admin/v1/templates/${formatId('tpl', newId())}`);
      expect(read.status).toBe(404);
    },
  );
});
