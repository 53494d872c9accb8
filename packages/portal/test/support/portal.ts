import { createServer } from 'node:http';
import { createPostrider, createPostriderAdmin, type PostriderAdmin } from '@postrider/client';
import { createTestDatabase, type TestDatabase } from '@postrider/db/testing';
import { createCleanup } from '@postrider/local-stack';
import { listenOnLoopback, type Receiver, startReceiver } from '@postrider/rig';
import { afterAll, afterEach, beforeAll } from '@postrider/testing';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { startServiceHere } from '../../../../apps/api/test/support/service.ts';
import { launchBrowser } from '../../../console/test/support/browser.ts';

/** Longer than any step takes on a busy machine. */
const STEP_MS = 60_000;
/** Makes the browser block cookies of other sites in frames, as its users can: Chrome DevTools Protocol. */
const WITHOUT_THIRD_PARTY_COOKIES = {
  enableThirdPartyCookieRestriction: true,
  disableThirdPartyCookieMetadata: true,
  disableThirdPartyCookieHeuristics: true,
};

/** A consumer of an environment. */
export interface World {
  readonly environmentId: string;
  readonly consumer: string;
  /** A token of the environment. */
  readonly token: string;
}

/** A page with the portal, and what its browser complained of. */
export interface PortalPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Violations of the content security policy, and errors that no one caught. */
  readonly complaints: string[];
}

interface OpenOptions {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  /** Replaces the language of the browser. */
  readonly locale?: string;
}

interface SessionOptions {
  readonly scopes?: readonly string[];
  readonly theme?: object;
  readonly locale?: string;
  readonly return_url?: string;
  readonly ttl_seconds?: number;
}

