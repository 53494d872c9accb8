import { describe, expect, it } from '@postrider/testing';
import { useApi } from '../support/database.ts';
import { BLOCK, environmentWithParts, LAYOUT } from './parts-support.ts';

const world = useApi();
const anEnvironment = () => environmentWithParts(world);

describe('a template', () => {
  it('with a missing part is refused with its position', async () => {
    const environment = await anEnvironment();
    const refused = await environment.addTemplate("\n {% render 'footer' %}").expect(422);
    expect(refused.body.error.details).toEqual([
      {
        path: '/html',
        code: 'invalid_template',
        message: 'there is no active partial footer',
        line: 2,
        column: 2,
      },
    ]);
  });

  it('is republished when a layout is activated, and again with the older one: rollback is one call', async () => {
    const environment = await anEnvironment();
    const old = (await environment.add('layouts', { name: 'main', content: LAYOUT }).expect(201)).body;
    const template = (await environment.addTemplate("{% layout 'main' %}Hello").expect(201)).body;
    expect(template.parts).toEqual([{ id: old.id, type: 'layout', name: 'main', version: 1 }]);
    const changed = await environment.add('layouts', {
      name: 'main',
      content: '<new>{% block %}{% endblock %}',
    });
    expect(changed.body.templates).toMatchObject([{ event_key: 'order.shipped', version: 2, active: true }]);
    const renewed = await environment.active();
    expect(renewed).toBe(changed.body.templates[0].id);
    expect(await environment.htmlOf(renewed)).toBe('<new>Hello');
    // Runs with the earlier version look the same as before.
    expect(await environment.htmlOf(template.id)).toBe('<html lang="en" dir="ltr"><b>Hello</b></html>');
    const rolledBack = await environment.post(`layouts/${old.id}/activate`).expect(200);
    expect(rolledBack.body).toMatchObject({ id: old.id, active: true, templates: [{ version: 3 }] });
    expect(await environment.htmlOf(await environment.active())).toBe(
      '<html lang="en" dir="ltr"><b>Hello</b></html>',
    );
    const repeated = await environment.post(`layouts/${old.id}/activate`).expect(200);
    expect(repeated.body.templates).toEqual([]);
  });

  it('keeps a layout from being deactivated, but not a translation, without which it is republished', async () => {
    const environment = await anEnvironment();
    const layout = (await environment.add('layouts', { name: 'main', content: LAYOUT }).expect(201)).body;
    const french = (await environment.add('translations', { locale: 'fr', messages: { hi: 'Salut' } })).body;
    await environment.addTemplate("{% layout 'main' %}{{ 'hi' | t }}").expect(201);
    const used = await environment.post(`layouts/${layout.id}/deactivate`).expect(409);
    expect(used.body.error.code).toBe('conflict');
    expect((await environment.get(`layouts/${layout.id}`).expect(200)).body.active).toBe(true);
    const without = await environment.post(`translations/${french.id}/deactivate`).expect(200);
    expect(without.body).toMatchObject({ active: false, templates: [{ version: 2, active: true }] });
    const active = (await environment.get(`templates/${await environment.active()}`).expect(200)).body;
    expect(active.parts.map(({ type }: { type: string }) => type)).toEqual(['layout']);
    const repeated = await environment.post(`translations/${french.id}/deactivate`).expect(200);
    expect(repeated.body).toMatchObject({ active: false, templates: [] });
  });

  it('keeps every field when it is republished', async () => {
    const environment = await anEnvironment();
    await environment.add('partials', { name: 'footer', content: 'x' }).expect(201);
    const more = { text: "text {% render 'footer' %}", subject: 'Subject' };
    const template = (await environment.addTemplate("<p>{% render 'footer' %}</p>", more).expect(201)).body;
    const { body } = await environment.add('partials', { name: 'footer', content: 'y' }).expect(201);
    const rows = await world.db().templateVersion.findMany({
      where: { environmentId: environment.environmentId },
      orderBy: { version: 'asc' },
    });
    const [before, after] = rows.map(
      ({ id: _id, version: _version, active: _active, createdAt: _at, parts: _parts, ...rest }) => rest,
    );
    expect(after).toEqual(before);
    expect(rows.map(({ active }) => active)).toEqual([false, true]);
    expect(template.version + 1).toBe(body.templates[0].version);
  });

  it('is not republished by a part of another environment', async () => {
    const ours = await anEnvironment();
    const theirs = await anEnvironment();
    for (const environment of [ours, theirs]) {
      await environment.add('layouts', { name: 'main', content: LAYOUT }).expect(201);
      await environment.addTemplate("{% layout 'main' %}Hello").expect(201);
    }
    const changed = await ours.add('layouts', { name: 'main', content: `new ${BLOCK}` }).expect(201);
    expect(changed.body.templates).toHaveLength(1);
    expect(await theirs.htmlOf(await theirs.active())).toContain('<b>Hello</b>');
  });

  it('can be previewed with inactive versions, stored or as a draft', async () => {
    const environment = await anEnvironment();
    await environment.add('layouts', { name: 'main', content: 'old {% block %}{% endblock %}' }).expect(201);
    await environment.add('partials', { name: 'item', content: 'item' }).expect(201);
    const html = "{% layout 'main' %}{% render 'item' %}";
    const { body: template } = await environment.addTemplate(html).expect(201);
    const inactive = { activate: false };
    // The new look uses a partial that the template has not pinned.
    await environment.add('partials', { name: 'footer', content: '!' }).expect(201);
    const content = "new {% block %}{% endblock %}{% render 'footer' %}";
    const { body: layout } = await environment.add('layouts', { name: 'main', content, ...inactive });
    const { body: item } = await environment.add('partials', { name: 'item', content: 'thing', ...inactive });
    const { body: footer } = await environment.add('partials', { name: 'footer', content: '?', ...inactive });
    const htmlWith = (...parts: string[]) => environment.htmlOf(template.id, { parts });

    expect(await htmlWith()).toBe('old item');
    expect(await htmlWith(layout.id)).toBe('new item!');
    expect(await htmlWith(item.id)).toBe('old thing');
    expect(await htmlWith(layout.id, item.id, footer.id)).toBe('new thing?');
    const draft = { event_key: 'order.shipped', channel_kind: 'email', subject: 'Hi', html };
    const { body } = await environment
      .post(`environments/${environment.id}/templates/preview-draft`, { ...draft, parts: [layout.id] })
      .expect(200);
    expect(body.rendered.html).toBe('new item!');
    expect(body.parts.map(({ id }: { id: string }) => id)).toContain(layout.id);
    expect(body.parts.map(({ name }: { name: string }) => name).sort()).toEqual(['footer', 'item', 'main']);
    expect((await environment.get(`layouts/${layout.id}`)).body.active).toBe(false);
    expect(await environment.htmlOf(await environment.active())).toBe('old item');
  });

  it('cannot be previewed with versions of another environment or type, or with two versions of one part', async () => {
    const environment = await anEnvironment();
    const other = await anEnvironment();
    const add = async (of: typeof environment) =>
      (await of.add('layouts', { name: 'main', content: BLOCK, activate: false })).body.id as string;
    const [first, second, foreign] = [await add(environment), await add(environment), await add(other)];
    const { body: template } = await environment.addTemplate('<p>Hi</p>').expect(201);
    const preview = (...parts: string[]) => environment.post(`templates/${template.id}/preview`, { parts });
    for (const wrong of [foreign, first.replace('lay_', 'prt_'), 'main', template.id]) {
      const { body } = await preview(first, wrong).expect(422);
      expect(body.error.details).toMatchObject([{ path: '/parts/1', code: 'invalid_value' }]);
    }
    const { body } = await preview(first, second).expect(422);
    expect(body.error.details).toMatchObject([{ path: '/parts/1', code: 'duplicate' }]);
    await preview(first).expect(200);
  });

  it('can be previewed in each language, and activation warns of messages that a language lacks', async () => {
    const environment = await anEnvironment();
    const translate = (locale: string, messages: object) =>
      environment.add('translations', { locale, messages });
    await translate('en', { hello: 'Hello {name}', bye: 'Bye' }).expect(201);
    await translate('ar', { hello: 'مرحبا {name}' }).expect(201);
    await environment.add('layouts', { name: 'main', content: LAYOUT }).expect(201);
    const html = "{% layout 'main' %}{{ 'hello' | t: name: recipient.name }}";
    const template = (await environment.addTemplate(html, { text: "{{ 'bye' | t }}" }).expect(201)).body;
    expect(template.warnings).toEqual([
      {
        code: 'translation_missing',
        path: '/translations/ar',
        message: 'ar: the translation lacks "bye"',
      },
    ]);
    expect(await environment.htmlOf(template.id, { locale: 'ar' })).toBe(
      '<html lang="ar" dir="rtl"><b>مرحبا Ada Lovelace</b></html>',
    );
    expect(await environment.htmlOf(template.id, { locale: 'fr-CA' })).toContain('Hello Ada Lovelace');
    const french = await translate('fr', { hello: 'Bonjour {name}' }).expect(201);
    expect(french.body.warnings.map(({ path }: { path: string }) => path)).toEqual([
      '/translations/ar',
      '/translations/fr',
    ]);
    const active = await environment.active();
    expect(active).toBe(french.body.templates[0].id);
    expect(await environment.htmlOf(active, { locale: 'fr-CA' })).toContain('lang="fr-CA"');
    expect(await environment.htmlOf(active, { locale: 'fr-CA' })).toContain('Bonjour Ada Lovelace');
    const draft = await environment
      .post(`environments/${environment.id}/templates/preview-draft`, {
        event_key: 'order.shipped',
        channel_kind: 'email',
        subject: 'Draft',
        html,
        locale: 'fr',
      })
      .expect(200);
    expect(draft.body.rendered.html).toContain('Bonjour');
  });

  it('uses the default language of its environment, and is republished when that changes', async () => {
    const environment = await anEnvironment();
    const at = { payload: { at: '2026-03-01T12:00:00Z' } };
    const template = (await environment.addTemplate('{{ payload.at | date: "%B" }}').expect(201)).body;
    expect(await environment.htmlOf(template.id, at)).toBe('March');
    const patch = (body: object) =>
      world.api().admin('patch', `/admin/v1/environments/${environment.id}`, body);
    expect((await patch({ default_locale: 'de' }).expect(200)).body.default_locale).toBe('de');
    await patch({ default_locale: 'German' }).expect(422);
    expect(await environment.htmlOf(await environment.active(), at)).toBe('März');
    expect(await environment.htmlOf(template.id, at)).toBe('March');
  });

  it('reports the part that contains an error', async () => {
    const environment = await anEnvironment();
    await environment.add('partials', { name: 'footer', content: 'x\n{{ payload.absent }}' }).expect(201);
    const template = (await environment.addTemplate("{% render 'footer' %}").expect(201)).body;
    const { body } = await environment.post(`templates/${template.id}/preview`, {}).expect(200);
    expect(body).toMatchObject({
      deliverable: false,
      missing_variables: [
        { path: '/html', name: 'payload.absent', part: 'partial footer', line: 2, column: 4 },
      ],
    });
  });

  it('is HTML if its layout is MJML', async () => {
    const environment = await anEnvironment();
    const mjml =
      '<mjml><mj-body><mj-section><mj-column><mj-text>{% block %}{% endblock %}</mj-text></mj-column></mj-section></mj-body></mjml>';
    const layout = await environment.add('layouts', { name: 'main', content: mjml }).expect(201);
    expect(layout.body).toMatchObject({
      mjml,
      content: expect.stringContaining('{% block %}{% endblock %}'),
    });
    const template = (await environment.addTemplate("{% layout 'main' %}<i>Hello</i>").expect(201)).body;
    expect(await environment.htmlOf(template.id)).toContain('<i>Hello</i>');
    const both = await environment
      .addTemplate(mjml.replace('{% block %}{% endblock %}', "{% layout 'main' %}"))
      .expect(422);
    expect(both.body.error.details).toMatchObject([
      { path: '/html', message: expect.stringContaining('MJML is a whole document') },
    ]);
  });
});
