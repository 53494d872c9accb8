import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { goTo, setUpConsole } from './support/console.ts';
import { type PrefixProxy, startPrefixProxy } from './support/prefix-proxy.ts';

const service = setUpConsole();
let proxy: PrefixProxy;

beforeAll(async () => {
  proxy = await startPrefixProxy(service.url(), '/postrider');
});
afterAll(() => proxy.close());

describe('the console behind a proxy that strips a path', () => {
  it('opens by a link, lists messages as they come, shows what was sent, and signs out', async () => {
    const world = await service.world('Prefixed');
    await service.deliver(world);
    const { url_fragment } = await service.admin().consoleLinks.create();
    const opened = await service.open({ at: proxy.url, fragment: url_fragment });
    const { page, complaints } = opened;
    await page.getByRole('searchbox').waitFor();
    expect(new URL(page.url()).pathname).toBe('/postrider/console/');

    await goTo(opened, `/e/${world.environmentId}/messages`);
    await page.getByRole('link', { name: 'ada@example.com' }).waitFor();
    await service.deliver(world, { recipient: { email: 'bob@example.com', name: 'Bob' } });
    await page.getByRole('button', { name: '1 new' }).click();
    await page.getByRole('link', { name: 'bob@example.com' }).click();
    const sent = page.locator('.event', { hasText: 'replied 250' });
    await sent.getByRole('button', { name: 'What was sent' }).click();
    await page.frameLocator('iframe').getByText('Hello Bob').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'curl' }).click();
    await page.getByLabel('Request as curl').getByText(`${proxy.url}/api/v1/events`).waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Postrider' }).waitFor();
    await service.signIn(opened);
    expect(complaints).toEqual([]);
  }, 120_000);
});