/** One service, one browser and one receiver for the tests of a file. */
export function setUpPortal() {
  const cleanup = createCleanup();
  let url = '';
  let adminToken = '';
  let database: TestDatabase;
  let admin: PostriderAdmin;
  let browser: Browser;
  let hooks: Receiver;
  let contexts: BrowserContext[] = [];

  beforeAll(async () => {
    database = cleanup.keep(await createTestDatabase(), (each) => each.drop());
    const [service, startedBrowser, receiver] = await Promise.all([
      startServiceHere({ database, worker: true }),
      launchBrowser(),
      startReceiver(),
    ]);
    cleanup.add(service.stop);
    cleanup.add(() => startedBrowser.close());
    cleanup.add(() => receiver.close());
    [url, adminToken, browser, hooks] = [service.url, service.adminToken, startedBrowser, receiver];
    admin = createPostriderAdmin({ baseUrl: url, adminToken });
    await admin.plans.create({ code: 'starter', name: 'Starter', events_per_month: 10_000 });
  });
  afterEach(async () => {
    const opened = contexts;
    contexts = [];
    await Promise.all(opened.map((context) => context.close()));
  });
  afterAll(() => cleanup.run());

  /** Calls the management API, also where the client has no function yet. */
  async function call<Data>(method: string, path: string, body?: unknown): Promise<Data> {
    const response = await fetch(`${url}/admin/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer}`);
    return JSON.parse(answer) as Data;
  }

  /** A page that tells what its browser complains of. */
  async function openPage(options: OpenOptions = {}): Promise<PortalPage> {
    const context = await browser.newContext({
      colorScheme: options.theme ?? 'light',
      viewport: { width: options.width ?? 1_280, height: 900 },
      locale: options.locale ?? 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    });
    contexts.push(context);
    context.setDefaultTimeout(STEP_MS);
    const complaints: string[] = [];
    context.on('weberror', (error) => complaints.push(error.error().message));
    context.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
    context.on('console', (message) => {
      if (/content.security.policy|refused to/i.test(message.text())) complaints.push(message.text());
    });
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send('Network.enable');
    // playwright-core has no type for this method yet.
    await devTools.send(
      'Network.setCookieControls' as 'Network.enable',
      WITHOUT_THIRD_PARTY_COOKIES as never,
    );
    return { page, context, complaints };
  }

  return {
    url: () => url,
    admin: () => admin,
    hooks: () => hooks,
    call,
    /** Gives the consumer an endpoint that may be on this machine: an operator gives its address. */
    endpoint({ environmentId, consumer }: World, name: string, address: string, further: object = {}) {
      const path = `/environments/${environmentId}/consumers/${consumer}/channels`;
      const body = { kind: 'webhook', name, config: { url: address }, ...further };
      return call<{ id: string; secret: string }>('POST', path, body);
    },
    openPage,
    /** A tenant with an environment that has event types, one consumer, and a token. */
    async world(consumer: string, portal?: { readonly origins: readonly string[] }): Promise<World> {
      const { id: tenantId } = await admin.tenants.create({ name: `Shop of ${consumer}`, plan: 'starter' });
      const { id: environmentId } = await admin.environments.create(tenantId, { name: 'production' });
      if (portal) await call('PATCH', `/environments/${environmentId}`, { portal });
      await admin.eventTypes.put(environmentId, 'order.shipped', {
        description: 'An order has left the warehouse.',
        payload_schema: {
          type: 'object',
          required: ['order_id'],
          properties: { order_id: { type: 'string', examples: ['A-1001'] } },
        },
      });
      await admin.eventTypes.put(environmentId, 'order.cancelled', {
        description: 'An order was cancelled.',
      });
      await call('PUT', `/environments/${environmentId}/consumers/${consumer}`, { name: `${consumer} Ltd` });
      const { token } = await admin.tokens.issue(environmentId, { name: 'backend' });
      return { environmentId, consumer, token };
    },
    /** The URL of a new session, which works once. */
    async link({ environmentId, consumer }: World, options: SessionOptions = {}): Promise<string> {
      const path = `/environments/${environmentId}/consumers/${consumer}/portal-sessions`;
      return (await call<{ url: string }>('POST', path, options)).url;
    },
    /** Lets the consumer have existed, and used something, in a month that begins at `at`. */
    async addUsage({ consumer }: World, at: Date, events: number): Promise<void> {
      const of = await database.db.consumer.findFirstOrThrow({ where: { id: consumer } });
      const { environmentId, id } = of;
      await database.db.consumer.updateMany({ where: { environmentId, id }, data: { createdAt: at } });
      await database.db.consumerUsage.create({
        data: { environmentId, consumerId: id, periodStart: at, consumerEvents: events },
      });
    },
    /** Sends an event to the consumer, and waits for nothing. */
    send(
      { token, consumer }: World,
      payload: Record<string, unknown> = { order_id: 'A-1001' },
      key = 'order.shipped',
      further: object = {},
    ) {
      return createPostrider({ baseUrl: url, token }).events.send({
        event_key: key,
        consumer,
        recipient: { email: 'ada@example.com' },
        payload,
        ...further,
      } as never);
    },
    /**
     * A page of another site, at `http://localhost:<port>`, that shows a URL in a frame as high as the portal tells. `script` is
     * the body of a module that it loads, `html` the whole page, `headers` are sent with it.
     */
    async host({
      script = HOST_SCRIPT,
      html = HOST_PAGE,
      headers = {},
    }: {
      script?: string;
      html?: string;
      headers?: Readonly<Record<string, string>>;
    } = {}): Promise<{ readonly origin: string; readonly at: (frameUrl: string) => string }> {
      const server = createServer((request, response) => {
        if (request.url === '/host.js') {
          response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script);
          return;
        }
        response.writeHead(200, { ...headers, 'Content-Type': 'text/html; charset=utf-8' }).end(html);
      });
      const { port, close } = await listenOnLoopback(server);
      cleanup.add(close);
      const origin = `http://localhost:${port}`;
      return { origin, at: (frameUrl) => `${origin}/#${encodeURIComponent(frameUrl)}` };
    },
  };
}

const HOST_PAGE =
  '<!doctype html><html lang="en"><title>Shop</title><div id="root"></div><script type="module" src="/host.js"></script>';

/** What a product writes without React: the frame, and its messages in `window.messages`. */
const HOST_SCRIPT = `
window.messages = [];
const frame = document.createElement('iframe');
frame.title = 'Webhooks';
frame.style = 'width: 100%; border: 0';
addEventListener('message', ({ source, origin, data }) => {
  if (source !== frame.contentWindow) return;
  window.messages.push({ origin, ...data });
  if (data.type === 'postrider:height') frame.style.height = data.height + 'px';
});
frame.src = decodeURIComponent(location.hash.slice(1));
document.getElementById('root').append(frame);
`;

/** The frame of the portal within a page of another site. */
export async function frameOf({ page }: PortalPage): Promise<Frame> {
  const handle = await page.waitForSelector('iframe');
  const frame = await handle.contentFrame();
  if (!frame) throw new Error('the page has no frame');
  return frame;
}
