import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createCleanup } from '@postrider/local-stack';
import { markdownTable } from '@postrider/rig';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { type ShownScreen, screensOf } from '../support/screens.ts';
import { measureReads } from './figures.ts';
import { type Connected, connect, type Installation, openInstallation } from './installation.ts';
import { deliver, eventOf, type Told, tellStories } from './stories.ts';
import { defectsOf, type Look, largestPaint, picture, shown, timeOf, visit } from './visitor.ts';

const { values: asked } = parseArgs({
  options: {
    /** How many messages the installation has. */
    messages: { type: 'string', default: '1000000' },
    widths: { type: 'string', default: '1440' },
    themes: { type: 'string', default: 'light' },
    /** A folder for a picture of each screen. */
    pictures: { type: 'string' },
    /** Leaves the stories out. */
    'only-screens': { type: 'boolean', default: false },
  },
});

const say = (text: string) => process.stdout.write(`${text}\n`);
const ms = (value: number) => `${Math.round(value)} ms`;

interface Seen {
  readonly path: string;
  /** In milliseconds: the largest paint of a fresh page, the screen within an open console, and the same once more. */
  readonly paint: number;
  readonly first: number;
  readonly warm: number;
  readonly defects: readonly string[];
}

/** Where the console is between two visits of a screen. */
const AWAY = ['/sessions', 'Who is signed in'] as const;

/** Opens every screen by its address in a new browser context, and then twice within one console. */
async function seeScreens(
  browser: Browser,
  installation: Installation,
  look: Look,
  screens: readonly ShownScreen[],
): Promise<Seen[]> {
  const { url, service } = installation;
  const { adminToken } = service;
  const within = await visit(browser, { url, adminToken, look, path: AWAY[0] });
  await shown(within, AWAY[1]);
  const see = async (path: string, text: string): Promise<Seen> => {
    const fresh = await visit(browser, { url, adminToken, look, path });
    await shown(fresh, text);
    const paint = await largestPaint(fresh);
    const defects = await defectsOf(fresh);
    if (asked.pictures) {
      const name = `${path.replaceAll(/[a-z]{3}_\w+/g, 'id').replaceAll(/\W+/g, '-')}`;
      await picture(fresh, join(asked.pictures, `${name.slice(1)}-${look.width}-${look.theme}.png`));
    }
    await fresh.context.close();
    const first = await timeOf(within, path, text);
    const [away, shows] = path === '/sessions' ? (['/roles', 'Named sets of scopes'] as const) : AWAY;
    await timeOf(within, away, shows);
    const warm = await timeOf(within, path, text);
    return { path, paint, first, warm, defects };
  };
  const seen: Seen[] = [];
  for (const [path, text] of screens)
    seen.push(
      await see(path, text).catch((error): Seen => {
        return { path, paint: Number.NaN, first: Number.NaN, warm: Number.NaN, defects: [String(error)] };
      }),
    );
  await within.context.close();
  return seen;
}

