import { describe, expect, it } from '@postrider/testing';
import { axeViolations, goTo, setUpConsole } from './support/console.ts';

const service = setUpConsole();

describe('the suppression list', () => {
  it('takes an address by hand, stops the next email to it, is searched, and lets it go again', async () => {
    const world = await service.world('Quiet');
    const { environmentId } = world;
    const opened = await service.operator();
    const { page, complaints } = opened;
    const dialog = page.getByRole('dialog');
    await goTo(opened, `/e/${environmentId}/suppressions`);
    await page.getByText('No address is suppressed').waitFor();
    await page.getByRole('button', { name: 'Suppress an address' }).first().click();
    await dialog.getByText('Quiet').waitFor();
    await dialog.getByLabel('Address').fill('Ada@Example.com');
    await dialog.getByLabel('Stream (optional)').fill('Not A Stream');
    await dialog.getByRole('button', { name: 'Suppress the address' }).click();
    await dialog.getByText('422 validation_failed').waitFor();
    await dialog.getByLabel('Stream (optional)').fill('');
    await dialog.getByLabel('Reason (optional)').fill('asked by telephone');
    await dialog.getByRole('button', { name: 'Suppress the address' }).click();
    await page.getByRole('cell', { name: 'asked by telephone' }).waitFor();
    await page.getByRole('cell', { name: 'By an operator' }).waitFor();
    expect(await axeViolations(opened)).toEqual([]);

    const messageId = await service.deliver(world);
    await goTo(opened, `/e/${environmentId}/messages/${messageId}`);
    await page.getByText('Not sent: the recipient is on the suppression list').waitFor();
    await page.getByText('Attempt 1: succeeded · replied 200').waitFor();
    expect(await axeViolations(opened)).toEqual([]);

    await goTo(opened, `/e/${environmentId}/suppressions`);
    await page.getByLabel('Address', { exact: true }).fill('other@example.com');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByText('This address is not suppressed').waitFor();
    await page.getByLabel('Address', { exact: true }).fill('ada@example.com');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('button', { name: /^Remove/ }).click();
    await dialog.getByText('production').waitFor();
    await dialog.getByRole('button', { name: 'Remove from the list' }).click();
    await page.getByText('This address is not suppressed').waitFor();
    const { data } = await service.admin().suppressions.of(environmentId).page();
    expect(data).toEqual([]);
    expect(complaints).toEqual([]);
  }, 120_000);
});

describe('the settings of an environment', () => {
  it('are changed one by one, and a stored event that no channel took is replayed', async () => {
    const world = await service.world('Unrouted');
    const { environmentId, mailChannelId, webhookChannelId } = world;
    for (const id of [mailChannelId, webhookChannelId])
      await service.admin().channels.update(id, { enabled: false });
    const opened = await service.operator({ theme: 'dark' });
    const { page, complaints } = opened;
    await goTo(opened, `/e/${environmentId}/settings`);
    await page.getByLabel('Channels may have https URLs alone').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('422 validation_failed').waitFor();
    await page.getByLabel('Channels may have https URLs alone').uncheck();
    await page.getByLabel('An event that no channel takes').selectOption('store');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved.').waitFor();
    expect(await service.admin().environments.get(environmentId)).toMatchObject({
      unmatched_events: 'store',
      missing_email_template: 'refuse',
      https_only: false,
    });
    expect(await axeViolations(opened)).toEqual([]);

    const { message_id } = await service
      .admin()
      .events.of(environmentId)
      .send({
        event_key: 'order.shipped',
        recipient: { email: 'ada@example.com', name: 'Ada' },
        payload: { order_id: 'A-1001' },
      });
    await goTo(opened, `/e/${environmentId}/messages/${message_id}`);
    await page.getByText('It is stored. Once a channel takes order.shipped, replay it.').waitFor();
    await service.admin().channels.update(webhookChannelId, { enabled: true });
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByText('Attempt 1: succeeded · replied 200').waitFor();
    expect(complaints).toEqual([]);
  }, 120_000);
});

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
    const opened = await service.operator();
    const { page, complaints } = opened;
    await goTo(opened, `/e/${environmentId}/parts/layouts`);
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
    await page.getByRole('button', { name: 'Roll back to it (version 1)' }).click();
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
  }, 120_000);
});
