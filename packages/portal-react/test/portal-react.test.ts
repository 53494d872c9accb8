import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { status, waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { build } from 'esbuild';
import { frameOf, setUpPortal } from '../../portal/test/support/portal.ts';

const portal = setUpPortal();

/** A product's page with the component. Messages of other windows are sent before those of the portal. */
const PAGE = `
import { createRoot } from 'react-dom/client';
import { createElement } from 'react';
import { PostriderPortal } from '@postrider/portal-react';

window.expired = 0;
const url = decodeURIComponent(location.hash.slice(1));
createRoot(document.getElementById('root')).render(
  createElement(PostriderPortal, { url, title: 'Your webhooks', onExpired: () => { window.expired += 1; } }),
);
`;

/** A page that a server rendered. Its script takes it over when the test calls `hydrate`. */
const SERVER_PAGE = `
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server.browser';
import { createElement } from 'react';
import { PostriderPortal } from '@postrider/portal-react';

const url = decodeURIComponent(location.hash.slice(1));
const element = createElement(PostriderPortal, { url, title: 'Your webhooks' });
document.write('<div id="root">' + renderToString(element) + '</div>');
window.hydrate = () => void hydrateRoot(document.getElementById('root'), element);
`;

async function bundle(page: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: page, resolveDir: fileURLToPath(new URL('../', import.meta.url)), loader: 'js' },
    alias: { '@postrider/portal-react': fileURLToPath(new URL('../src/index.tsx', import.meta.url)) },
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles[0]?.text ?? '';
}

describe('PostriderPortal', () => {
  it('is as high as the portal, ignores messages of other windows, and reports the end of the session', async () => {
    const host = await portal.host({ script: await bundle(PAGE) });
    const world = await portal.world('react', { origins: [host.origin] });
    await portal.endpoint(world, 'Receiver', portal.hooks().endpoint('/react', status(200)));
    const opened = await portal.openPage();
    const { page } = opened;
    await page.goto(host.at(await portal.link(world)));
    const frame = await frameOf(opened);
    await frame.getByRole('link', { name: 'Receiver' }).waitFor();
    const heightOf = () => page.evaluate<number>("document.querySelector('iframe').clientHeight");
    const isWhole = () =>
      frame.evaluate<boolean>('innerHeight === Math.ceil(document.body.getBoundingClientRect().height)');
    await waitFor('the height of the content', isWhole);
    const before = await heightOf();

    // The page's own window and origin are not those of the frame.
    await page.evaluate(
      "for (const type of ['postrider:height', 'postrider:expired']) window.postMessage({ type, height: 7 }, '*')",
    );
    await frame.getByRole('link', { name: 'Verify signatures' }).click();
    await waitFor('a higher frame', async () => (await heightOf()) > before && (await isWhole()));
    expect(await page.evaluate('window.expired')).toBe(0);

    await page.reload();
    await waitFor('the notice that the link was used', () => page.evaluate<boolean>('window.expired === 1'));
    expect(await page.getByTitle('Your webhooks').count()).toBe(1);
    expect(opened.complaints).toEqual([]);
  });

  it('is as high as the portal in a page that a server rendered, which has no frame before its script runs', async () => {
    const html = '<!doctype html><html lang="en"><title>Shop</title><body><script src="/host.js"></script>';
    const host = await portal.host({ html, script: await bundle(SERVER_PAGE) });
    const world = await portal.world('rendered', { origins: [host.origin] });
    const opened = await portal.openPage();
    await opened.page.goto(host.at(await portal.link(world)));
    expect(await opened.page.locator('iframe').count()).toBe(0);
    await opened.page.evaluate('hydrate()');
    const frame = await frameOf(opened);
    await frame.getByText('You have no endpoint yet').waitFor();
    await waitFor('the height of the content', () =>
      frame.evaluate<boolean>('innerHeight === Math.ceil(document.body.getBoundingClientRect().height)'),
    );
    expect(opened.complaints).toEqual([]);
  });

  it('is a client component, which pages of React Server Components can show', () => {
    const source = readFileSync(new URL('../src/index.tsx', import.meta.url), 'utf8');
    expect(source.startsWith("'use client';\n")).toBe(true);
  });
});
