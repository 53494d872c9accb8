import { createPostrider } from '@postrider/client';
import { waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { axeViolations, goTo, setUpConsole } from './support/console.ts';

const service = setUpConsole();

const SCHEMA = {
  type: 'object',
  required: ['order_id', 'parcels'],
  properties: {
    order_id: { type: 'string', pattern: '^[A-Z]-[0-9]+$', examples: ['B-2002'] },
    parcels: { type: 'integer', minimum: 1 },
  },
};

/** The public client with a token. */
const clientOf = (token: string) => createPostrider({ baseUrl: service.url(), token });

describe('the screens of an environment', () => {
  it('describe an event key with a schema, refuse an invalid event, and follow the example until it is delivered', async () => {
    const world = await service.world('Acme');
    const { environmentId, token } = world;
    const opened = await service.operator({ path: `/e/${environmentId}/event-types` });
    const { page, complaints } = opened;
    await page.getByRole('link', { name: 'Describe an event key' }).click();
    await page.getByLabel('Event key').fill('order.shipped');
    await page.getByLabel('Description').fill('An order has left the warehouse.');
    const schema = page.getByRole('textbox', { name: 'Schema' });
    await schema.fill('{"type": "object",');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('The schema is not JSON').waitFor();
    await schema.fill(JSON.stringify(SCHEMA));
    await page.getByLabel('Example', { exact: true }).getByText('"order_id": "B-2002"').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'order.shipped' }).waitFor();
    await page.getByRole('link', { name: 'email, version 1' }).waitFor();
    await waitFor('the schema to hold', () =>
      clientOf(token)
        .events.send({ event_key: 'order.shipped', recipient: { email: 'early@example.com' }, payload: {} })
        .then(
          () => false,
          ({ code }) => code === 'validation_failed',
        ),
    );

    await page.getByRole('link', { name: 'Send one' }).click();
    const payload = page.getByRole('textbox', { name: 'Payload' });
    await payload.getByText('"order_id": "B-2002"').waitFor();
    await payload.fill('{"order_id": "wrong"}');
    await page.getByRole('button', { name: 'Send and follow' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('422 validation_failed').waitFor();
    await alert.getByText('/payload/order_id').waitFor();
    await alert.getByText('/payload/parcels').waitFor();
    await alert.getByText(/^console-[0-9a-f]{16}$/).waitFor();
    await alert.getByText('Correct all of them, and send it again.').waitFor();
    expect(page.url()).toContain('/send');

    await page.getByRole('button', { name: 'order.shipped' }).click();
    await page.getByRole('button', { name: 'Send and follow' }).click();
    await page.getByRole('heading', { name: 'order.shipped to ada@example.com' }).waitFor();
    await page.getByText('Attempt 1: succeeded · replied 250').waitFor();
    await page.getByText('Attempt 1: succeeded · replied 200').waitFor();
    await page.getByText('Delivered', { exact: true }).first().waitFor();
    await waitFor('the mail', () => service.mail().mails.some(({ subject }) => subject === 'Order B-2002'));
    expect(complaints).toEqual([]);
  });

  it('show a token once when it is issued or rotated, and refuse it when it is revoked', async () => {
    const { environmentId } = await service.world('Cord');
    const opened = await service.operator({ path: `/e/${environmentId}/tokens` });
    const { page, complaints } = opened;
    const works = (token: string) =>
      clientOf(token)
        .messages.page()
        .then(
          () => true,
          ({ status }) => {
            if (status === 401) return false;
            throw new Error(`the token was answered ${status}`);
          },
        );
    const dialog = page.getByRole('dialog');
    const shown = async () => (await dialog.getByLabel('Token', { exact: true }).innerText()).trim();
    await page.getByRole('button', { name: 'Issue a token' }).click();
    await dialog.getByText('Cord').waitFor();
    await dialog.getByLabel('Name').fill('shop');
    await dialog.getByRole('button', { name: 'Issue', exact: true }).click();
    await dialog.getByText('It is not shown again').waitFor();
    const first = await shown();
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(await works(first)).toBe(true);
    const shop = page.getByRole('row').filter({ hasText: 'shop' });
    await shop.getByText(`…${first.slice(-4)}`).waitFor();
    expect(await page.content()).not.toContain(first);

    await page.getByRole('button', { name: 'Rotate shop' }).click();
    await dialog.getByText('Cord').waitFor();
    await dialog.getByLabel('Overlap').selectOption('the old one becomes invalid at once');
    await dialog.getByRole('button', { name: 'Rotate the token' }).click();
    await dialog.getByText('It is not shown again').waitFor();
    const second = await shown();
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(second).not.toBe(first);
    expect(await works(second)).toBe(true);
    await waitFor('the old token to be refused', async () => !(await works(first)));

    await shop
      .filter({ hasText: `…${second.slice(-4)}` })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await dialog.getByText('Cord').waitFor();
    await dialog.getByText('production').waitFor();
    await dialog.getByRole('button', { name: 'Revoke the token' }).click();
    await shop
      .filter({ hasText: `…${second.slice(-4)}` })
      .getByText('Revoked')
      .waitFor();
    // The button that asked is gone.
    await waitFor('the focus', () => page.evaluate('document.activeElement.closest("#main") !== null'));
    await waitFor('the token to be refused', async () => !(await works(second)));
    await page.reload();
    await shop.first().waitFor();
    const html = await page.content();
    expect([first, second].filter((token) => html.includes(token))).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe('the suppression list', () => {
  it('gets an address, stops the next email to it, is searched, and loses the address', async () => {
    const world = await service.world('Quiet');
    const { environmentId } = world;
    const opened = await service.operator({ path: `/e/${environmentId}/suppressions` });
    const { page, complaints } = opened;
    const dialog = page.getByRole('dialog');
    await page.getByText('No address is suppressed').waitFor();
    await page.getByRole('button', { name: 'Suppress an address' }).click();
    await dialog.getByText('Quiet').waitFor();
    await dialog.getByLabel('Email').fill('Ada@Example.com');
    await dialog.getByLabel('Stream').fill('Not A Stream');
    await dialog.getByRole('button', { name: 'Suppress the address' }).click();
    await dialog
      .locator('.field', { hasText: 'Stream' })
      .getByText(/^This must/)
      .waitFor();
    await dialog.getByLabel('Stream').fill('');
    await dialog.getByLabel('Reason').fill('asked by telephone');
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
  });
});

describe('the settings of an environment', () => {
  it('are changed one by one, and a stored event without a matching channel is replayed', async () => {
    const world = await service.world('Unrouted');
    const { environmentId, mailChannelId, webhookChannelId } = world;
    for (const id of [mailChannelId, webhookChannelId])
      await service.admin().channels.update(id, { enabled: false });
    const opened = await service.operator({ theme: 'dark', path: `/e/${environmentId}/settings` });
    const { page, complaints } = opened;
    await page.getByLabel('Channels must have https addresses').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('One field needs a change.').waitFor();
    await page.getByLabel('Channels must have https addresses').uncheck();
    await page.getByLabel('Events that no channel takes').selectOption('store');
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
    await page.getByText('It is stored, and can be replayed once a channel takes it.').waitFor();
    await service.admin().channels.update(webhookChannelId, { enabled: true });
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByText('Attempt 1 of replay 1: succeeded · replied 200').waitFor();
    expect(complaints).toEqual([]);
  });
});