/** Everything that the screens show beyond what was filled in. */
async function furnish(installation: Installation, connected: Connected): Promise<readonly ShownScreen[]> {
  const { admin, mail, environmentId, tenantId } = installation;
  const { eventKey, templateId, webhookChannelId: channelId, token } = connected;
  if (asked['only-screens']) {
    // What the stories leave behind otherwise: a delivery that failed, and a second version of the template.
    mail.fail('rcpt', 550, 1);
    await deliver(installation, environmentId, token, eventOf(connected, 'A-1'));
    await deliver(installation, environmentId, token, eventOf(connected, 'A-2'));
    await admin.templates.create(environmentId, {
      ...{ event_key: eventKey, channel_kind: 'email' as const },
      ...{ subject: 'Order {{ payload.order_id }}', html: '<p>Dear {{ recipient.name }}</p>' },
    });
  }
  await admin.consumers.put(environmentId, 'org_42', {
    ...{ name: 'Acme GmbH', contact_email: 'ops@acme.example.com', attributes: { tier: 'gold' } },
    limits: { events_per_month: 10_000, channels: 5 },
  });
  const layout = { name: 'main', content: '{% block %}{% endblock %}' };
  const { id: layoutId } = await admin.layouts.create(environmentId, layout);
  await admin.layouts.create(environmentId, {
    ...layout,
    content: `<main>${layout.content}</main>`,
    activate: true,
  });
  const { data } = await admin.messages
    .of(environmentId)
    .page({ event_key: eventKey, run_status: 'failed', limit: 1 });
  const messageId =
    data[0]?.id ??
    (await admin.messages.of(environmentId).page({ run_status: 'failed', limit: 1 })).data[0]?.id ??
    '';
  const { data: versions } = await admin.templates.of(environmentId).page({ event_key: eventKey, limit: 5 });
  const shownTemplate = versions.find(({ version }) => version === 2)?.id ?? templateId;
  const consumer = [`/e/${environmentId}/consumers/org_42`, 'Usage and limits'] as const;
  const screens = screensOf({
    environmentId,
    tenantId,
    messageId,
    templateId: shownTemplate,
    channelId,
    layoutId,
    eventKey,
  });
  return [...screens, consumer];
}

const tableOf = (told: readonly Told[]) =>
  markdownTable(
    ['Story', 'Clicks', 'Seconds', ''],
    told.map(({ name, clicks, seconds, error = '' }) => [
      name,
      String(clicks),
      seconds.toFixed(1),
      error.split('\n')[0] ?? '',
    ]),
  );

/** Fills an installation of its own, takes the tour in each look, and prints clicks, seconds and times. Resolves with the exit code. */
async function main(): Promise<number> {
  const messages = Number(asked.messages);
  const looks = asked.themes
    .split(',')
    .flatMap((theme) => asked.widths.split(',').map((width) => ({ width: Number(width), theme }) as Look));
  const cleanup = createCleanup();
  try {
    const began = performance.now();
    const installation = await openInstallation(messages, cleanup);
    say(
      `Filled with ${messages.toLocaleString('en')} messages in ${Math.round((performance.now() - began) / 1_000)} s.`,
    );
    const browser = await launchBrowser();
    cleanup.add(() => browser.close());
    if (asked.pictures) await mkdir(asked.pictures, { recursive: true });
    const { url, service } = installation;
    const { adminToken } = service;
    const figures = await measureReads(installation, messages);
    const rows = figures.map(({ name, count, medianMs, p95Ms, goalMs }) => [
      name,
      String(count),
      `${medianMs.toFixed(1)} ms`,
      `${p95Ms.toFixed(1)} ms`,
      ms(goalMs),
    ]);
    say(`\n${markdownTable(['Read', 'Times', 'Median', 'p95', 'Goal'], rows)}`);
    let screens: readonly ShownScreen[] | null = null;
    let failures = 0;
    for (const look of looks) {
      const name = `${look.width}-${look.theme}`;
      const connected = await connect(installation, installation.environmentId, `order.shipped-${name}`);
      if (!asked['only-screens']) {
        const visitor = await visit(browser, { url, adminToken, look, path: '/sessions' });
        const told = await tellStories({ installation, visitor, name, connected });
        await visitor.context.close();
        failures += told.filter(({ error }) => error !== undefined).length;
        say(`\n${look.width} px, ${look.theme}\n\n${tableOf(told)}`);
      }
      screens ??= await furnish(installation, connected);
      const seen = await seeScreens(browser, installation, look, screens);
      const rows = seen.map(({ path, paint, first, warm, defects }) => [
        path.replaceAll(/[a-z]{3}_\w+/g, 'id'),
        ms(paint),
        ms(first),
        ms(warm),
        defects.join('; '),
      ]);
      say(`\n${markdownTable(['Screen', 'Largest paint', 'First visit', 'Warm', 'Defects'], rows)}`);
    }
    return failures === 0 ? 0 : 1;
  } finally {
    await cleanup.run();
  }
}

process.exit(await main());
