import { createPostrider } from '@postrider/client';
import { waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { goTo, setUpConsole } from './support/console.ts';

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
  it('describe an event key with a schema, refuse an event that does not fit, and follow one from its example to delivered', async () => {
    const world = await service.world('Acme');
    const { environmentId, token } = world;
    const opened = await service.operator();
    const { page, complaints } = opened;
    await goTo(opened, `/e/${environmentId}/event-types`);
    await page.getByRole('link', { name: 'Describe an event key' }).first().click();
    await page.getByLabel('Event key').fill('order.shipped');
    await page.getByLabel('What it means').fill('An order has left the warehouse.');
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
    await payload.fill('{"order_id": "wrong"}');
    await page.getByRole('button', { name: 'Send and follow' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('422 validation_failed').waitFor();
    await alert.getByText('/payload/order_id').waitFor();
    await alert.getByText('/payload/parcels').waitFor();
    await alert.getByText(/^console-[0-9a-f]{16}$/).waitFor();
    await alert.getByText('Correct all of them.').waitFor();
    expect(page.url()).toContain('/send');

    await page.getByRole('button', { name: 'order.shipped' }).click();
    await page.getByRole('button', { name: 'Send and follow' }).click();
    await page.getByRole('heading', { name: 'order.shipped to ada@example.com' }).waitFor();
    await page.getByText('Attempt 1: succeeded · replied 250').waitFor();
    await page.getByText('Attempt 1: succeeded · replied 200').waitFor();
    await page.getByText('Delivered', { exact: true }).first().waitFor();
    await waitFor('the mail', () => service.mail().mails.some(({ subject }) => subject === 'Order B-2002'));
    expect(complaints).toEqual([]);
  }, 120_000);

  it('show a token once when it is issued or rotated, and refuse it when it is revoked', async () => {
    const { environmentId } = await service.world('Cord');
    const opened = await service.operator();
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
    await goTo(opened, `/e/${environmentId}/tokens`);
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
    await dialog.getByLabel('Overlap').selectOption('the old one ends at once');
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
    await waitFor('the token to be refused', async () => !(await works(second)));
    await page.reload();
    await shop.first().waitFor();
    const html = await page.content();
    expect([first, second].filter((token) => html.includes(token))).toEqual([]);
    expect(complaints).toEqual([]);
  }, 120_000);
});
