import { createUuidV7Source, formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { useApi } from '../support/database.ts';
import { BLOCK, environmentWithParts, LAYOUT } from './parts-support.ts';

const world = useApi();
const anEnvironment = () => environmentWithParts(world);

describe('layouts, partials and translations', () => {
  it('are added in numbered versions, of which one is active, and are read unchanged', async () => {
    const environment = await anEnvironment();
    const first = await environment.add('layouts', { name: 'main', content: LAYOUT }).expect(201);
    const { templates, warnings, ...layout } = first.body;
    expect({ templates, warnings }).toEqual({ templates: [], warnings: [] });
    expect(layout).toEqual({
      id: expect.stringMatching(/^lay_/),
      environment_id: environment.id,
      name: 'main',
      version: 1,
      active: true,
      created_at: expect.any(String),
      content: LAYOUT,
      mjml: null,
    });
    expect((await environment.get(`layouts/${layout.id}`).expect(200)).body).toEqual(layout);
    const second = await environment
      .add('layouts', { name: 'main', content: BLOCK, activate: false })
      .expect(201);
    expect([second.body.version, second.body.active]).toEqual([2, false]);
    await environment.add('layouts', { name: 'other', content: BLOCK }).expect(201);
    const path = `environments/${environment.id}/layouts`;
    const named = await environment.get(`${path}?name=main`).expect(200);
    expect(named.body.data.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
    const active = await environment.get(`${path}?active=true`).expect(200);
    expect(active.body.data.map(({ name }: { name: string }) => name)).toEqual(['other', 'main']);
    const messages = { hello: 'Bonjour {name}' };
    const french = await environment.add('translations', { locale: 'fr', messages }).expect(201);
    expect(french.body).toMatchObject({ id: expect.stringMatching(/^trn_/), locale: 'fr', messages });
    const entries = await world
      .db()
      .auditEntry.findMany({ where: { resourceId: layout.id }, orderBy: { id: 'asc' } });
    expect(entries.map(({ action }) => action)).toEqual(['layout.created', 'layout.activated']);
  });

  it('are not found under the path or the id of another type', async () => {
    const environment = await anEnvironment();
    const { body } = await environment.add('partials', { name: 'footer', content: 'x' }).expect(201);
    const asLayout = body.id.replace('prt_', 'lay_');
    expect((await environment.get(`layouts/${asLayout}`).expect(404)).body.error.code).toBe(
      'layout_not_found',
    );
    await environment.post(`layouts/${asLayout}/activate`).expect(404);
    await environment.post(`layouts/${formatId('lay', createUuidV7Source()())}/activate`).expect(404);
  });

  it('are refused with the position of the error', async () => {
    const environment = await anEnvironment();
    const details = async (type: string, body: object) =>
      (await environment.add(type, body).expect(422)).body.error.details;
    expect(await details('layouts', { name: 'main', content: `x\n {% if %}${BLOCK}` })).toMatchObject([
      { path: '/content', code: 'invalid_template', line: 2, column: 7 },
    ]);
    expect(
      await details('layouts', {
        name: 'main',
        content: `<mjml><mj-body><mj-nope/>${BLOCK}</mj-body></mjml>`,
      }),
    ).toMatchObject([
      { path: '/content', code: 'invalid_template', message: expect.not.stringContaining('block') },
    ]);
    // The content of templates would be lost.
    expect(await details('layouts', { name: 'main', content: '<p>No place for content</p>' })).toMatchObject([
      { path: '/content', code: 'invalid_template', message: expect.stringContaining('{% block %}') },
    ]);

    expect(await details('partials', { name: 'a', content: '<mjml></mjml>' })).toMatchObject([
      { path: '/content' },
    ]);
    expect(await details('partials', { name: '../a', content: 'x' })).toMatchObject([{ path: '/name' }]);
    expect(await details('translations', { locale: 'fr', messages: { a: '{' } })).toMatchObject([
      {
        path: '/messages/a',
        code: 'invalid_template',
        message: 'is not an ICU message: expect argument closing brace',
      },
    ]);
    expect(await details('translations', { locale: 'French', messages: {} })).toMatchObject([
      { path: '/locale' },
    ]);
    expect(await details('translations', { locale: 'fr', messages: { a: 1 } })).toMatchObject([
      { path: '/messages/a', code: 'invalid_type' },
    ]);
  });

  it('cannot be circular, and an activation that would create a circle changes nothing', async () => {
    const environment = await anEnvironment();
    await environment.add('partials', { name: 'a', content: 'a' }).expect(201);
    await environment.add('partials', { name: 'b', content: "{% render 'a' %}" }).expect(201);
    const template = (await environment.addTemplate("{% render 'b' %}").expect(201)).body;
    const circle = await environment.add('partials', {
      name: 'a',
      content: "{% render 'b' %}",
      activate: false,
    });
    const refused = await environment.post(`partials/${circle.body.id}/activate`).expect(409);
    expect(refused.body.error.message).toContain('The template for order.shipped could not be rendered');
    expect(refused.body.error.message).toContain('a circular reference');
    expect(await environment.active()).toBe(template.id);
    const again = await environment.get(`partials/${circle.body.id}`).expect(200);
    expect(again.body.active).toBe(false);
  });
});
