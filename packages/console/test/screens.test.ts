import { status } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { axeViolations, type ConsolePage, goTo, setUpConsole, type World } from './support/console.ts';
import { scrolledSideways, unfit } from './support/fit.ts';
import { screensOf } from './support/screens.ts';

const service = setUpConsole();

/** Each would run as a script, or break out of its place, if a screen wrote it as HTML. */
const ATTACKS = [
  '<script>window.attacked=1</script>',
  '<img src=x onerror="window.attacked=2">',
  '"><svg/onload=window.attacked=3>',
  'javascript:window.attacked=4',
  '{{constructor.constructor("window.attacked=5")()}}',
] as const;
const ATTACK = ATTACKS.join(' ');
/** Without the attack that is not a valid template. */
const ATTACK_IN_TEMPLATE = ATTACKS.slice(0, 4).join(' ');

/** An installation in which a stranger has written into everything that they can. */
async function hostileWorld(): Promise<
  World & { messageId: string; templateId: string; pathOfChannel: string }
> {
  const world = await service.world(`Acme ${ATTACK}`.slice(0, 250));
  const admin = service.admin();
  const { environmentId, mailChannelId } = world;
  await admin.channels.update(mailChannelId, { name: ATTACK.slice(0, 250) });
  const hook = service
    .hooks()
    .endpoint(`/hostile/${environmentId}`, status(500, { 'x-attack': ATTACKS[1] }, ATTACK));
  await admin.channels.update(world.webhookChannelId, { name: ATTACKS[1], config: { url: hook } });
  await admin.eventTypes.put(environmentId, 'order.shipped', { description: ATTACK, payload_schema: null });
  await admin.consumers.put(environmentId, 'org_1', {
    name: ATTACK.slice(0, 200),
    attributes: { note: ATTACK },
  });
  const template = await admin.templates.create(environmentId, {
    event_key: 'order.shipped',
    channel_kind: 'email',
    subject: 'Order {{ payload.order_id }}',
    html: `<p style="color:red">{{ payload.note }}</p><a href="javascript:window.top.attacked=6" id="link">open</a><a href="frame-images.html" id="images">images</a><form action="/x"><button>go</button></form>${ATTACK_IN_TEMPLATE}<script>window.top.attacked=7</script>`,
    activate: true,
  });
  service.mail().fail('rcpt', 450);
  const messageId = await service.deliver(world, {
    recipient: { email: 'ada@example.com', name: ATTACK.slice(0, 200).replaceAll('\n', ' ') },
    payload: { order_id: ATTACKS[0], note: ATTACK, [ATTACKS[1]]: ATTACKS[2] },
  });
  await service.deliver(world, { payload: { order_id: ATTACKS[0], note: ATTACK } });
  return { ...world, messageId, templateId: template.id, pathOfChannel: hook };
}

/** What a function that runs in the page finds there. */
interface BrowserGlobals {
  getComputedStyle(element: unknown): { readonly color: string };
}

const wasAttacked = ({ page }: ConsolePage) => page.evaluate('window.attacked');

