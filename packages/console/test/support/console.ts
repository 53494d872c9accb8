import { randomUUID } from 'node:crypto';
import { createPostrider, createPostriderAdmin, type PostriderAdmin } from '@postrider/client';
import { createTestDatabase, type TestDatabase } from '@postrider/db/testing';
import { createCleanup } from '@postrider/local-stack';
import {
  type MailServer,
  type Receiver,
  startMailServer,
  startReceiver,
  status,
  waitFor,
} from '@postrider/rig';
import { afterAll, afterEach, beforeAll } from '@postrider/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startServiceHere } from '../../../../apps/api/test/support/service.ts';
import { launchBrowser } from './browser.ts';

export { axeViolations } from './axe.ts';

/** Longer than any step takes on a busy machine. */
const STEP_MS = 60_000;

const TRACE_URL_TEMPLATE = 'https://traces.example.com/{trace_id}';

/** Loads that the frame for emails blocks are not complaints: it is there for that. */
const FRAME_REFUSAL = '"img-src data:"';

/** A tenant with one environment that delivers to the test's own servers. */
export interface World {
  readonly tenantId: string;
  readonly environmentId: string;
  readonly token: string;
  readonly mailChannelId: string;
  readonly webhookChannelId: string;
}

/** A page of the console, and what its browser complained of. */
export interface ConsolePage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Violations of the content security policy, and errors that no one caught. */
  readonly complaints: string[];
}

interface OpenOptions {
  readonly theme?: 'light' | 'dark';
  /** The width of the page, in pixels. */
  readonly width?: number;
  /** The fragment of the URL, with its `#`. */
  readonly fragment?: string;
  /** The screen to open, such as `/plans`. */
  readonly path?: string;
  readonly language?: string;
  /** The URL at which a proxy shows the service, without a slash at its end. Requests to other URLs are complaints. */
  readonly at?: string;
  /** Signs in with this token before the page opens, without the form. */
  readonly token?: string;
}

const HTML = '<p>Hello {{ recipient.name }}, order {{ payload.order_id }} is on its way.</p>';

