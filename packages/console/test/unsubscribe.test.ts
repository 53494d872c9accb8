import { createPostrider } from '@postrider/client';
import { waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { axeViolations, type ConsolePage, setUpConsole, type World } from './support/console.ts';

const service = setUpConsole();

/** A world whose orders are a stream, and a function that reads its suppressions. */
async function aStream(name: string) {
  const world = await service.world(name);
  const { environmentId } = world;
  await service.admin().eventTypes.put(environmentId, 'order.shipped', { stream: 'newsletter' });
  const suppressions = async () => (await service.admin().suppressions.of(environmentId).page()).data;
  return { world, environmentId, suppressions };
}

/** Sends an email and returns the link of the header, as a mail program finds it. */
async function linkSentTo(world: World, recipient: { email: string; locale?: string }): Promise<string> {
  await service.deliver(world, { recipient: { name: 'Ada', ...recipient } });
  const received = await waitFor('the email', async () =>
    service.mail().mails.findLast(({ to }) => to.includes(recipient.email)),
  );
  const list = received.headers.get('list') as Record<string, { url?: string; name?: string }>;
  expect(list['unsubscribe-post']?.name).toBe('List-Unsubscribe=One-Click');
  return list.unsubscribe?.url ?? '';
}

const oneClick = (link: string) =>
  fetch(link, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
    redirect: 'error',
  });

/** The code of the error that the email of a message ended with. */
async function emailOf(world: World, email: string, event_key = 'order.shipped'): Promise<string | null> {
  const id = await service.deliver(world, { recipient: { email, name: 'Ada' }, event_key });
  const { delivery_runs } = await createPostrider({
    baseUrl: service.url(),
    token: world.token,
  }).messages.deliveries(id);
  const run = delivery_runs.find(({ channel }) => channel.kind === 'email');
  if (!run) throw new Error('there is no email');
  return run.last_error?.code ?? null;
}

describe('a mail program’s one click', () => {
  it('unsubscribes from the stream alone, and again changes nothing', async () => {
    const { world, suppressions } = await aStream('One click');
    const email = 'click@example.com';
    const link = await linkSentTo(world, { email });
    for (const _ of [1, 2]) expect((await oneClick(link)).status).toBe(200);
    expect(await suppressions()).toMatchObject([{ email, scope: 'newsletter', source: 'unsubscribe' }]);
    expect(await emailOf(world, email)).toBe('recipient_suppressed');
    expect(await emailOf(world, 'other@example.com')).toBeNull();
    await service.admin().eventTypes.put(world.environmentId, 'order.shipped', { stream: null });
    await waitFor('transactional email', async () => (await emailOf(world, email)) === null);
  });

  it('may be sent as multipart, as some programs do', async () => {
    const { world, suppressions } = await aStream('Multipart');
    const link = await linkSentTo(world, { email: 'multipart@example.com' });
    const body = new FormData();
    body.set('List-Unsubscribe', 'One-Click');
    expect((await fetch(link, { method: 'POST', body })).status).toBe(200);
    expect(await suppressions()).toMatchObject([{ scope: 'newsletter' }]);
  });

  it('works when the message was erased, without bringing the address back', async () => {
    const { world, environmentId, suppressions } = await aStream('Erased');
    const email = 'erased@example.com';
    const link = await linkSentTo(world, { email });
    const { id } = await service.admin().erasures.create(environmentId, { email });
    await waitFor('the message to be erased', async () => {
      const { messages_erased } = await service.admin().erasures.get(id);
      return messages_erased > 0;
    });
    expect((await oneClick(link)).status).toBe(200);
    expect(await suppressions()).toMatchObject([{ email: null, scope: 'newsletter', source: 'unsubscribe' }]);
    expect(await emailOf(world, email)).toBe('recipient_suppressed');
  });

  it('is refused with a forged link or too large a body', async () => {
    const { world, suppressions } = await aStream('Refused');
    const link = await linkSentTo(world, { email: 'refused@example.com' });
    const wrong = await oneClick(`${link.slice(0, -4)}AAAA`);
    expect(wrong.status).toBe(404);
    expect(wrong.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await wrong.text()).toContain('This link does not work');
    expect((await fetch(link, { method: 'POST', body: 'x'.repeat(100_000) })).status).toBe(413);
    expect((await fetch(link, { method: 'PUT' })).status).toBe(405);
    expect(await suppressions()).toEqual([]);
  });
});

