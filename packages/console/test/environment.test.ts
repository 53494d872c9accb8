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