describe('every screen of the console', () => {
  it('shows what strangers wrote as text, passes axe in both themes, scrolls sideways at no width, and breaks no policy', async () => {
    const { environmentId: env, tenantId, messageId, templateId, mailChannelId } = await hostileWorld();
    await service.admin().replays.create(env, { filter: { status: 'failed' } });
    await service.admin().erasures.create(env, { email: 'nobody@example.com' });
    const layout = { name: 'main', content: `${ATTACK_IN_TEMPLATE}{% block %}{% endblock %}` };
    const { id: layoutId } = await service.admin().layouts.create(env, layout);
    await service.admin().layouts.create(env, { ...layout, activate: true });
    const screens = [
      ...screensOf({
        ...{ environmentId: env, tenantId, messageId, templateId, layoutId },
        ...{ channelId: mailChannelId, eventKey: 'order.shipped' },
      }),
      [`/e/${env}/consumers/org_1`, 'Usage and limits'] as const,
    ];
    const visitAll = async (theme: 'light' | 'dark') => {
      const opened = await service.operator({ theme });
      const { page, complaints } = opened;
      const found: string[] = [];
      for (const [path, shows] of screens) {
        await goTo(opened, path);
        await page.getByText(shows).first().waitFor();
        await page.locator('.skeleton').first().waitFor({ state: 'detached' });
        const violations = await axeViolations(opened, theme);
        const alerts = await page.getByRole('alert').allTextContents();
        // Elements have the same sizes in both themes.
        const misfits = theme === 'light' ? await unfit(opened) : [];
        const defects = [...violations, ...alerts, ...misfits];
        found.push(...defects.map((each) => `${path}, ${theme}: ${each}`));
      }
      expect(found).toEqual([]);
      expect(await wasAttacked(opened)).toBeUndefined();
      expect(complaints).toEqual([]);
    };
    await Promise.all([visitAll('light'), visitAll('dark')]);
  }, 360_000);

  it('passes axe in both themes with its dialogs, its palette and its notices open, which fit at every width', async () => {
    const world = await service.world('Dialogs');
    const { environmentId: env, webhookChannelId } = world;
    const messageId = await service.deliver(world);
    await service.admin().consumers.put(env, 'org_1', { name: 'Acme GmbH', attributes: { tier: 'gold' } });
    const dialogs: readonly (readonly [path: string, button: string])[] = [
      [`/e/${env}/messages/${messageId}`, 'Replay'],
      [`/e/${env}/messages/${messageId}`, 'What was sent'],
      [`/e/${env}/channels/${webhookChannelId}`, 'Send a test'],
      [`/e/${env}/channels/${webhookChannelId}`, 'Rotate the secret'],
      [`/e/${env}/channels/${webhookChannelId}`, 'Delete'],
      [`/e/${env}/tokens`, 'Issue a token'],
      [`/e/${env}/suppressions`, 'Suppress an address'],
      [`/e/${env}/consumers`, 'Create a consumer'],
      [`/e/${env}/consumers/org_1`, 'Change'],
      [`/e/${env}/consumers/org_1`, 'Open the portal'],
      ['/plans', 'Create a plan'],
    ];
    const openAll = async (theme: 'light' | 'dark') => {
      const opened = await service.operator({ theme });
      const { page, complaints } = opened;
      const dialog = page.getByRole('dialog');
      const found: string[] = [];
      const check = async (name: string) => {
        const misfits = theme === 'light' ? await unfit(opened) : [];
        for (const each of [...(await axeViolations(opened, theme)), ...misfits])
          found.push(`${name}, ${theme}: ${each}`);
      };
      const close = async () => {
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
      };
      for (const [path, button] of dialogs) {
        await goTo(opened, path);
        await page.getByRole('button', { name: button, exact: true }).first().click();
        await dialog.waitFor();
        await page.locator('.skeleton').first().waitFor({ state: 'detached' });
        await check(button);
        await close();
      }
      for (const keys of ['?', 'Control+k']) {
        await page.keyboard.press(keys);
        await dialog.waitFor();
        await check(keys);
        await close();
      }
      await goTo(opened, `/e/${env}/channels/${webhookChannelId}`);
      const toggle = theme === 'light' ? 'Pause' : 'Resume';
      await page.getByRole('button', { name: toggle, exact: true }).first().click();
      await dialog.getByRole('button', { name: `${toggle} the channel` }).click();
      await page.getByText(`The channel is ${toggle.toLowerCase()}d.`).waitFor();
      await check('notice');
      expect(found).toEqual([]);
      expect(complaints).toEqual([]);
    };
    // One after the other: the second resumes what the first has paused.
    await openAll('light');
    await openAll('dark');
  }, 360_000);

  it('shows hostile content of an email in a frame that runs no script, sends no request and opens no link', async () => {
    const { environmentId: env } = await hostileWorld();
    const opened = await service.operator({ path: `/e/${env}/messages?status=partially_delivered` });
    const { page, complaints } = opened;
    await page.getByRole('link', { name: 'ada@example.com' }).click();
    const sent = page.locator('.event', { hasText: 'replied 250' });
    await sent.getByRole('button', { name: 'What was sent' }).click();
    const frame = page.frameLocator('iframe');
    const styled = frame.locator('p').first();
    await styled.waitFor();
    const colour = await styled.evaluate(
      (element) => (globalThis as unknown as BrowserGlobals).getComputedStyle(element).color,
    );
    expect(colour).toBe('rgb(255, 0, 0)');
    await frame.locator('#link').click();
    expect(await frame.getByRole('button').count()).toBe(0);
    // A page whose policy loads remote images: a link must not lead the reader there.
    await frame.locator('#images').click();
    await frame.getByTitle('frame-images.html').waitFor();
    for (const tab of await page.getByRole('tab').all()) await tab.click();
    expect(await wasAttacked(opened)).toBeUndefined();
    expect(page.url()).toContain('/console/#/e/');
    expect(complaints.filter((each) => each.startsWith('request to'))).toEqual([]);
  });

  it('draws its charts in a browser whose language is not a valid language tag', async () => {
    const world = await service.world('Posix');
    await service.deliver(world);
    await service.counted(world.environmentId, { delivered: 2 });
    const opened = await service.operator({
      language: 'en-US@posix',
      path: `/e/${world.environmentId}/overview`,
    });
    await opened.page.getByRole('table', { name: 'Deliveries by outcome' }).waitFor({ state: 'attached' });
    expect(opened.complaints).toEqual([]);
  });

  it('works on a narrow screen', async () => {
    const world = await service.world('Narrow');
    await service.deliver(world);
    const opened = await service.operator({ width: 380, path: `/e/${world.environmentId}/messages` });
    const { page } = opened;
    await page.getByRole('link', { name: 'ada@example.com' }).click();
    await page.getByText('Attempt 1: succeeded').first().waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Channels' }).click();
    await page.getByRole('link', { name: 'Receiver' }).waitFor();
    expect(await scrolledSideways(opened)).toEqual([]);
    expect(await axeViolations(opened)).toEqual([]);
  });
});
