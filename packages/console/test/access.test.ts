import { waitFor } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { axeViolations, type ConsolePage, goTo, setUpConsole } from './support/console.ts';
import { type PrefixProxy, startPrefixProxy } from './support/prefix-proxy.ts';

const service = setUpConsole();

/** Makes a request as a script of the page would. */
const request = ({ page }: ConsolePage, method: string, path: string, headers: Record<string, string> = {}) =>
  page.evaluate<number>(
    `fetch(${JSON.stringify(path)}, { method: ${JSON.stringify(method)}, headers: ${JSON.stringify(headers)} }).then((r) => r.status)`,
  );

describe('signing in to the console', () => {
  it('exchanges the token for a session that no script can read, and keeps the token nowhere', async () => {
    const opened = await service.open();
    const { page, context } = opened;
    await page.getByLabel('Token').fill('pr_production_000000000000000000000000000000000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('This token is not valid.').waitFor();
    await service.signIn(opened);

    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(kept).not.toMatch(/pr_|admin|session=/i);
  });

  it('opens by a one-time link, which works once and leaves the address', async () => {
    const { url_fragment } = await service.admin().consoleLinks.create();
    const { page } = await service.open({ fragment: url_fragment });
    await page.getByRole('searchbox').waitFor();
    expect(page.url()).not.toContain('link=');
    const other = await service.open({ fragment: url_fragment });
    await other.page.getByRole('heading', { name: 'Sign in to Postrider' }).waitFor();
    await other.page.getByRole('alert').getByText('This link was already used').waitFor();
  });

  it('lists a link that nobody has used, with the session that issued it, and revokes it', async () => {
    const opened = await service.operator({ path: '/sessions' });
    const { page, complaints } = opened;
    const [session] = (await service.admin().consoleSessions.page({ limit: 1 })).data;
    const csrf = `(await (await fetch('/console/session')).json()).csrf_token`;
    const { url_fragment } = await page.evaluate<{ url_fragment: string }>(
      `(async () => (await fetch('/admin/v1/console-links', { method: 'POST', headers: { 'X-CSRF-Token': ${csrf} } })).json())()`,
    );
    await page.reload();
    const link = page.getByRole('region', { name: 'Unused links', exact: true });
    await link.getByTitle(`Copy: ${session?.id}`).waitFor();
    expect(await axeViolations(opened)).toEqual([]);
    await link.getByRole('button', { name: 'Revoke the link for console' }).click();
    await page.getByText('The link is revoked.').waitFor();
    await link.waitFor({ state: 'detached' });
    const other = await service.open({ fragment: url_fragment });
    await other.page.getByRole('alert').getByText('This link was already used').waitFor();
    expect(complaints).toEqual([]);
  });

  it('returns to the same screen after the session has ended, and refuses a write without the CSRF token', async () => {
    const world = await service.world('Acme');
    const opened = await service.operator({ path: `/e/${world.environmentId}/channels` });
    const { page } = opened;
    await page.getByRole('link', { name: 'Receiver' }).click();
    await page.getByRole('heading', { name: 'Receiver' }).waitFor();
    const path = `/admin/v1/channels/${world.webhookChannelId}`;
    expect(await request(opened, 'DELETE', path)).toBe(403);
    expect(await request(opened, 'DELETE', path, { 'X-CSRF-Token': 'A'.repeat(43) })).toBe(403);

    const { data } = await service.admin().consoleSessions.page();
    await Promise.all(data.map(({ id }) => service.admin().consoleSessions.end(id)));
    await waitFor(
      'the session to be refused',
      async () => (await request(opened, 'GET', '/console/session')) === 401,
    );
    // The page is told when its stream ends.
    await page.getByText('Your session has ended.').waitFor();
    await service.signIn(opened);
    await page.getByRole('heading', { name: 'Receiver' }).waitFor();
    await expect(page.getByRole('button', { name: 'Delete' }).isVisible()).resolves.toBe(true);
  });

  it('shows an integrator only their own environment, by any address or request', async () => {
    const [own, other] = [await service.world('Mine'), await service.world('Other')];
    const foreign = await service.deliver(other);
    const message = await service.deliver(own);
    const opened = await service.open();
    const { page } = opened;
    await service.signIn(opened, own.token);

    const nav = page.getByRole('navigation', { name: 'Screens' });
    await nav.getByRole('link', { name: 'Messages' }).click();
    await page.getByRole('link', { name: 'ada@example.com' }).click();
    await page.getByText('Attempt 1: succeeded').first().waitFor();
    expect(page.url()).toContain(message);
    await expect(nav.getByRole('link').allTextContents()).resolves.toEqual([
      'Postrider',
      'Overview',
      'Messages',
      'Send',
      'Usage',
    ]);

    await goTo(opened, `/e/${other.environmentId}/messages/${foreign}`);
    await page.getByText('Not in your environment').waitFor();
    await goTo(opened, `/e/${own.environmentId}/messages/${foreign}`);
    await page.getByText('404 message_not_found').first().waitFor();
    const { environmentId } = other;
    for (const path of [
      '/admin/v1/tenants',
      '/admin/v1/lookup?q=ada@example.com',
      '/admin/v1/attention',
      '/admin/v1/console-sessions',
      `/admin/v1/environments/${environmentId}/messages`,
      `/admin/v1/environments/${environmentId}/stats`,
      `/admin/v1/environments/${environmentId}/stream`,
    ])
      expect([path, (await request(opened, 'GET', path)) >= 400]).toEqual([path, true]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Postrider' }).waitFor();
    expect(await request(opened, 'GET', `/api/v1/messages/${message}`)).toBe(401);
  });
});

describe('an address of the console', () => {
  it('tells an integrator that a screen is for operators, without a request that ends the session', async () => {
    const own = await service.world('Gate');
    const opened = await service.open({ token: own.token });
    const { page, context } = opened;
    const refused: string[] = [];
    context.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    const inEnvironment = [
      ...['channels', `channels/${own.mailChannelId}`, 'templates', 'templates/new', 'parts/layouts'],
      ...[
        'event-types',
        'event-types/order.shipped',
        'suppressions',
        'replays',
        'tokens',
        'erasures',
        'settings',
      ],
      ...['consumers', 'consumers/org_1'],
    ].map((screen) => `/e/${own.environmentId}/${screen}`);
    const installation = ['/overview', '/tenants', `/tenants/${own.tenantId}`, '/plans', '/audit-log'];
    for (const path of [...inEnvironment, ...installation, '/sessions']) {
      await goTo(opened, path);
      await page.waitForFunction(`location.hash === ${JSON.stringify(`#${path}`)}`);
      await page.getByRole('heading', { name: 'For operators only' }).waitFor();
      expect(await axeViolations(opened)).toEqual([]);
      await goTo(opened, `/e/${own.environmentId}/usage`);
      await page.getByText('By calendar month').or(page.getByText('This month')).first().waitFor();
    }
    expect(refused).toEqual([]);
  }, 240_000);

  it('cannot lead a request or a link to another path with an id', async () => {
    const own = await service.world('Paths');
    const requests: string[] = [];
    const follow = ({ context }: ConsolePage) =>
      context.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const operator = await service.operator({ path: '/overview' });
    follow(operator);
    for (const id of ['..%2F..%2Fadmin%2Fv1%2Fplans', '..', 'a%3Fb%23c', '$tenantId']) {
      await goTo(operator, `/e/${id}/messages`);
      await operator.page.getByText('404 ').first().waitFor();
      await operator.page.getByRole('navigation').getByRole('link', { name: 'Plans' }).click();
      await operator.page.getByText('What tenants may use').waitFor();
    }
    const integrator = await service.open({ token: own.token });
    follow(integrator);
    for (const id of ['msg_x/../../../tenants', 'msg_?x#y', 'msg_$messageId', 'msg_%2e%2e']) {
      await goTo(integrator, `/e/${own.environmentId}/messages/${encodeURIComponent(id)}`);
      await integrator.page.getByText('404 message_not_found').first().waitFor();
      expect(requests).toContain(`/api/v1/messages/${encodeURIComponent(id)}`);
      await goTo(integrator, `/e/${own.environmentId}/usage`);
      await integrator.page.getByText('404 message_not_found').first().waitFor({ state: 'detached' });
    }
    const unknown = requests.filter((each) => !/^\/(console|api\/v1|admin\/v1)\//.test(each));
    expect(unknown).toEqual([]);
    expect(requests.filter((each) => /^\/admin\/v1\/(stream|messages)/.test(each))).toEqual([]);
  }, 240_000);
});

describe('the console behind a proxy that strips a path', () => {
  let proxy: PrefixProxy;
  beforeAll(async () => {
    proxy = await startPrefixProxy(service.url(), '/postrider');
  });
  afterAll(() => proxy.close());

  it('opens by a link, lists new messages, shows the sent content, and signs out', async () => {
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
  });
});
