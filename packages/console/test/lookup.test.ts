import { createPostrider, type PostriderAdmin } from '@postrider/client';
import { waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { axeViolations, type ConsolePage, setUpConsole } from './support/console.ts';

const service = setUpConsole();

/** What functions that run in the page use; the types of these tests are those of Node.js. */
interface BrowserGlobals {
  requestAnimationFrame: (callback: (time: number) => void) => unknown;
  readonly document: { readonly activeElement: unknown };
}

/** Searches by keyboard, and counts what the user does: a key for the box, the text, and Enter. */
async function search({ page }: ConsolePage, text: string): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

describe('the search of an operator', () => {
  it('finds why Ada did not get it by order id, its beginning, Message-ID, address and name of a channel', async () => {
    const world = await service.world('Orders');
    const { environmentId } = world;
    const admin = service.admin();
    await admin.eventTypes.put(environmentId, 'order.shipped', {
      description: null,
      payload_schema: null,
      search_keys: ['/order_id'],
    });
    const isFound = async (order_id: string) => {
      await service.deliver(world, { payload: { order_id } });
      return (await admin.lookup.find({ q: order_id })).results.length === 1;
    };
    // The event type takes effect within 5 s.
    let tries = 0;
    await waitFor('the business id', () => isFound(`T-${tries++}`), { pollMs: 500 });
    const mail = service.mail().mails.at(-1);
    service.mail().fail('rcpt', 550);
    const failed = await service.deliver(world, { payload: { order_id: 'ORD-7731' } });

    const opened = await service.operator({ path: `/e/${environmentId}/overview` });
    const { page, complaints } = opened;
    const explanation = page.getByText('Ada did not get the email: the mail server refused the email.');
    for (const text of ['ORD-7731', 'ORD-77', failed.slice(-8)]) {
      await search(opened, text);
      // The only result is opened.
      await page.waitForURL((url) => url.hash.includes(failed));
      await explanation.waitFor();
      await page.goBack();
      await explanation.waitFor({ state: 'hidden' });
    }
    await search(opened, mail?.messageId ?? '');
    await page.getByText('Receiver got the event.').waitFor();

    await search(opened, 'ada@example.com');
    await page.getByText(/^1 of \d+ messages to this address failed\.$/).waitFor();
    const row = page.getByRole('row').filter({ hasText: 'Partly delivered' });
    expect(await axeViolations(opened)).toEqual([]);
    await row.getByRole('link').click();
    await explanation.waitFor();

    await search(opened, 'Receiver');
    await page.getByRole('link', { name: 'Receiver' }).first().click();
    await page.waitForURL((url) => url.hash.includes('/channels/'));

    await page.keyboard.press('Control+k');
    await page.keyboard.type('ORD-7731');
    await page.getByRole('option', { name: 'Search for “ORD-7731”' }).click();
    await explanation.waitFor();
    expect(complaints).toEqual([]);
  }, 180_000);
});

describe('the palette', () => {
  it('gets the keys that are typed before the browser draws it, and gives the focus back', async () => {
    const { environmentId } = await service.world('Palette');
    const { page } = await service.operator({ path: `/e/${environmentId}/overview` });
    const link = page.getByRole('navigation').getByRole('link', { name: 'Messages' });
    await link.focus();
    await page.evaluate(() => {
      const browser = globalThis as unknown as BrowserGlobals;
      browser.requestAnimationFrame = (callback) => setTimeout(callback, 1_000, 0);
    });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ORD-7731');
    await page.getByRole('option', { name: 'Search for “ORD-7731”' }).waitFor({ timeout: 10_000 });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await waitFor('the focus', () =>
      link.evaluate((each) => each === (globalThis as unknown as BrowserGlobals).document.activeElement),
    );
  });

  it('and the search box keep the focus while the screen that was asked for before still loads', async () => {
    const { environmentId } = await service.world('Slow');
    const { page } = await service.operator({ path: `/e/${environmentId}/overview` });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    for (const [screen, heading, field] of [
      ['t', 'Templates', 'Control+k'],
      ['m', 'Messages', '/'],
    ] as const) {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/*.js', (route) => held.then(() => route.continue()));
      await page.keyboard.press('g');
      await page.keyboard.press(screen);
      await page.waitForURL((url) => url.hash.endsWith(heading.toLowerCase()));
      await page.keyboard.press(field);
      await page.keyboard.type('ORD-');
      release();
      await page.getByRole('heading', { name: heading, includeHidden: true }).waitFor();
      await page.keyboard.type('7731');
      expect(await page.evaluate('document.activeElement.value')).toBe('ORD-7731');
      await page.keyboard.press('Escape');
      await page.unroute('**/*.js');
    }
  });
});

describe('the search of an integrator', () => {
  it('is the same, within their environment and what their scopes allow', async () => {
    const [own, other] = [await service.world('Own'), await service.world('Other')];
    const message = await service.deliver(own);
    await service.deliver(own);
    const foreign = await service.deliver(other);
    const issue = async (
      ...scopes: NonNullable<Parameters<PostriderAdmin['tokens']['issue']>[1]['scopes']>
    ) => (await service.admin().tokens.issue(own.environmentId, { name: 'support', scopes })).token;
    const token = await issue('messages:read', 'messages:content', 'channels:read', 'usage:read');
    const opened = await service.open({ token });
    const { page, complaints } = opened;
    await search(opened, message);
    await page.getByText('Receiver got the event.').waitFor();
    await search(opened, 'ada@example.com');
    await page.getByText('0 of 2 messages to this address failed.').waitFor();
    await search(opened, 'Receiver');
    await page.getByRole('row').filter({ hasText: 'channel (webhook)' }).getByText('Receiver').waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'Receiver' }).count()).toBe(1);
    expect(await page.getByRole('table').getByRole('link').count()).toBe(0);
    expect(await axeViolations(opened)).toEqual([]);
    await search(opened, foreign);
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();

    const reader = await service.open({ token: await issue('messages:read') });
    await search(reader, 'Receiver');
    await reader.page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    expect(complaints).toEqual([]);
  }, 180_000);
});

describe('many results', () => {
  it('lead to all messages of the address, and to all consumers with the name', async () => {
    const world = await service.world('Many');
    const { environmentId } = world;
    const admin = service.admin();
    await admin.channels.delete(world.mailChannelId);
    const client = createPostrider({ baseUrl: service.url(), token: world.token });
    const recipient = { email: 'many@example.com' };
    const event = { event_key: 'order.shipped', recipient, payload: {} };
    await client.events.sendBatch(Array.from({ length: 51 }, () => ({ event })));
    for (let index = 0; index < 11; index += 1)
      await admin.consumers.put(environmentId, `many_${index}`, { name: `Manyfold ${index}` });
    const opened = await service.operator({ path: `/e/${environmentId}/overview` });
    const { page, complaints } = opened;
    await search(opened, 'many@example.com');
    await page.getByText(/messages to this address failed/).waitFor();
    await page.getByRole('link', { name: 'All messages to many@example.com in production' }).click();
    await page.getByRole('button', { name: /Remove the filter “Recipient: many@example.com”/ }).waitFor();
    await search(opened, 'Manyfold');
    await page.getByRole('link', { name: 'All such consumers in production' }).click();
    await page.getByRole('link', { name: 'Manyfold 10' }).waitFor();
    expect(complaints).toEqual([]);
  }, 180_000);
});