describe('a mail scanner', () => {
  it('changes nothing, however often it opens the link', async () => {
    const { world, suppressions } = await aStream('Scanner');
    const email = 'scanned@example.com';
    const link = await linkSentTo(world, { email });
    expect((await fetch(link, { method: 'OPTIONS' })).status).toBe(204);
    for (const method of ['GET', 'HEAD', 'GET']) {
      const response = await fetch(link, { method });
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    expect(await suppressions()).toEqual([]);
    expect(await emailOf(world, email)).toBeNull();
  });
});

describe('the page of a link in a browser', () => {
  /** The page as a recipient opens it; the browser itself is British. */
  async function openLink(link: string): Promise<ConsolePage> {
    const opened = await service.open();
    await opened.page.goto(link);
    return opened;
  }

  it('asks in the recipient’s language, unsubscribes and lets them undo, without scripts', async () => {
    const { world, suppressions } = await aStream('Browser');
    const link = await linkSentTo(world, { email: 'leser@example.com', locale: 'de-AT' });
    const opened = await openLink(link);
    const { page, complaints } = opened;
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    const main = page.getByRole('main');
    expect(await main.textContent()).toContain('Liste „newsletter“ von shop@example.com');
    expect(await page.locator('script').count()).toBe(0);
    expect(await axeViolations(opened)).toEqual([]);
    expect(await suppressions()).toEqual([]);

    await page.getByRole('button', { name: 'Abmelden' }).click();
    await page.getByRole('status').waitFor();
    expect(await page.getByRole('status').textContent()).toContain('Sie erhalten keine E-Mails');
    expect(await suppressions()).toMatchObject([{ scope: 'newsletter', source: 'unsubscribe' }]);
    await page.getByRole('button', { name: 'Wieder anmelden' }).click();
    await page.getByRole('button', { name: 'Abmelden' }).waitFor();
    expect(await suppressions()).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('lets a recipient subscribe again a few times at once, and unsubscribe always', async () => {
    const { world, suppressions } = await aStream('Undecided');
    const link = await linkSentTo(world, { email: 'undecided@example.com' });
    const undo = () => fetch(link, { method: 'POST', body: new URLSearchParams({ action: 'resubscribe' }) });
    const statuses: number[] = [];
    for (let nth = 0; nth < 6; nth += 1) {
      expect((await oneClick(link)).status).toBe(200);
      statuses.push((await undo()).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect(Number((await undo()).headers.get('retry-after'))).toBeGreaterThan(60);
    expect(await suppressions()).toMatchObject([{ source: 'unsubscribe' }]);
  });

  it('is in the browser’s language where the recipient has none, and from right to left in Arabic', async () => {
    const { world } = await aStream('Languages');
    const english = await openLink(await linkSentTo(world, { email: 'reader@example.com' }));
    await english.page.getByRole('button', { name: 'Unsubscribe' }).waitFor();
    const arabic = await openLink(await linkSentTo(world, { email: 'qari@example.com', locale: 'ar' }));
    expect(await arabic.page.locator('html').getAttribute('dir')).toBe('rtl');
    expect(await axeViolations(arabic)).toEqual([]);
    expect(arabic.complaints).toEqual([]);
  });

  it('shows names as text, even if they look like markup', async () => {
    const { world, environmentId } = await aStream('<img src=x onerror=alert(1)>');
    await service.admin().channels.update(world.mailChannelId, {
      config: { from: { email: 'shop@example.com', name: '<b>Shop</b> & Söhne' } },
    });
    expect(environmentId).toMatch(/^env_/);
    const { page, complaints } = await openLink(await linkSentTo(world, { email: 'text@example.com' }));
    expect(await page.getByRole('main').textContent()).toContain('<b>Shop</b> & Söhne');
    expect(complaints).toEqual([]);
  });

  it('does not offer to undo a suppression by an operator', async () => {
    const { world, environmentId, suppressions } = await aStream('Operator');
    const email = 'operator@example.com';
    const link = await linkSentTo(world, { email });
    await service.admin().suppressions.create(environmentId, { email, scope: 'newsletter' });
    const { page } = await openLink(link);
    await page.getByRole('heading', { name: 'Unsubscribe' }).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    const undo = { method: 'POST', body: new URLSearchParams({ action: 'resubscribe' }) };
    expect((await fetch(link, undo)).status).toBe(200);
    expect(await suppressions()).toMatchObject([{ source: 'manual' }]);
  });
});
