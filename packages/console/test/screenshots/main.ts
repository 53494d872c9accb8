import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createPostriderAdmin } from '@postrider/client';
import { migrate } from '@postrider/db';
import { createCleanup, startPostgres } from '@postrider/local-stack';
import { ROOT, startTestService } from '@postrider/local-stack/testing';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { type Demo, seedDemo } from './demo.ts';

const OUTPUT = join(ROOT, 'docs', 'console');
const STEP_MS = 30_000;

interface Shot {
  readonly name: string;
  readonly path: (demo: Demo) => string;
  /** Shown when the screen is complete. */
  readonly shows: string | RegExp;
  readonly theme?: 'dark';
  readonly prepare?: (page: Page) => Promise<unknown>;
}

const environment = ({ environmentId }: Demo, path: string) => `/e/${environmentId}/${path}`;

const SHOTS: readonly Shot[] = [
  { name: 'overview', path: (demo) => environment(demo, 'overview'), shows: 'Success rate' },
  { name: 'messages', path: (demo) => environment(demo, 'messages'), shows: /\d+ messages/ },
  {
    name: 'message',
    path: (demo) => environment(demo, `messages/${demo.failedMessageId}`),
    shows: 'smtp_permanent_rejection',
  },
  {
    name: 'message-dark',
    path: (demo) => environment(demo, `messages/${demo.retryingMessageId}`),
    shows: /Next attempt/,
    theme: 'dark',
  },
  {
    name: 'content',
    path: (demo) => environment(demo, `messages/${demo.deliveredMessageId}`),
    shows: 'replied 250',
    prepare: async (page) => {
      await page
        .locator('.event', { hasText: 'replied 250' })
        .getByRole('button', { name: 'What was sent' })
        .click();
      await page.frameLocator('iframe').getByText('is on its way').first().waitFor();
    },
  },
  {
    name: 'template',
    path: (demo) => environment(demo, `templates/${demo.templateId}`),
    shows: 'Versions',
    theme: 'dark',
    prepare: (page) => page.frameLocator('iframe').getByText('is on its way').first().waitFor(),
  },
  {
    name: 'channel',
    path: (demo) => environment(demo, `channels/${demo.channelId}`),
    shows: 'Attempts by hour',
  },
];

/** The names after the command; all without. */
const asked = new Set(process.argv.slice(2));
const isAsked = ({ name }: Shot) => asked.size === 0 || asked.has(name);

/** Makes the pictures of docs/console from an installation of its own with demo data. */
async function main(): Promise<void> {
  const cleanup = createCleanup();
  try {
    const postgres = cleanup.keep(await startPostgres({ durable: false }), (server) => server.stop());
    await migrate(postgres.url);
    const service = await startTestService({ databaseUrl: postgres.url, worker: true });
    cleanup.add(service.stop);
    const admin = createPostriderAdmin({
      baseUrl: service.url,
      adminToken: service.adminToken,
      actor: 'ada',
    });
    const demo = await seedDemo({ admin, url: service.url, databaseUrl: postgres.url, cleanup });
    const browser = await launchBrowser();
    cleanup.add(() => browser.close());
    await mkdir(OUTPUT, { recursive: true });
    for (const { name, path, shows, theme = 'light', prepare } of SHOTS.filter(isAsked)) {
      const context = await browser.newContext({
        colorScheme: theme,
        viewport: { width: 1_280, height: 800 },
        locale: 'en-GB',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
      });
      context.setDefaultTimeout(STEP_MS);
      const page = await context.newPage();
      const { url_fragment } = await admin.consoleLinks.create();
      await page.goto(`${service.url}/console/${url_fragment}`);
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      await page.evaluate(`location.hash = ${JSON.stringify(path(demo))}`);
      await page.getByText(shows).first().waitFor();
      await page.waitForLoadState('load');
      await prepare?.(page);
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      await page.evaluate('document.fonts.ready');
      await page.screenshot({ path: join(OUTPUT, `${name}.png`) });
      await context.close();
      process.stdout.write(`${name}.png\n`);
    }
  } finally {
    await cleanup.run();
  }
}

await main();
process.exit();
