import { waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import type { Page } from 'playwright-core';
import { axeViolations, goTo, setUpConsole } from './support/console.ts';

const service = setUpConsole();

/** Holds the requests of a method to the URLs until they are released, and counts them. */
async function hold(page: Page, urls: string, method: string) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let count = 0;
  await page.route(urls, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    count += 1;
    await released;
    return route.fallback();
  });
  return { release, count: () => count };
}

describe('the console', () => {
  it('keeps its navigation when a screen cannot be loaded, and loads it once the service responds', async () => {
    const { environmentId } = await service.world('Offline');
    const opened = await service.operator({ path: `/e/${environmentId}/send` });
    const { page, context } = opened;
    await page.getByRole('button', { name: 'Send and follow' }).waitFor();
    // The service is away: neither the screen's file nor the page arrives.
    await context.route('**/console/**', (route) => route.abort());
    await page.getByRole('link', { name: 'Channels' }).click();
    await page.getByText('This screen could not be loaded.').waitFor();
    await page.getByRole('link', { name: 'Templates' }).waitFor();
    expect(await axeViolations(opened)).toEqual([]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The service does not respond.').waitFor();
    await context.unroute('**/console/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Receiver' }).waitFor();
    // The dialogs of the frame come after it.
    await context.route('**/dialogs-*.js', (route) => route.abort());
    await page.reload();
    await page.getByText('This screen could not be loaded.').waitFor();
    await context.unroute('**/dialogs-*.js');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Receiver' }).waitFor();
  });

  it('says that a change may have been made if its response was lost', async () => {
    const { environmentId } = await service.world('Lost response');
    const { page } = await service.operator({ path: `/e/${environmentId}/channels/new` });
    await page.getByText('An HTTP request to an address').click();
    await page.getByLabel('Name', { exact: true }).fill('Created unseen');
    await page.getByLabel('Address', { exact: true }).fill('https://hooks.example.com/');
    await page.route('**/channels', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'Create and test' }).click();
    await page.getByText('If you changed something, check whether it was saved').waitFor();
    const { data } = await service.admin().channels.of(environmentId).page();
    expect(data.map(({ name }) => name)).toContain('Created unseen');
  });

  it('says that a change without a connection failed, and does not send it later', async () => {
    const { environmentId } = await service.world('Offline');
    const { page, context } = await service.operator({ path: `/e/${environmentId}/event-types/new` });
    await page.getByLabel('Event key').fill('order.offline');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Check your network').waitFor();
    await context.setOffline(false);
    await page.getByLabel('Event key').fill('order.online');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'order.online' }).waitFor();
    const { data } = await service.admin().eventTypes.of(environmentId).page();
    expect(data.map(({ event_key }) => event_key)).toEqual(['order.online']);
  });

  it('sends a change once, however often Enter is pressed', async () => {
    const { environmentId, webhookChannelId } = await service.world('Once');
    const opened = await service.operator({
      path: `/e/${environmentId}/channels/${webhookChannelId}?tab=settings`,
    });
    const { page } = opened;
    const held = await hold(page, `**/channels/${webhookChannelId}`, 'PATCH');
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Renamed');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.press('Enter');
    await page.locator('button[aria-busy=true]').waitFor();
    await save.press('Enter');
    await name.press('Enter');
    held.release();
    await page.getByText('The settings are saved.').waitFor();
    expect(held.count()).toBe(1);
  });

  it('changes things after a sign-in in another tab, without a reload', async () => {
    const { environmentId, webhookChannelId } = await service.world('Tabs');
    const opened = await service.operatorWith({ role: 'admin' });
    await goTo(opened, `/e/${environmentId}/channels/${webhookChannelId}?tab=settings`);
    const { page, context } = opened;
    await page.getByLabel('Name', { exact: true }).fill('Renamed');
    const { url_fragment } = await service.admin().consoleLinks.create({ operator_id: opened.id });
    const other = await context.newPage();
    // As if *Save* were pressed before the other tab tells of the sign-in.
    await other.addInitScript('BroadcastChannel.prototype.postMessage = () => undefined');
    await other.goto(new URL(`/console/${url_fragment}`, page.url()).href);
    await other.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'attached' });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await page.getByText('There was a new sign-in in another tab.').waitFor();
    await save.click();
    await page.getByText('The settings are saved.').waitFor();
  });

  it('shows another person who signs in in another tab nothing of the first, and says whose session it is', async () => {
    const { environmentId, webhookChannelId } = await service.world('Persons');
    const before = await service.world('Opened before');
    const opened = await service.operator({ path: `/e/${before.environmentId}/send` });
    const { page, context } = opened;
    await page.getByRole('button', { name: 'Opened before' }).waitFor();
    await goTo(opened, `/e/${environmentId}/channels/${webhookChannelId}?tab=settings`);
    await page.getByLabel('Name', { exact: true }).fill('Typed by the first');
    expect(await page.evaluate('Object.keys(sessionStorage).join()')).toContain('postrider.draft.');
    const { id: operatorId } = await service
      .admin()
      .operators.create({ email: 'second@example.com', name: 'Second', role: 'admin' });
    const { url_fragment } = await service.admin().consoleLinks.create({ operator_id: operatorId });
    const other = await context.newPage();
    await other.goto(new URL(`/console/${url_fragment}`, page.url()).href);
    await page.getByText('You are now signed in as').waitFor();
    expect(await page.getByText('You are now signed in as').textContent()).toContain('second@example.com');
    const name = await page.getByLabel('Name', { exact: true }).inputValue();
    expect(name).not.toBe('Typed by the first');
    expect(await page.evaluate('Object.keys(sessionStorage).join()')).not.toContain('postrider.draft.');
    await other.getByRole('link', { name: 'Needs action' }).click();
    await other.keyboard.press('Control+k');
    await other.getByRole('option', { name: 'Theme: dark' }).waitFor();
    expect(await other.getByRole('option', { name: 'Opened before' }).count()).toBe(0);
    expect((await service.admin().channels.get(webhookChannelId)).name).not.toBe('Typed by the first');
  });

  it('keeps the focus on the button that reads more rows, and prints all of them', async () => {
    const { environmentId } = await service.world('Rows');
    for (let index = 100; index < 201; index += 1)
      await service.admin().consumers.put(environmentId, `org_${index}`, {});
    const { page } = await service.operator({ path: `/e/${environmentId}/consumers` });
    const held = await hold(page, '**/consumers?*cursor=*', 'GET');
    await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
    await page.locator('button[aria-busy=true]').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('More');
    held.release();
    await page.getByRole('link', { name: 'org_199' }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('More');
    const pdf = (await page.pdf()).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThan(2);
  });

  it('opens an environment at its first screen, and says in the title of the tab that a page does not exist', async () => {
    const { environmentId } = await service.world('Addresses');
    const opened = await service.operator({ path: `/e/${environmentId}` });
    const { page } = opened;
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await goTo(opened, `/e/${environmentId}/pipelines`);
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    expect(await page.title()).toBe('Page not found · Postrider');
  });

  it('returns with Back to where the reader was in a list, and begins another screen at its top', async () => {
    const { environmentId, webhookChannelId } = await service.world('Scroll');
    const admin = service.admin();
    const { config } = await admin.channels.get(webhookChannelId);
    const url = String((config as { url?: string }).url);
    for (let index = 0; index < 40; index += 1)
      await admin.channels.create(environmentId, { kind: 'webhook', name: `Copy ${index}`, config: { url } });
    const opened = await service.operator({ path: `/e/${environmentId}/channels` });
    const { page } = opened;
    const link = page.getByRole('link', { name: 'Copy 20', exact: true });
    await link.scrollIntoViewIfNeeded();
    const top = () => page.evaluate<number>('document.querySelector("#main").scrollTop');
    await page.evaluate('document.querySelector("#main").scrollTop = 500');
    const before = await top();
    expect(before).toBeGreaterThan(0);
    await link.click();
    await page.getByRole('heading', { name: 'Copy 20' }).waitFor();
    expect(await top()).toBe(0);
    await page.goBack();
    await link.waitFor();
    await waitFor('the place in the list', async () => (await top()) === before);
  });

  it('shows channels and results of a search on a phone without sideways scrolling', async () => {
    const world = await service.world('Narrow');
    const { environmentId, webhookChannelId } = world;
    await service.admin().channels.update(webhookChannelId, { name: 'Receiver of orders in the warehouse' });
    await service.deliver(world);
    await service.deliver(world);
    const opened = await service.operator({ path: `/e/${environmentId}/channels`, width: 390 });
    const { page } = opened;
    const hidden = () =>
      page.evaluate<number>(
        "Math.max(...[...document.querySelectorAll('.table-wrap, #main')].map((each) => each.scrollWidth - each.clientWidth))",
      );
    await page.getByRole('link', { name: 'Receiver of orders in the warehouse' }).waitFor();
    expect(await hidden()).toBe(0);
    expect(await axeViolations(opened)).toEqual([]);
    for (const q of ['ada@example.com', 'Narrow']) {
      await goTo(opened, `/lookup?q=${encodeURIComponent(q)}`);
      await page.getByRole('heading', { name: `Results for “${q}”` }).waitFor();
      await page.getByRole('table').first().waitFor();
      expect(await hidden()).toBe(0);
      expect(await axeViolations(opened)).toEqual([]);
    }
  });

  it('breaks names without spaces on a phone, and names the channel of a reply', async () => {
    const world = await service.world('T'.repeat(80));
    const { environmentId, mailChannelId, webhookChannelId } = world;
    const name = 'C'.repeat(80);
    await service.admin().channels.update(webhookChannelId, { name });
    await service.admin().channels.delete(mailChannelId);
    const messageId = await service.deliver(world);
    const opened = await service.operator({ path: `/e/${environmentId}/overview`, width: 390 });
    const { page } = opened;
    const hidden = () =>
      page.evaluate<number>(
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('#main'))",
      );
    await page.getByText(`${'T'.repeat(80)} / production`).waitFor();
    expect(await hidden()).toBe(0);
    await goTo(opened, `/e/${environmentId}/messages/${messageId}`);
    await page.getByRole('region', { name: `Reply to attempt 1 of ${name}` }).waitFor();
    await page.getByText(`${name} got the event.`).waitFor();
    expect(await hidden()).toBe(0);
  });

  it('says what was done in a row that covers nothing and can be dismissed by keyboard', async () => {
    const { environmentId, webhookChannelId } = await service.world('Toast');
    const opened = await service.operator({
      path: `/e/${environmentId}/channels/${webhookChannelId}`,
      width: 390,
    });
    const { page } = opened;
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause the channel' }).click();
    const toast = page.getByText('The channel is paused. Its deliveries wait.');
    await toast.waitFor();
    const boxes = await Promise.all(
      [page.locator('.toasts'), page.locator('#main'), page.locator('.top')].map((each) =>
        each.boundingBox(),
      ),
    );
    const [toasts, main, head] = boxes;
    expect((toasts?.y ?? 0) + (toasts?.height ?? 0)).toBeLessThanOrEqual(main?.y ?? 0);
    expect(toasts?.y).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0));
    await page.getByRole('button', { name: 'Dismiss' }).press('Enter');
    await toast.waitFor({ state: 'detached' });
  });
});
