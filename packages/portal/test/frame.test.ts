import { readFileSync } from 'node:fs';
import { status, waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { axeViolations } from '../../console/test/support/console.ts';
import { frameOf, setUpPortal } from './support/portal.ts';

const portal = setUpPortal();

/** Whether a frame is as high as its page. */
const IS_WHOLE = 'document.documentElement.scrollHeight <= innerHeight && innerHeight > 300';

describe('the portal in a frame of another site', () => {
  it('works with third-party cookies blocked, stores nothing, and tells its height to the page around alone', async () => {
    const host = await portal.host();
    const world = await portal.world('framed', { origins: [host.origin] });
    await portal.endpoint(world, 'Receiver', portal.hooks().endpoint('/framed', status(200)));
    const opened = await portal.openPage();
    await opened.page.goto(host.at(await portal.link(world)));
    const frame = await frameOf(opened);
    await frame.getByRole('link', { name: 'Receiver' }).click();
    await frame.getByRole('heading', { name: 'Health' }).waitFor();
    expect(
      await frame.evaluate<string>("document.cookie = 'a=b; SameSite=None; Secure'; document.cookie"),
    ).toBe('');
    expect(await opened.context.cookies()).toEqual([]);
    expect(await frame.evaluate<number>('localStorage.length + sessionStorage.length')).toBe(0);
    const heights =
      await opened.page.evaluate<{ origin: string; type: string; height: number }[]>('window.messages');
    expect(new Set(heights.map(({ origin, type }) => `${origin} ${type}`))).toEqual(
      new Set([`${portal.url()} postrider:height`]),
    );
    await waitFor('a frame without a scroll bar', () => frame.evaluate<boolean>(IS_WHOLE));
    expect(await axeViolations({ page: frame })).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });

  it('is as high as its content in the frame that docs/portal.md shows', async () => {
    const page = readFileSync(new URL('../../../docs/portal.md', import.meta.url), 'utf8');
    const [, html = ''] = /```html\n([\s\S]*?)```/.exec(page) ?? [];
    const host = await portal.host({
      html: `<!doctype html><html lang="en"><title>Shop</title>
        <script>window.newPortalUrl = async () => decodeURIComponent(location.hash.slice(1))</script>${html}`,
    });
    const world = await portal.world('documented', { origins: [host.origin] });
    const opened = await portal.openPage();
    await opened.page.goto(host.at(await portal.link(world)));
    const frame = await frameOf(opened);
    await frame.getByText('You have no endpoint yet').waitFor();
    await frame.getByRole('link', { name: 'Verify signatures' }).click();
    await waitFor('a frame without a scroll bar', () => frame.evaluate<boolean>(IS_WHOLE));
    expect(opened.complaints).toEqual([]);
  });

  it('is shown by a page that is isolated from other origins', async () => {
    const headers = {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    };
    const host = await portal.host({ headers });
    const world = await portal.world('isolated', { origins: [host.origin] });
    const opened = await portal.openPage();
    await opened.page.goto(host.at(await portal.link(world)));
    expect(await opened.page.evaluate('crossOriginIsolated')).toBe(true);
    const frame = await frameOf(opened);
    await frame.getByText('You have no endpoint yet').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('stays blank in a frame of an origin that the environment does not list', async () => {
    const host = await portal.host();
    const world = await portal.world('unlisted', { origins: ['https://shop.example.com'] });
    const opened = await portal.openPage();
    const refused = opened.page.waitForEvent('console', {
      predicate: (each) => /frame-ancestors/.test(each.text()),
    });
    await opened.page.goto(host.at(await portal.link(world)));
    await refused;
    expect(await opened.page.evaluate('window.messages')).toEqual([]);
  });

  it('says that the session has ended, shows the way back, and tells the page around', async () => {
    const host = await portal.host();
    const world = await portal.world('ended', { origins: [host.origin] });
    const return_url = 'https://shop.example.com/settings';
    const opened = await portal.openPage();
    await opened.page.goto(host.at(await portal.link(world, { return_url })));
    const frame = await frameOf(opened);
    await frame.getByText('You have no endpoint yet').waitFor();
    await portal.call('PUT', `/environments/${world.environmentId}/consumers/${world.consumer}`, {
      enabled: false,
    });
    await waitFor('the end of the session', async () => {
      await frame
        .getByRole('link', { name: /Event types|Usage/ })
        .first()
        .click({ timeout: 500 })
        .catch(() => undefined);
      await frame
        .getByRole('link', { name: 'Endpoints' })
        .click({ timeout: 500 })
        .catch(() => undefined);
      return (await frame.getByText('Your session has ended.').count()) === 1;
    });
    expect(await frame.getByRole('link', { name: 'Return' }).getAttribute('href')).toBe(return_url);
    await waitFor('the message', () =>
      opened.page.evaluate<boolean>("window.messages.some(({ type }) => type === 'postrider:expired')"),
    );
  });

  it('asks the page around for a link if the browser shows the frame without it, as after "Back"', async () => {
    const host = await portal.host();
    const world = await portal.world('back', { origins: [host.origin] });
    const opened = await portal.openPage();
    await opened.page.goto(host.at((await portal.link(world)).replace(/#.*/, '')));
    const frame = await frameOf(opened);
    await frame.getByText('This page is opened by a link.').waitFor();
    await waitFor('the message', () =>
      opened.page.evaluate<boolean>("window.messages.some(({ type }) => type === 'postrider:expired')"),
    );
  });
});

describe('a session of the portal', () => {
  it('ends the session with its page', async () => {
    const world = await portal.world('closed');
    const { page } = await portal.openPage();
    const opened = page.waitForResponse((response) => response.url().endsWith('/portal/session'));
    await page.goto(await portal.link(world));
    const { token } = (await (await opened).json()) as { token: string };
    await page.getByText('You have no endpoint yet').waitFor();
    const ask = () =>
      fetch(`${portal.url()}/api/v1/event-types`, { headers: { Authorization: `Bearer ${token}` } });
    expect((await ask()).status).toBe(200);
    await page.close();
    await waitFor('the end of the session', async () => (await ask()).status === 401);
  });

  it('opens a link once', async () => {
    const world = await portal.world('once');
    const link = await portal.link(world);
    const first = await portal.openPage();
    await first.page.goto(link);
    await first.page.getByText('You have no endpoint yet').waitFor();
    const second = await portal.openPage();
    await second.page.goto(link);
    await second.page.getByText('This link cannot be used.').waitFor();
  });
});
