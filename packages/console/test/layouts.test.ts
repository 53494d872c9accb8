import { describe, expect, it } from '@postrider/testing';
import { axeViolations, goTo, setUpConsole } from './support/console.ts';

const service = setUpConsole();

describe('the layouts and languages of an environment', () => {
  it('are changed, seen in the preview of a template in two languages, and rolled back', async () => {
    const { environmentId } = await service.world('Polyglot');
    const admin = service.admin();
    for (const [locale, thanks] of [
      ['en', 'Thank you.'],
      ['de', 'Vielen Dank.'],
    ] as const)
      await admin.translations.create(environmentId, { locale, messages: { thanks }, activate: true });
    const before = '<html lang="en"><body>{% block %}{% endblock %}</body></html>';
    await admin.layouts.create(environmentId, { name: 'main', content: before, activate: true });
    await admin.templates.create(environmentId, {
      event_key: 'order.shipped',
      channel_kind: 'email',
      subject: 'Order {{ payload.order_id }}',
      html: '{% layout "main" %}<p>Hello {{ recipient.name }}, it is on its way.</p>',
      activate: true,
    });
    await admin.eventTypes.put(environmentId, 'order.shipped', {
      payload_schema: { type: 'object', properties: { order_id: { type: 'string', examples: ['A-1'] } } },
    });
    const opened = await service.operator({ path: `/e/${environmentId}/parts/layouts` });
    const { page, complaints } = opened;
    await page.getByRole('link', { name: 'main' }).click();
    const editor = page.getByRole('textbox', { name: 'Content of the layout' });
    await editor.fill('<body>{% block %}');
    await page.getByRole('button', { name: 'Save as a new version' }).click();
    await page.getByText('One error').waitFor();
    await editor.fill('<body>{% block %}{% endblock %}<p>{{ "thanks" | t }}</p></body>');
    await page.getByLabel('Activate it at once').check();
    await page.getByRole('button', { name: 'Save as a new version' }).click();
    await page.getByText('These templates have a new active version with it.').waitFor();
    expect(await axeViolations(opened)).toEqual([]);

    await page.getByRole('link', { name: 'order.shipped, email' }).click();
    await page.getByRole('link', { name: 'layout main, version 2' }).waitFor();
    const frame = page.frameLocator('iframe');
    await frame.getByText('Thank you.').waitFor();
    await page.getByLabel('Language').selectOption('de');
    await frame.getByText('Vielen Dank.').waitFor();
    await frame.getByText('it is on its way.').waitFor();
    expect(await axeViolations(opened)).toEqual([]);

    await page.getByRole('link', { name: 'layout main, version 2' }).click();
    await page.getByRole('button', { name: 'Roll back (version 1)' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
    await page.getByText('Version 1 is active within 5 seconds.').waitFor();
    const { data } = await admin.templates.of(environmentId).page({ active: true });
    const [active] = data;
    expect((await admin.templates.get(active?.id ?? '')).parts).toMatchObject([
      { type: 'layout', name: 'main', version: 1 },
    ]);

    await goTo(opened, `/e/${environmentId}/parts/translations/new`);
    await page.getByLabel('Language').fill('not a language');
    await page.getByRole('button', { name: 'Save as a new version' }).click();
    await page.getByRole('alert').getByText('/locale').waitFor();
    expect(complaints).toEqual([]);
  });

  it('are previewed in a template before they are active: a new version, and a part without an active version', async () => {
    const { environmentId } = await service.world('Careful');
    const admin = service.admin();
    await admin.layouts.create(environmentId, {
      name: 'main',
      content: '<body><p>The old look.</p>{% block %}{% endblock %}</body>',
      activate: true,
    });
    const { id: templateId } = await admin.templates.create(environmentId, {
      event_key: 'order.shipped',
      channel_kind: 'email',
      subject: 'On its way',
      html: '{% layout "main" %}<p>Hello {{ recipient.name }}.</p>',
      activate: true,
    });
    const opened = await service.operator({ path: `/e/${environmentId}/parts/layouts` });
    const { page, complaints } = opened;
    const frame = page.frameLocator('iframe');
    await page.getByRole('link', { name: 'main' }).click();
    const content = page.getByRole('textbox', { name: 'Content of the layout' });
    await content.fill('<body><p>The new look.</p>{% block %}{% endblock %}</body>');
    await page.getByRole('button', { name: 'Save as a new version' }).click();
    await page.getByRole('link', { name: 'Preview it with version 2' }).click();
    await frame.getByText('The new look.').waitFor();
    await frame.getByText('Hello Ada').waitFor();
    expect(await axeViolations(opened)).toEqual([]);

    // What is previewed with is in the address, and the draft keeps it.
    await page.reload();
    await frame.getByText('The new look.').waitFor();
    const html = page.getByRole('textbox', { name: 'HTML or MJML' });
    const write = async () => {
      // Typed over, marked text would leave its look as an inline style, which the policy refuses.
      await html.press('ControlOrMeta+a');
      await html.press('Delete');
      await html.fill('{% layout "main" %}<p>Good morning.</p>{% render "footer" %}');
    };
    await write();
    await page.getByText('there is no active partial footer').waitFor();
    await admin.partials.create(environmentId, { name: 'footer', content: '<p>Yours, the shop.</p>' });
    await page.reload();
    await write();
    await page.getByText('there is no active partial footer').waitFor();
    await page.getByLabel('partial footer').selectOption('version 1, not active');
    await frame.getByText('Yours, the shop.').waitFor();
    await frame.getByText('The new look.').waitFor();
    await page.getByLabel('layout main').selectOption('version 1, active');
    await frame.getByText('The old look.').waitFor();
    await frame.getByText('Yours, the shop.').waitFor();
    await page.getByRole('button', { name: 'Preview with the active versions' }).click();
    await page.getByText('there is no active partial footer').waitFor();
    expect((await admin.templates.get(templateId)).parts).toMatchObject([{ name: 'main', version: 1 }]);
    expect(complaints).toEqual([]);
  });
});