/** One service, one browser and one set of receivers for the tests of a file. */
export function setUpConsole() {
  const cleanup = createCleanup();
  let url = '';
  let adminToken = '';
  let admin: PostriderAdmin;
  let db: TestDatabase['db'];
  let browser: Browser;
  let mail: MailServer;
  let hooks: Receiver;
  let contexts: BrowserContext[] = [];

  beforeAll(async () => {
    const database = cleanup.keep(await createTestDatabase(), (each) => each.drop());
    db = database.db;
    const [service, startedBrowser, mailServer, receiver] = await Promise.all([
      startServiceHere({ database, worker: true, env: { TRACE_URL_TEMPLATE } }),
      launchBrowser(),
      startMailServer(),
      startReceiver(),
    ]);
    cleanup.add(service.stop);
    cleanup.add(() => startedBrowser.close());
    cleanup.add(() => mailServer.close());
    cleanup.add(() => receiver.close());
    [browser, mail, hooks] = [startedBrowser, mailServer, receiver];
    [url, adminToken] = [service.url, service.adminToken];
    admin = createPostriderAdmin({ baseUrl: url, adminToken });
    await admin.plans.create({ code: 'starter', name: 'Starter', events_per_month: 10_000 });
  });
  // An open page keeps reading from the service.
  afterEach(async () => {
    const opened = contexts;
    contexts = [];
    await Promise.all(opened.map((context) => context.close()));
  });
  afterAll(() => cleanup.run());

  /** Opens the console. The page's clock and language do not depend on the machine. */
  async function open(options: OpenOptions = {}): Promise<ConsolePage> {
    const { at = url, path } = options;
    const context = await browser.newContext({
      colorScheme: options.theme ?? 'light',
      viewport: { width: options.width ?? 1_280, height: 900 },
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    });
    contexts.push(context);
    if (options.token !== undefined) {
      const response = await context.request.post(`${at}/console/session`, {
        data: { token: options.token },
      });
      if (!response.ok()) throw new Error(`signing in failed: ${await response.text()}`);
    }
    const { language } = options;
    if (language !== undefined) {
      const define = `Object.defineProperty(Navigator.prototype, 'language', { get: () => '${language}' })`;
      await context.addInitScript(define);
    }
    context.setDefaultTimeout(STEP_MS);
    const complaints: string[] = [];
    context.on('weberror', (error) => complaints.push(error.error().message));
    context.on('console', (message) => {
      const text = message.text();
      const isRefusal = /content.security.policy|refused to/i.test(text);
      if (isRefusal && !text.includes(FRAME_REFUSAL)) complaints.push(text);
    });
    context.on('request', (request) => {
      const isOwn = request.url().startsWith(`${at}/`) || /^(about|data|blob):/.test(request.url());
      if (!isOwn) complaints.push(`request to ${request.url()}`);
    });
    const page = await context.newPage();
    // Without the slash at the end, as people type it: the service redirects.
    await page.goto(`${at}/console${path === undefined ? (options.fragment ?? '') : `#${path}`}`);
    if (options.token !== undefined) await page.getByRole('searchbox', { name: /^Find a/ }).waitFor();
    return { page, context, complaints };
  }

  async function signIn({ page }: ConsolePage, token = adminToken): Promise<void> {
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('searchbox', { name: /^Find a/ }).waitFor();
  }

  /** Gives an environment an email and a webhook channel, an active template, and a token. */
  async function connect(environmentId: string): Promise<Omit<World, 'tenantId' | 'environmentId'>> {
    const endpoint = hooks.endpoint(`/${environmentId}`, status(200, {}, 'thanks'));
    const retry = { max_attempts: 1, delays_seconds: [] };
    const webhook = await admin.channels.create(environmentId, {
      kind: 'webhook',
      name: 'Receiver',
      retry,
      config: { url: endpoint },
    });
    const email = await admin.channels.create(environmentId, {
      kind: 'email',
      name: 'Mail',
      retry,
      config: {
        smtp: { host: '127.0.0.1', port: mail.port, secure: false },
        from: { email: 'shop@example.com' },
      },
    });
    await admin.templates.create(environmentId, {
      event_key: 'order.shipped',
      channel_kind: 'email',
      subject: 'Order {{ payload.order_id }}',
      html: HTML,
      activate: true,
    });
    const { token } = await admin.tokens.issue(environmentId, { name: 'backend' });
    return { token, mailChannelId: email.id, webhookChannelId: webhook.id };
  }

  return {
    url: () => url,
    admin: () => admin,
    db: () => db,
    mail: () => mail,
    hooks: () => hooks,
    open,
    signIn,
    /** Opens the console as an operator who has signed in. */
    operator: (options: OpenOptions = {}): Promise<ConsolePage> => open({ token: adminToken, ...options }),
    /** Opens the console by a new link of a new operator. */
    async operatorWith(
      rights: Omit<Parameters<PostriderAdmin['operators']['create']>[0], 'email' | 'name'>,
      options: OpenOptions = {},
    ): Promise<ConsolePage & { readonly id: string; readonly email: string }> {
      const email = `${rights.role}-${randomUUID().slice(0, 8)}@example.com`;
      const { id } = await admin.operators.create({ ...rights, email, name: rights.role });
      const { url_fragment } = await admin.consoleLinks.create({ operator_id: id });
      const opened = await open({ ...options, fragment: url_fragment });
      await opened.page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'attached' });
      return { ...opened, id, email };
    },
    connect,
    /** A tenant with an environment, an email and a webhook channel, an active template, and a token. */
    async world(name: string, environment = 'production'): Promise<World> {
      const { id: tenantId } = await admin.tenants.create({ name, plan: 'starter' });
      const { id: environmentId } = await admin.environments.create(tenantId, { name: environment });
      return { tenantId, environmentId, ...(await connect(environmentId)) };
    },
    /** Waits until the figures, which are a few seconds behind, count this many deliveries. */
    counted: (environmentId: string, { delivered, failed = 0 }: { delivered: number; failed?: number }) =>
      waitFor('the figures', async () => {
        const { totals } = await admin.environments.stats(environmentId, {});
        return totals.failed === failed && totals.delivered === delivered;
      }),
    /** Sends an event and waits until each of its deliveries is over. */
    async deliver(
      { environmentId, token }: Pick<World, 'environmentId' | 'token'>,
      event: Partial<Parameters<ReturnType<typeof createPostrider>['events']['send']>[0]> = {},
    ): Promise<string> {
      const { message_id } = await createPostrider({ baseUrl: url, token }).events.send({
        event_key: 'order.shipped',
        recipient: { email: 'ada@example.com', name: 'Ada' },
        payload: { order_id: 'A-1001' },
        ...event,
      });
      await waitFor('the deliveries of the message', async () => {
        const { status: now } = await admin.messages.of(environmentId).get(message_id);
        return now !== 'pending';
      });
      return message_id;
    },
  };
}

/** Goes to a screen by its address. */
export async function goTo({ page }: ConsolePage, path: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(path)}`);
}
