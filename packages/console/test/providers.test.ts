import { createTestDatabase } from '@postrider/db/testing';
import { createCleanup } from '@postrider/local-stack';
import { chooseFreePort } from '@postrider/rig/servers';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import type { Browser, Page } from 'playwright-core';
import { startOidcProvider, type TestProvider } from '../../../apps/api/test/support/oidc-provider.ts';
import { type ServiceHere, startServiceHere } from '../../../apps/api/test/support/service.ts';
import { launchBrowser } from './support/browser.ts';
import { axeViolations } from './support/console.ts';

const cleanup = createCleanup();
let provider: TestProvider;
let service: ServiceHere;
let browser: Browser;

const configuration = () => ({
  ...{ id: 'staff', name: 'Staff', issuer: provider.issuer, client_id: 'postrider' },
  client_secret: provider.clientSecret,
  scopes: ['openid', 'email', 'profile', 'groups'],
  groups: [{ group: 'admins', role: 'admin' }],
});

beforeAll(async () => {
  const database = cleanup.keep(await createTestDatabase(), (each) => each.drop());
  const port = await chooseFreePort();
  provider = await startOidcProvider({ consoleUrl: `http://127.0.0.1:${port}/console`, id: 'staff' });
  cleanup.add(provider.close);
  service = await startServiceHere({
    database,
    port,
    env: { OIDC_PROVIDERS: JSON.stringify([configuration()]) },
  });
  cleanup.add(service.stop);
  browser = await launchBrowser();
  cleanup.add(() => browser.close());
});
afterAll(() => cleanup.run());

/** A service that has not asked the provider yet. */
async function startServiceHereAway(): Promise<string> {
  const database = cleanup.keep(await createTestDatabase(), (each) => each.drop());
  const started = await startServiceHere({
    database,
    env: { OIDC_PROVIDERS: JSON.stringify([configuration()]) },
  });
  cleanup.add(started.stop);
  return started.url;
}

async function signInAs(page: Page, subject: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Staff' }).click();
  await page.locator('input[name=login]').fill(subject);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

describe('signing in to the console at a provider', () => {
  it('leads through the pages of the provider back to the screen, approves a command line, and signs out at both', async () => {
    provider.people.set('ada', { email: 'ada@example.com', name: 'Ada', groups: ['admins'] });
    const form = new URLSearchParams({ client_name: 'ada@laptop' });
    const answer = await fetch(`${service.url}/console/device`, { method: 'POST', body: form });
    const codes = (await answer.json()) as { verification_uri_complete: string };
    const page = await (await browser.newContext()).newPage();
    await page.goto(codes.verification_uri_complete);
    await signInAs(page, 'ada');
    await page.getByRole('heading', { name: 'Command line' }).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('ada@laptop').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('The command line is signed in.').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${provider.issuer}/**`);
  });

  it('passes axe on its page, in both themes at 1440 and 390 pixels', async () => {
    const found: string[] = [];
    for (const theme of ['light', 'dark'] as const)
      for (const width of [1_440, 390]) {
        const context = await browser.newContext({ colorScheme: theme, viewport: { width, height: 900 } });
        const page = await context.newPage();
        await page.goto(`${service.url}/console/`);
        await page.getByRole('button', { name: 'Sign in with Staff' }).waitFor();
        const violations = await axeViolations({ page }, theme);
        found.push(...violations.map((each) => `${theme} ${width}: ${each}`));
        await context.close();
      }
    expect(found).toEqual([]);
  });

  it('says in words that nobody of the groups has access, and that the provider is away', async () => {
    provider.people.set('eve', { email: 'eve@example.com', groups: [] });
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${service.url}/console/`);
    await signInAs(page, 'eve');
    await page.getByText('none of your groups has access').waitFor();
    provider.setFault('error');
    const other = await (await browser.newContext()).newPage();
    await other.goto(`${service.url}/console/`);
    const fresh = await startServiceHereAway();
    await other.goto(`${fresh}/console/`);
    await other.getByRole('button', { name: 'Sign in with Staff' }).click();
    await other.getByText('The provider did not respond.').waitFor();
    provider.setFault(null);
  });
});
