import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createCleanup } from '@postrider/local-stack';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import type { Browser, Page } from 'playwright-core';
import { axeViolations } from './support/axe.ts';
import { launchBrowser } from './support/browser.ts';

const CONSOLE = fileURLToPath(new URL('..', import.meta.url));
/** Nothing is sent there: the browser gets the files of the page. */
const ORIGIN = 'http://components.test';

const cleanup = createCleanup();
let browser: Browser;
let site = '';

beforeAll(async () => {
  site = cleanup.keep(await mkdtemp(join(tmpdir(), 'postrider-components-')), (directory) =>
    rm(directory, { recursive: true }),
  );
  const vite = fileURLToPath(new URL('bin/vite.js', import.meta.resolve('vite/package.json')));
  const config = join(CONSOLE, 'vite.config.ts');
  const args = ['build', '--logLevel', 'warn', '--config', config, '--outDir', site];
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, [vite, ...args, join(CONSOLE, 'test', 'components')], { env });
  browser = cleanup.keep(await launchBrowser(), (each) => each.close());
});
afterAll(() => cleanup.run());

/** What scrolls on its own may be wider than the page. The foot of a dialog stays above what scrolls below it. */
const SCROLLS = '.table-wrap, .code-text, .cm-scroller, .tab-list, iframe, .dialog-foot';

/** Elements that stick out of the page, and controls or labels that cover each other. */
const MISPLACED = `(() => {
  const root = document.querySelector('[role=dialog]') ?? document.body;
  const name = (each) => each.tagName.toLowerCase() + '.' + each.className + ' “' + (each.textContent || each.value || '').slice(0, 30) + '”';
  const all = [...root.querySelectorAll('*')].filter((each) =>
    each.checkVisibility() && !each.closest('.visually-hidden') && !each.parentElement.closest(${JSON.stringify(SCROLLS)}));
  const boxOf = new Map(all.map((each) => [each, each.getBoundingClientRect()]));
  const outside = all.filter((each) => boxOf.get(each).right > innerWidth + 1 || boxOf.get(each).left < -1);
  const solid = all.filter((each) => each.matches('button, a, input, select, textarea, label, h1, h2, h3, .badge, .hint, .field-error'));
  const covers = (one, other) => {
    const [a, b] = [boxOf.get(one), boxOf.get(other)];
    return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  };
  const covered = solid.flatMap((one, index) => solid.slice(index + 1)
    .filter((other) => !one.contains(other) && !other.contains(one) && covers(one, other))
    .map((other) => name(one) + ' covers ' + name(other)));
  return [...outside.map((each) => name(each) + ' sticks out'), ...covered];
})()`;

async function open(theme: 'light' | 'dark', width: number, overlay: string): Promise<Page> {
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: { width, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  await context.route(`${ORIGIN}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    return route.fulfill({ path: join(site, pathname === '/' ? 'index.html' : pathname) });
  });
  const page = await context.newPage();
  await page.goto(`${ORIGIN}/#${overlay}`);
  await page.locator('.cm-content').first().waitFor({ state: 'attached' });
  if (overlay) await page.getByRole('dialog').waitFor();
  return page;
}

describe('the components of the console', () => {
  for (const theme of ['light', 'dark'] as const)
    it(`fit with long words, cover nothing, and pass axe in the ${theme} theme`, async () => {
      const found: string[] = [];
      for (const width of [1_280, 390])
        for (const overlay of ['', 'confirm', 'dialog']) {
          const page = await open(theme, width, overlay);
          const defects = [
            ...(await axeViolations({ page }, theme)),
            ...(await page.evaluate<string[]>(MISPLACED)),
          ];
          found.push(...defects.map((each) => `${width} px ${overlay}: ${each}`));
          await page.context().close();
        }
      expect(found).toEqual([]);
    });
});
