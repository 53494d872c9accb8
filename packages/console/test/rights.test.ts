import { describe, expect, it } from '@postrider/testing';
import { type ConsolePage, goTo, setUpConsole } from './support/console.ts';

const service = setUpConsole();

/** The responses that refused something, from now on. */
function refusalsIn({ context }: ConsolePage): string[] {
  const refused: string[] = [];
  context.on('response', (response) => {
    if (response.status() >= 400)
      refused.push(`${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`);
  });
  return refused;
}

/** Resolves when a screen has loaded what it shows. */
async function settle({ page }: ConsolePage): Promise<void> {
  await page.locator('main h1, main h2').first().waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}

const navigationOf = ({ page }: ConsolePage) =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('link').allTextContents();

/** Buttons that change nothing of the service. */
const HARMLESS =
  /^(Apply|HTML|Text|Layouts|Partials|Translations|Choose a tenant|Copy|Copied|Rows: |Clear filters|Show all|Find|Compare|What was|Older|More|Close|Undo|Try again|Add |Remove |Filters|Save this view|Last hour|\d)/;

/** An environment in which there is something to do on every screen. */
async function busyWorld() {
  const world = await service.world('Busy');
  const admin = service.admin();
  const { environmentId: env } = world;
  await admin.eventTypes.put(env, 'order.shipped', {
    description: 'Sent',
    payload_schema: { type: 'object' },
  });
  const { data } = await admin.templates.of(env).page();
  const layout = { name: 'main', content: '{% block %}{% endblock %}' };
  const first = await admin.layouts.create(env, { ...layout, activate: true });
  await admin.layouts.create(env, layout);
  await admin.consumers.put(env, 'org_1', { name: 'Umbrella' });
  await admin.suppressions.create(env, { email: 'gone@example.com' });
  await admin.replays.create(env, { filter: { status: 'failed' } });
  const messageId = await service.deliver(world);
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const scheduled = await admin.events.of(env).send({
    event_key: 'order.shipped',
    recipient: { email: 'ada@example.com', name: 'Ada' },
    payload: { order_id: 'A-2' },
    schedule_at: at,
  });
  const screens = [
    ...['overview', 'messages', `messages/${messageId}`, `messages/${scheduled.message_id}`, 'channels'],
    ...[
      `channels/${world.mailChannelId}`,
      `channels/${world.webhookChannelId}`,
      'consumers',
      'consumers/org_1',
      'templates',
      'parts/layouts',
    ],
    ...[`templates/${data[0]?.id}`, `parts/layouts/${first.id}`, 'event-types', 'event-types/order.shipped'],
    ...['suppressions', 'replays', 'usage', 'settings'],
  ].map((screen) => `/e/${env}/${screen}`);
  return {
    ...world,
    messageId,
    screens: [...screens, '/overview', '/tenants', `/tenants/${world.tenantId}`],
  };
}

describe('what the console shows by rights', () => {
  it('to a viewer: every screen without a request that is refused or a control that would be, and masked recipients', async () => {
    const { screens, environmentId, messageId } = await busyWorld();
    const opened = await service.operatorWith({ role: 'viewer' });
    const { page, complaints } = opened;
    const refused = refusalsIn(opened);
    const found: string[] = [];
    for (const path of [...screens, '/plans']) {
      await goTo(opened, path);
      await settle(opened);
      // Tabs and switches show something else and change nothing.
      const buttons = page.locator('main button:enabled:visible:not([role=tab]):not([aria-pressed])');
      const names = await buttons.evaluateAll((all) =>
        all.map(
          (each) =>
            (each as unknown as { ariaLabel: string | null; textContent: string }).ariaLabel ??
            (each as unknown as { textContent: string }).textContent,
        ),
      );
      names.push(...(await page.locator('main a.button:visible').allTextContents()));
      found.push(...names.filter((name) => !HARMLESS.test(name)).map((name) => `${path}: ${name}`));
    }
    expect(found).toEqual([]);
    expect(refused).toEqual([]);
    expect(complaints).toEqual([]);

    await goTo(opened, `/e/${environmentId}/messages/${messageId}`);
    await page.getByText('Recipients are masked, and content is left out.').waitFor();
    await page.getByText('a•••@e•••.com').first().waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(/ada@|Ada/);
    await page.keyboard.press('r');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await goTo(opened, `/e/${environmentId}/tokens`);
    await page.getByText('It needs the scope tokens:read.').waitFor();
    await goTo(opened, `/e/${environmentId}/settings`);
    await page.getByText('You cannot change the settings. It needs the scope tenants:admin.').waitFor();
    expect(await page.getByLabel('Language of recipients without one').isDisabled()).toBe(true);
    expect(await navigationOf(opened)).toEqual([
      ...[
        'Postrider',
        'Overview',
        'Messages',
        'Channels',
        'Consumers',
        'Templates',
        'Layouts and languages',
        'Event types',
      ],
      ...['Suppressions', 'Bulk replay', 'Usage', 'Settings', 'Needs action', 'Tenants', 'Plans', 'Sessions'],
    ]);
  }, 240_000);

  it('to an operator of one environment: no screen or switch of the installation, and nothing that is refused', async () => {
    const { environmentId, tenantId, screens } = await busyWorld();
    await service.world('Foreign');
    const opened = await service.operatorWith({ role: 'developer', environments: [environmentId] });
    const { page } = opened;
    const refused = refusalsIn(opened);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    for (const path of [...screens, `/e/${environmentId}/tokens`]) {
      await goTo(opened, path);
      await settle(opened);
    }
    await goTo(opened, '/plans');
    await page.getByText('It needs access to the whole installation.').waitFor();
    await goTo(opened, `/tenants/${tenantId}`);
    await page.getByRole('heading', { name: 'Busy' }).waitFor();
    expect(await page.getByRole('button', { name: /^(Change|Create)$/ }).count()).toBe(0);
    expect(refused).toEqual([]);
    expect(await navigationOf(opened)).toEqual(expect.not.arrayContaining(['Plans', 'Operators', 'Roles']));
  }, 240_000);

  it('to an operator whose role has changed: what the new one allows, after the first refusal', async () => {
    const { environmentId, messageId } = await busyWorld();
    const opened = await service.operatorWith({ role: 'support' });
    const { page, id } = opened;
    await goTo(opened, `/e/${environmentId}/messages/${messageId}`);
    const replay = page.getByRole('button', { name: 'Replay', exact: true });
    await replay.click();
    await service.admin().operators.update(id, { role: 'viewer' });
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Replay/ })
      .click();
    await page.getByRole('alert').getByText('This requires the scope replays:write.').waitFor();
    await page.keyboard.press('Escape');
    await replay.waitFor({ state: 'detached' });
  });

  it('to a token of an environment: only what its scopes allow', async () => {
    const world = await service.world('Reader');
    await service.deliver(world);
    const { token } = await service
      .admin()
      .tokens.issue(world.environmentId, { name: 'r', scopes: ['messages:read'] });
    const opened = await service.open({ token });
    const { page } = opened;
    const refused = refusalsIn(opened);
    await page.getByRole('link', { name: 'a•••@e•••.com' }).click();
    await page.getByText('Attempt 1: succeeded').first().waitFor();
    expect(await page.getByRole('button', { name: /^(Replay|What was sent)$/ }).count()).toBe(0);
    expect(await navigationOf(opened)).toEqual(['Postrider', 'Messages']);
    await goTo(opened, `/e/${world.environmentId}/send`);
    await page.getByText('It needs the scope events:write.').waitFor();
    expect(refused).toEqual([]);
  });
});
