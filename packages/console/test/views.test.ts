import { waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { axeViolations, setUpConsole } from './support/console.ts';

const service = setUpConsole();

const HOUR_MS = 3_600_000;

describe('the filters of messages', () => {
  it('are kept as a view of the environment without the recipient, applied again, and removed', async () => {
    const world = await service.world('Views');
    const other = await service.world('Elsewhere');
    await service.deliver(world);
    service.mail().fail('rcpt', 550);
    await service.deliver(world, { recipient: { email: 'bea@example.com' } });
    const messages = `/e/${world.environmentId}/messages`;
    const opened = await service.operator({
      path: `${messages}?run_status=failed&recipient_email=bea@example.com`,
    });
    const { page, complaints } = opened;
    await page.getByRole('link', { name: 'bea@example.com' }).waitFor();
    await page.getByRole('button', { name: 'Save this view' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('What failed');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    const view = page.getByRole('button', { name: 'What failed', exact: true });
    await view.waitFor();
    expect(await axeViolations(opened)).toEqual([]);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('bea@');

    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: 'ada@example.com' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'ada@example.com' }).waitFor();
    await view.click();
    await page.getByRole('link', { name: 'ada@example.com' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'bea@example.com' }).waitFor();
    expect(page.url()).toContain('run_status=failed');
    expect(page.url()).not.toContain('recipient_email');

    await page.evaluate(`location.hash = '/e/${other.environmentId}/messages'`);
    await page.getByRole('heading', { name: 'No event has been accepted yet' }).waitFor();
    expect(await view.count()).toBe(0);
    await page.goBack();
    await page.getByRole('button', { name: 'Remove the view “What failed”' }).click();
    await view.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('are not lost to a tab that was open before', async () => {
    const world = await service.world('Two tabs');
    const other = await service.world('The other tab');
    const first = await service.operator({ path: `/e/${world.environmentId}/messages` });
    const { page, context } = first;
    const second = await context.newPage();
    await second.goto(page.url().replace('/messages', '/messages?event_key=order.shipped'));
    await second.getByRole('button', { name: 'Save this view' }).click();
    const dialog = second.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Shipped');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Shipped', exact: true }).waitFor();
    // Opening an environment is remembered, so the first tab writes its settings.
    await page.evaluate(`location.hash = '/e/${other.environmentId}/messages'`);
    const stored = () => page.evaluate<string>("localStorage['postrider.settings']");
    await waitFor('the remembered environment', async () => (await stored()).includes(other.environmentId));
    expect(await stored()).toContain('Shipped');
  });

  it('have ranges of one click, which end now and replace an earlier end', async () => {
    const world = await service.world('Ranges');
    await service.deliver(world);
    const opened = await service.operator({
      path: `/e/${world.environmentId}/messages?created_before=2020-01-01T00:00:00Z`,
    });
    const { page } = opened;
    await page.getByRole('heading', { name: 'No message matches' }).waitFor();
    for (const [name, hours] of [
      ['Last hour', 1],
      ['24 hours', 24],
      ['7 days', 7 * 24],
      ['30 days', 30 * 24],
    ] as const) {
      const before = Date.now();
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('link', { name: 'ada@example.com' }).waitFor();
      const search = new URLSearchParams(page.url().split('?')[1]);
      const from = Date.parse(search.get('created_after') ?? '');
      expect(from).toBeGreaterThanOrEqual(before - hours * HOUR_MS);
      expect(from).toBeLessThanOrEqual(Date.now() - hours * HOUR_MS);
      expect(search.has('created_before')).toBe(false);
    }
  });
});

describe('the filters of a list', () => {
  it('choose what a bulk replay sends again', async () => {
    const world = await service.world('Again');
    await service.deliver(world);
    const { environmentId } = world;
    const { page } = await service.operator({ path: `/e/${environmentId}/messages?event_key=order.shipped` });
    await page.getByRole('link', { name: 'Replay these' }).click();
    await page.getByRole('heading', { name: 'New bulk replay' }).waitFor();
    await page.getByRole('button', { name: 'Remove the filter “Event key: order.shipped”' }).waitFor();
    expect(await page.getByRole('button', { name: /^Remove the filter/ }).count()).toBe(1);
    await page.getByRole('button', { name: 'Count the messages' }).click();
    await page.getByText('1 message matches.').waitFor();
  });
});

describe('a message', () => {
  it('leads to its trace', async () => {
    const world = await service.world('Traced');
    const messageId = await service.deliver(world);
    const { trace_id } = await service.admin().messages.of(world.environmentId).get(messageId);
    const { page } = await service.operator({ path: `/e/${world.environmentId}/messages/${messageId}` });
    const link = page.getByRole('link', { name: 'Open', exact: true });
    expect(await link.getAttribute('href')).toBe(`https://traces.example.com/${trace_id}`);
  });
});
