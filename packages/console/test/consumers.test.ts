import { createLatch, describe, expect, it } from '@postrider/testing';
import { axeViolations, goTo, setUpConsole } from './support/console.ts';

const service = setUpConsole();

describe('the screens of consumers', () => {
  it('create a consumer and change it, with errors at their fields, and keep what was typed until it is saved', async () => {
    const { environmentId } = await service.world('Newcomers');
    const admin = service.admin();
    await admin.consumers.put(environmentId, 'org_1', { name: 'Umbrella' });
    const opened = await service.operator({ path: `/e/${environmentId}/consumers` });
    const { page, complaints } = opened;
    const dialog = page.getByRole('dialog');
    const field = (label: string) => dialog.getByLabel(label, { exact: true });
    const openNew = () => page.getByRole('button', { name: 'Create a consumer' }).click();
    await page.getByRole('link', { name: 'Umbrella' }).waitFor();
    await openNew();
    await field('Name').fill('Acme GmbH');
    await field('Contact').fill('ops@acme.example.com');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('Fill this in.').waitFor();
    // What exists is not replaced.
    await field('Id').fill('org_1');
    await field('Id').press('Enter');
    await dialog.getByText('This id is already taken.').waitFor();
    await field('Id').fill('org 42');
    await field('Id').press('Enter');
    await dialog.getByText(/must have 1 to 128 letters/).waitFor();
    await dialog.locator('input:focus[placeholder="org_42"]').waitFor();
    await page.reload();
    await openNew();
    await dialog.getByText('Your unsaved changes are back.').waitFor();
    expect(await field('Name').inputValue()).toBe('Acme GmbH');
    await field('Id').fill('org_42');
    await field('Events a month').fill('10');
    await dialog.getByLabel('Email', { exact: true }).uncheck();
    await field('Attributes (JSON)').fill('{ "tier": "gold" }');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Acme GmbH' }).waitFor();
    await page.getByText('0 of 10').waitFor();
    expect(await admin.consumers.get(environmentId, 'org_42')).toMatchObject({
      ...{ name: 'Acme GmbH', contact_email: 'ops@acme.example.com', enabled: true },
      attributes: { tier: 'gold' },
      limits: { events_per_month: 10, events_per_second: null, channels: null },
    });
    expect((await admin.consumers.get(environmentId, 'org_42')).limits.channel_kinds).not.toContain('email');

    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await field('Events a month').fill('-1');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/must be >= 0|must be at least 0/).waitFor();
    await field('Events a month').fill('');
    await dialog.getByLabel('Email', { exact: true }).check();
    await dialog.getByLabel('Enabled').uncheck();
    await page.evaluate('history.back()');
    await page.getByRole('button', { name: 'Discard the changes' }).waitFor();
    await page.getByRole('button', { name: 'Go back' }).last().click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The consumer is saved.').waitFor();
    await page.getByText('Disabled', { exact: true }).waitFor();
    expect(await admin.consumers.get(environmentId, 'org_42')).toMatchObject({
      ...{ name: 'Acme GmbH', enabled: false, attributes: { tier: 'gold' } },
      limits: { events_per_month: null, channel_kinds: null },
    });
    expect(complaints).toEqual([]);
  }, 180_000);

  it('lead from a name to the channels with their states, the messages, a link to the portal, and the deletion', async () => {
    const world = await service.world('Customers');
    const { environmentId } = world;
    const admin = service.admin();
    for (const channel of [world.mailChannelId, world.webhookChannelId]) await admin.channels.delete(channel);
    await admin.consumers.put(environmentId, 'org_1', { name: 'Umbrella' });
    await admin.consumers.put(environmentId, 'org_42', {
      name: 'Acme GmbH',
      attributes: { tier: 'gold' },
      contact_email: 'ops@acme.example.com',
      limits: { events_per_month: 10, channels: 5, channel_kinds: ['webhook'] },
    });
    const url = service
      .hooks()
      .endpoint(`/org/${environmentId}`, (response) => response.writeHead(503).end());
    const { id: channelId } = await admin.consumers.createChannel(environmentId, 'org_42', {
      kind: 'webhook',
      name: 'Acme endpoint',
      retry: { max_attempts: 1, delays_seconds: [] },
      config: { url },
    });
    const messageId = await service.deliver(world, { consumer: 'org_42' });

    const opened = await service.operator({ path: `/e/${environmentId}/consumers` });
    const { page, complaints } = opened;
    await page.getByRole('link', { name: 'Umbrella' }).waitFor();
    expect(await axeViolations(opened)).toEqual([]);
    await page.getByLabel('Beginning of an id or a name').fill('acme');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByRole('link', { name: 'Umbrella' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Acme GmbH' }).click();
    await page.getByRole('heading', { name: 'Acme GmbH' }).waitFor();
    await page.getByText('1 of 10').waitFor();
    await page.getByText('1 of 5').waitFor();
    await page.getByLabel('Attributes', { exact: true }).getByText('gold').waitFor();
    // A single failure is enough for a channel that has never succeeded.
    const channel = page.getByRole('row').filter({ hasText: 'Acme endpoint' });
    await channel.getByText('Failing').waitFor();
    await page.getByRole('link', { name: 'order.shipped to ada@example.com' }).waitFor();
    expect(await axeViolations(opened)).toEqual([]);

    await page.getByRole('link', { name: 'All of its messages' }).click();
    await page.getByRole('button', { name: 'Remove the filter “Consumer: org_42”' }).waitFor();
    await page.getByRole('link', { name: 'ada@example.com' }).click();
    await page.waitForURL((at) => at.hash.includes(messageId));
    await page.getByRole('link', { name: 'org_42' }).click();
    await page.getByRole('link', { name: 'Acme endpoint' }).click();
    await page.waitForURL((at) => at.hash.includes(channelId));
    await page.getByRole('link', { name: 'org_42' }).click();

    await page.getByRole('button', { name: 'Open the portal' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Customers').waitFor();
    expect(await axeViolations(opened)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create a link' }).click();
    const link = (await dialog.getByLabel('Link', { exact: true }).innerText()).trim();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const portal = await opened.context.newPage();
    await portal.goto(link);
    await portal.getByText('Acme endpoint').first().waitFor();
    await portal.close();

    // The answer of the list is held, so that what the page shows until then can be seen.
    const { opened: seen, open: release } = createLatch();
    await page.route(/\/consumers\?/, async (route) => {
      await seen;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByRole('button', { name: 'Delete the consumer' }).click();
    await page.getByRole('heading', { name: 'Consumers', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Acme GmbH' }).count()).toBe(0);
    release();
    await page.getByRole('link', { name: 'Umbrella' }).waitFor();
    expect(await page.getByRole('link', { name: 'Acme GmbH' }).count()).toBe(0);
    await goTo(opened, `/e/${environmentId}/consumers/org_42`);
    await page.getByText('404 consumer_not_found').waitFor();
    expect(complaints).toEqual([]);
  }, 180_000);
});
