import { createPostrider } from '@postrider/client';
import { waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { goTo, setUpConsole, type World } from './support/console.ts';

const service = setUpConsole();

/** Sends events that only the webhook takes, and waits until all are delivered. */
async function deliverByWebhook({ environmentId, token }: World, event_key: string, count: number) {
  const client = createPostrider({ baseUrl: service.url(), token });
  const event = { event_key, recipient: {}, payload: {} };
  await Promise.all(Array.from({ length: count }, () => client.events.send(event)));
  const filter = { event_key, status: 'delivered' } as const;
  const isDelivered = async () =>
    (await service.admin().replays.count(environmentId, { filter })).matched === count;
  await waitFor('the deliveries', isDelivered, { pollMs: 200 });
}

describe('the actions of an operator', () => {
  it('create a plan and a tenant with it, change the plan, show the usage, and log the change as a diff', async () => {
    const opened = await service.operator({ path: '/plans' });
    const { page, complaints } = opened;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Create a plan' }).click();
    await dialog.getByLabel('Code').fill('growth');
    await dialog.getByLabel('Name').fill('Growth');
    await dialog.getByLabel('Events per month').fill('4');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').filter({ hasText: 'growth' }).getByText('unlimited').first().waitFor();

    await goTo(opened, '/tenants');
    await page.getByRole('button', { name: 'Create a tenant' }).click();
    await dialog.getByLabel('Name').fill('Fresh Foods');
    await dialog.getByLabel('Plan').selectOption('growth');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Fresh Foods' }).waitFor();
    await page.getByText('None yet. Events belong to an environment.').waitFor();
    await page.getByLabel('New environment').fill('production');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('link', { name: 'production', exact: true }).waitFor();

    const [tenant] = (await service.admin().tenants.page()).data.filter(({ name }) => name === 'Fresh Foods');
    const tenantId = tenant?.id ?? '';
    const [environment] = (await service.admin().environments.of(tenantId).page()).data;
    const environmentId = environment?.id ?? '';
    const { token } = await service.connect(environmentId);
    await service.deliver({ environmentId, token });
    await page.reload();
    await page.locator('[aria-valuetext="1 of 4"]').waitFor();

    await page.getByLabel('Plan', { exact: true }).selectOption('starter');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await dialog.getByText('All environments of Fresh Foods').waitFor();
    await dialog.getByText('Plan starter, billing active.').waitFor();
    await dialog.getByRole('button', { name: 'Change the tenant' }).click();
    await page.getByText('The tenant is changed.').waitFor();
    await page.locator('[aria-valuetext="1 of 10,000"]').waitFor();
    await goTo(opened, `/e/${environmentId}/usage`);
    await page.getByRole('cell', { name: '10,000' }).first().waitFor();

    await goTo(opened, `/audit-log?resource_id=${tenantId}`);
    await page.getByRole('button', { name: 'tenant.updated' }).click();
    const diff = dialog.getByLabel('Before and after');
    await diff.getByText('− "plan": "growth"').waitFor();
    await diff.getByText('+ "plan": "starter"').waitFor();
    expect(complaints).toEqual([]);
  });

  it('replay many messages: count them first, show the progress until the end, and cancel the next replay', async () => {
    const world = await service.world('Bolt');
    const { environmentId } = world;
    await service.admin().channels.update(world.mailChannelId, { event_keys: ['order.shipped'] });
    // Holds within 5 s: an email channel refuses an event without an address.
    await waitFor('the webhook alone to take them', () =>
      deliverByWebhook(world, 'order.first', 1).then(() => true),
    );
    await deliverByWebhook(world, 'order.paid', 3);
    await deliverByWebhook(world, 'order.packed', 40);
    const hooks = () => service.hooks().received(`/${environmentId}`).length;
    const before = hooks();
    const opened = await service.operator({ path: `/e/${environmentId}/replays` });
    const { page, complaints } = opened;
    const row = page.getByRole('region', { name: 'Bulk replays', exact: true }).locator('tbody tr');
    const start = page.getByRole('button', { name: 'Replay', exact: true });
    const dialog = page.getByRole('dialog');

    // Deliveries that failed are what a replay is most often for.
    await page.getByRole('button', { name: 'Remove the filter “Delivery: Failed”' }).click();
    await page.getByLabel('Status').selectOption('delivered');
    await page.getByRole('textbox', { name: 'Event key' }).fill('order.paid');
    await page.getByRole('textbox', { name: 'Event key' }).press('Enter');
    expect(await start.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Count the messages' }).click();
    await page.getByText('3 messages match.').waitFor();
    await page.getByText('Nothing has been replayed yet.').waitFor();
    expect(hooks()).toBe(before);
    await start.click();
    await dialog.getByText('Bolt').waitFor();
    await dialog.getByText('production').waitFor();
    await dialog.getByText('Status: Delivered, Event key: order.paid').waitFor();
    await dialog.getByRole('button', { name: 'Start the replay' }).click();
    await row.filter({ hasText: 'Completed' }).getByText('3 of 3').waitFor();
    await waitFor('the replayed webhooks', () => hooks() === before + 3);

    await page.getByRole('textbox', { name: 'Event key' }).fill('order.packed');
    await page.getByRole('textbox', { name: 'Event key' }).press('Enter');
    await page.getByLabel('Messages per second').fill('1');
    await page.getByRole('button', { name: 'Count the messages' }).click();
    await page.getByText('40 messages match.').waitFor();
    await start.click();
    await dialog.getByRole('button', { name: 'Start the replay' }).click();
    await row
      .first()
      .getByText(/^[1-9]\d? of \d+/)
      .waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await dialog.getByText('Bolt').waitFor();
    await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
    await row.first().getByText('Cancelled').waitFor();
    const [stopped] = (await service.admin().replays.of(environmentId).page()).data;
    expect(stopped).toMatchObject({ status: 'cancelled' });
    expect(stopped?.replayed).toBeLessThan(40);
    expect(complaints).toEqual([]);
  });

  it('erase a recipient after a confirmation that names the environment, and keep the message without its data', async () => {
    const world = await service.world('Dune');
    const { environmentId } = world;
    const email = 'leaving@example.com';
    const messageId = await service.deliver(world, { recipient: { email, name: 'Lea' } });
    await service.deliver(world, { recipient: { email: 'staying@example.com', name: 'Stan' } });
    const opened = await service.operator({ path: `/e/${environmentId}/erasures` });
    const { page, complaints } = opened;
    await page.getByRole('button', { name: 'Erase a recipient' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Dune').waitFor();
    await dialog.getByText('production').waitFor();
    await dialog.getByText('This cannot be undone.').waitFor();
    const address = dialog.getByLabel('Address');
    await dialog.getByRole('button', { name: 'Erase permanently' }).click();
    await dialog.locator('input:focus:invalid').waitFor();
    await address.fill('two..dots@example.com');
    await address.press('Enter');
    await dialog.getByRole('alert').getByText('422 validation_failed').waitFor();
    await address.fill(email);
    await address.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const erasures = service.admin().erasures.of(environmentId);
    await waitFor('the erasure', async () => (await erasures.page()).data[0]?.status === 'completed', {
      pollMs: 200,
    });
    const done = page.getByRole('row').filter({ hasText: 'Completed' }).getByRole('cell');
    await done.nth(2).getByText('1', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(email);

    await goTo(opened, `/e/${environmentId}/messages`);
    const list = page.getByRole('region', { name: 'List of messages' });
    await list.getByRole('link', { name: 'staying@example.com' }).waitFor();
    expect(await list.getByText(email).count()).toBe(0);
    await goTo(opened, `/e/${environmentId}/messages/${messageId}`);
    await page.getByText('Attempt 1: succeeded').first().waitFor();
    await page.getByLabel('Payload').getByText('{}').waitFor();
    const html = await page.content();
    expect([email, 'Lea<', 'A-1001'].filter((each) => html.includes(each))).toEqual([]);
    await page.getByRole('button', { name: 'What was sent' }).first().click();
    await dialog.getByRole('alert').getByText('409 conflict').waitFor();
    expect(complaints).toEqual([]);
  });
});
