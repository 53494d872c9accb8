import { status, waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import type { Page } from 'playwright-core';
import { axeViolations } from '../../console/test/support/console.ts';
import { setUpPortal, type World } from './support/portal.ts';

const portal = setUpPortal();

const SCREENS = [
  'endpoints',
  'endpoints/new',
  'deliveries',
  'replay',
  'events',
  'events/order.shipped',
  'verify',
  'usage',
];
const HOSTILE = `"><img src=x onerror="window.hit=1"></script><script>window.hit=1</script>مرحبا`;
/** Turns the direction of what follows; names may not contain it. */
const TURNED = '\u202Egpj.exe';

/** Waits until a screen shows its data. */
const isLoaded = (page: Page, screen: string) =>
  waitFor(`the screen ${screen}`, () =>
    page.evaluate<boolean>(
      `location.hash === ${JSON.stringify(`#/${screen}`)} && document.querySelector('h1') && !document.querySelector('.skeleton')`,
    ),
  );

/** A consumer with one endpoint that works and one that fails, and a delivery of each. */
async function lively(name: string): Promise<World & { readonly failing: string }> {
  const world = await portal.world(name);
  const retry = { max_attempts: 1, delays_seconds: [] };
  await portal.endpoint(
    world,
    'Warehouse',
    portal.hooks().endpoint(`/${name}/ok`, status(200, {}, 'thanks')),
    { retry },
  );
  const bad = portal.hooks().endpoint(`/${name}/bad`, status(500, {}, 'the shop is closed'));
  const { id } = await portal.endpoint(world, 'Accounting', bad, { retry });
  await portal.send(world);
  await waitFor(
    'both requests',
    () =>
      portal.hooks().received(`/${name}/bad`).length + portal.hooks().received(`/${name}/ok`).length === 2,
  );
  return { ...world, failing: id };
}

describe.each([
  [1_440, 'light'],
  [768, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const)('every screen at %i pixels in the %s theme', (width, theme) => {
  it('has no finding of axe, no sideways scrolling, and breaks no policy', async () => {
    const world = await lively(`look-${width}-${theme}`);
    const opened = await portal.openPage({ width, theme });
    const { page, complaints } = opened;
    await page.goto(await portal.link(world, { theme: { mode: 'auto', accent: '#e9c46a', radius: 12 } }));
    await page.getByText('Accounting').waitFor();
    for (const screen of [...SCREENS, `endpoints/${world.failing}/edit`, `endpoints/${world.failing}`]) {
      await page.evaluate(`location.hash = ${JSON.stringify(`#/${screen}`)}`);
      await isLoaded(page, screen);
      if (/new|edit/.test(screen)) await page.getByText('Advanced', { exact: true }).click();
      if (screen.endsWith('edit')) {
        await page.getByLabel('Signature', { exact: true }).selectOption('custom');
        await page.getByLabel('Form of the body').selectOption('template');
        await page.getByLabel('Header of the signature').fill('X-Signature');
        await page.getByLabel('Template (JSON)').fill('{"order": "{{ payload.order_id }}"}');
        await page.getByRole('button', { name: 'Try it on recent events' }).click();
        await page.getByText(/^Recent events tested/).waitFor();
        await page.getByRole('button', { name: 'Preview the request' }).click();
        await page.getByText('"order": "A-1001"').waitFor();
      }
      expect([screen, await axeViolations(opened, theme)]).toEqual([screen, []]);
      expect([screen, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([
        screen,
        0,
      ]);
      if (process.env.PORTAL_SHOTS)
        await page.screenshot({
          path: `${process.env.PORTAL_SHOTS}/${width}-${theme}-${screen.replaceAll('/', '-').replace(/chn_[^-]*/, 'one')}.png`,
          fullPage: true,
        });
    }
    await page.getByRole('link', { name: 'order.shipped' }).first().click();
    await page.getByRole('button', { name: 'Show what was sent' }).click();
    await page.getByText('This is exactly what was sent.').waitFor();
    expect(await axeViolations(opened, theme)).toEqual([]);
    if (process.env.PORTAL_SHOTS)
      await page.screenshot({
        path: `${process.env.PORTAL_SHOTS}/${width}-${theme}-delivery.png`,
        fullPage: true,
      });
    expect(complaints).toEqual([]);
  });
});

describe.each(['de', 'es', 'fr'])('every screen of a phone in %s', (locale) => {
  it('needs no sideways scrolling', async () => {
    const world = await lively(`phone-${locale}`);
    const { page } = await portal.openPage({ width: 390 });
    await page.goto(await portal.link(world, { locale }));
    await page.getByText('Accounting').waitFor();
    for (const screen of [...SCREENS, `endpoints/${world.failing}/edit`, `endpoints/${world.failing}`]) {
      await page.evaluate(`location.hash = ${JSON.stringify(`#/${screen}`)}`);
      await isLoaded(page, screen);
      if (/new|edit/.test(screen)) await page.locator('summary').click();
      const scrolled = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect([screen, scrolled]).toEqual([screen, 0]);
      if (process.env.PORTAL_SHOTS)
        await page.screenshot({
          path: `${process.env.PORTAL_SHOTS}/${locale}-${screen.replaceAll('/', '-').replace(/chn_[^-]*/, 'one')}.png`,
          fullPage: true,
        });
    }
  });
});

describe('what consumers and receivers control', () => {
  it('runs no script, in any field', async () => {
    const world = await portal.world('hostile');
    const body = `<script>window.hit=1</script>${HOSTILE}${TURNED}`;
    const address = portal
      .hooks()
      .endpoint('/hostile', status(500, { 'X-Shop': '<img src=x onerror=window.hit=1>' }, body));
    await portal.call('PUT', `/environments/${world.environmentId}/consumers/${world.consumer}`, {
      name: HOSTILE,
    });
    await portal.endpoint(world, HOSTILE, `${address}?q=%3Cimg%20src=x%20onerror=window.hit=1%3E`, {
      retry: { max_attempts: 1, delays_seconds: [] },
    });
    await portal.call('PUT', `/environments/${world.environmentId}/event-types/order.shipped`, {
      description: HOSTILE,
      payload_schema: { type: 'object', properties: { note: { type: 'string', examples: [HOSTILE] } } },
    });
    await portal.send(world, { note: `${HOSTILE}${TURNED}`, link: 'javascript:window.hit=1' });
    const { page, complaints } = await portal.openPage();
    await page.goto(await portal.link(world));
    await page.getByRole('link', { name: HOSTILE }).waitFor();
    for (const screen of ['events', 'events/order.shipped', 'replay', 'deliveries']) {
      await page.evaluate(`location.hash = ${JSON.stringify(`#/${screen}`)}`);
      await isLoaded(page, screen);
    }
    await page.getByRole('link', { name: 'order.shipped' }).click();
    await page.getByRole('button', { name: 'Show what was sent' }).click();
    await page.getByText('This is exactly what was sent.').waitFor();
    await page.getByRole('link', { name: HOSTILE }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText(`Delete ${HOSTILE}?`).waitFor();
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

describe('the look of a session', () => {
  it('has the theme of the product: mode, colours, radius and logo', async () => {
    const world = await portal.world('themed', { origins: ['https://shop.example.com'] });
    const { page } = await portal.openPage({ theme: 'light' });
    await page.route('https://shop.example.com/logo.svg', (route) =>
      route.fulfill({
        contentType: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"/>',
      }),
    );
    const theme = {
      mode: 'dark',
      accent: '#7a1fa2',
      background: '#101418',
      radius: 20,
      logo_url: 'https://shop.example.com/logo.svg',
    };
    await page.goto(await portal.link(world, { theme }));
    await page.getByRole('link', { name: 'Add an endpoint' }).waitFor();
    const styleOf = (property: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('.button-primary')).${property}`);
    expect(await styleOf('backgroundColor')).toBe('rgb(122, 31, 162)');
    expect(await styleOf('borderRadius')).toBe('20px');
    await waitFor('the background, once the page has drawn the dark mode', () =>
      page.evaluate<boolean>("getComputedStyle(document.body).backgroundColor === 'rgb(16, 20, 24)'"),
    );
    await waitFor('the logo', () =>
      page.evaluate<boolean>("document.querySelector('.portal-logo').naturalWidth > 0"),
    );
  });

  it.each([
    ['de', 'Endpunkt hinzufügen'],
    ['es', 'Añadir un endpoint'],
    ['fr', 'Ajouter un point de terminaison'],
    ['pt', 'Add an endpoint'],
  ])('is in the language of the session: %s', async (locale, words) => {
    const world = await portal.world(`in-${locale}`);
    const { page } = await portal.openPage();
    await page.goto(await portal.link(world, { locale }));
    await page.getByRole('link', { name: words }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe(locale === 'pt' ? 'en' : locale);
  });
});
