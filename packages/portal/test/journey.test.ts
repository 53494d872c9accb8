import { inTurn, status, waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { setUpPortal } from './support/portal.ts';

const portal = setUpPortal();

describe('a consumer in the portal', () => {
  it('adds an endpoint, sees why a delivery failed, and replays it', async () => {
    const world = await portal.world('acme');
    const answers = inTurn(status(500, {}, 'the shop is closed'), status(200, {}, 'thanks'));
    const address = portal.hooks().endpoint('/acme', answers);
    const { page, complaints } = await portal.openPage();
    await page.goto(await portal.link(world));
    await page.getByRole('heading', { name: 'You have no endpoint yet' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/');

    await page.getByRole('link', { name: 'Add an endpoint' }).click();
    await page.getByLabel('Address (URL)').fill('https://hooks.example.com/acme');
    await page.getByLabel('Name', { exact: true }).fill('My shop');
    await page.getByLabel('Only these:').check();
    await page.getByLabel('order.shipped').check();
    await page.getByRole('button', { name: 'Add the endpoint' }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('heading', { name: 'My shop' }).waitFor();
    await page.getByText(/whsec_/).waitFor({ state: 'detached' });

    // A consumer may enter public addresses only. An operator may name this machine.
    const channelId = new URL(page.url()).hash.split('/').at(-1) ?? '';
    const retry = { max_attempts: 1, delays_seconds: [] };
    await portal.call('PATCH', `/channels/${channelId}`, { config: { url: address }, retry });
    await portal.send(world);
    const unwanted = portal.send(world, { order_id: 'A-1002' }, 'order.cancelled');
    await expect(unwanted).rejects.toMatchObject({ details: [{ code: 'no_matching_channel' }] });
    await page.getByRole('link', { name: 'order.shipped' }).click();
    await page.getByText('Your server responded with an error.').waitFor();
    await page.getByText('the shop is closed').waitFor();
    await page.getByRole('button', { name: 'Show what was sent' }).click();
    await page.getByText('This is exactly what was sent.').waitFor();
    await page.getByText('"order_id": "A-1001"').waitFor();

    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByRole('button', { name: 'Replay', exact: true }).last().click();
    await page.getByText('This is a replay.').waitFor();
    await page.getByText('thanks').waitFor();
    expect(portal.hooks().received('/acme')).toHaveLength(2);
    expect(complaints).toEqual([]);
  });

  it('replays everything that failed since a moment, after it was counted', async () => {
    const world = await portal.world('bulk');
    const failures = [1, 2, 3].map(() => status(500));
    const address = portal.hooks().endpoint('/bulk', inTurn(...failures, status(200)));
    await portal.endpoint(world, 'Receiver', address, { retry: { max_attempts: 1, delays_seconds: [] } });
    for (const order_id of ['1', '2', '3']) await portal.send(world, { order_id });
    await waitFor('three requests', () => portal.hooks().received('/bulk').length === 3);
    const { page, complaints } = await portal.openPage();
    await page.goto(await portal.link(world));
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page.getByLabel('Status').selectOption('failed');
    await waitFor(
      'three failures',
      async () => (await page.getByRole('link', { name: 'order.shipped' }).count()) === 3,
    );
    await page.getByRole('link', { name: 'Replay failed deliveries' }).click();
    await page.getByRole('button', { name: 'Count them' }).click();
    await page.getByText('Events that match: 3.').waitFor();
    await page.getByRole('button', { name: 'Replay them' }).click();
    await page.getByText('Finished. Events that were sent again: 3.').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Count them');
    await waitFor('three more requests', () => portal.hooks().received('/bulk').length === 6);
    expect(complaints).toEqual([]);
  });

  it('tests, pauses, resumes, changes and deletes an endpoint, and rotates its secret', async () => {
    const world = await portal.world('hands');
    const address = portal.hooks().endpoint('/hands', status(204));
    const { id } = await portal.endpoint(world, 'Receiver', address);
    const { page, complaints } = await portal.openPage();
    await page.goto(await portal.link(world));
    await page.getByRole('link', { name: 'Receiver' }).click();

    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByLabel('Event type').selectOption('order.shipped');
    await page.getByRole('button', { name: 'Send the test' }).click();
    await page.getByRole('region', { name: 'Attempt 1' }).getByText('Delivered').waitFor();
    expect(JSON.parse(portal.hooks().received('/hands')[0]?.body ?? '').data.payload).toEqual({
      order_id: 'A-1001',
    });
    await page.goBack();

    await page.getByRole('button', { name: 'Pause' }).click();
    await page
      .getByRole('form', { name: 'Pause this endpoint?' })
      .getByRole('button', { name: 'Pause' })
      .click();
    await page.getByText('The endpoint is paused.').waitFor();
    await page.getByText('it was paused by hand').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page
      .getByRole('form', { name: 'Resume this endpoint?' })
      .getByRole('button', { name: 'Resume' })
      .click();
    await page.getByText('The endpoint is resumed.').waitFor();

    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    const ask = page.getByRole('form', { name: 'Create a new signing secret?' });
    await ask.getByLabel('The old secret stays valid for').selectOption('1 hour');
    await ask.getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText(/The old secret also signs until/).waitFor();

    await page.getByRole('link', { name: 'Change' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Renamed');
    await page.getByLabel('Only these:').check();
    await page.getByLabel('Other keys or patterns').fill('order.* invoice.paid');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The changes are saved.').waitFor();
    const channel = await portal.call<{ name: string; event_keys: string[]; config: object }>(
      'GET',
      `/channels/${id}`,
    );
    expect(channel).toMatchObject({
      name: 'Renamed',
      event_keys: ['order.*', 'invoice.paid'],
      config: { url: address },
    });

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('form', { name: 'Delete Renamed?' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The endpoint is deleted.').waitFor();
    await page.getByText('You have no endpoint yet').waitFor();
    expect(complaints).toEqual([]);
  });

  it('tries a filter and another form of the request on recent events, and saves them', async () => {
    const world = await portal.world('advanced');
    const { id } = await portal.endpoint(
      world,
      'Receiver',
      portal.hooks().endpoint('/advanced', status(200)),
    );
    for (const amount of [1, 200]) await portal.send(world, { order_id: 'A-1001', amount });
    const { page, complaints } = await portal.openPage();
    await page.goto(await portal.link(world));
    await page.getByRole('link', { name: 'Receiver' }).click();
    await page.getByRole('link', { name: 'Change' }).click();
    await page.getByText('Advanced', { exact: true }).click();
    await page.getByLabel('Filter (JSON)').fill('{"payload": {"amount": {"$gte": 100}');
    await page.getByText('This is not a JSON object.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Filter (JSON)').fill('{"payload": {"amount": {"$gte": 100}}}');
    await page.getByRole('button', { name: 'Try it on recent events' }).click();
    await page.getByText('Recent events tested: 2. This endpoint would receive: 1.').waitFor();
    await page.getByLabel('Form of the body').selectOption('CloudEvents (structured)');
    await page.getByLabel('Signature', { exact: true }).selectOption('GitHub (X-Hub-Signature-256)');
    await page.getByRole('button', { name: 'Preview the request' }).click();
    await page.getByText(/x-hub-signature-256: sha256=[0-9a-f]{64}/).waitFor();
    await page.getByText('"specversion": "1.0"').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The changes are saved.').waitFor();
    const read = () =>
      portal.call<{ filter: object; config: { template: object | null } }>('GET', `/channels/${id}`);
    expect(await read()).toMatchObject({
      filter: { payload: { amount: { $gte: 100 } } },
      config: { body: 'cloudevents-structured', template: null, signature: { type: 'github' } },
    });

    // A template is replaced, although a patch would keep what it does not name.
    const template = { text: 'order', nested: { a: 1, b: 2 } };
    await portal.call('PATCH', `/channels/${id}`, { config: { body: 'slack', template } });
    const again = (await portal.openPage()).page;
    await again.goto(await portal.link(world));
    await again.getByRole('link', { name: 'Receiver' }).click();
    await again.getByRole('link', { name: 'Change' }).click();
    await again.getByText('Advanced', { exact: true }).click();
    await again.getByLabel('Template (JSON)').fill('{"nested": {"b": 3}}');
    await again.getByLabel('Signature', { exact: true }).selectOption('Standard Webhooks');
    await again.getByRole('button', { name: 'Save' }).click();
    await again.getByText('The changes are saved.').waitFor();
    const { filter, config } = await read();
    expect(filter).toEqual({ payload: { amount: { $gte: 100 } } });
    expect(config).toMatchObject({ body: 'slack', signature: { type: 'standard' } });
    expect(config.template).toEqual({ nested: { b: 3 } });
    expect(complaints).toEqual([]);
  });

  it('sees how much of an endpoint succeeded, its last reply, and its usage of past months', async () => {
    const world = await portal.world('figures');
    const address = portal.hooks().endpoint('/figures', inTurn(status(500), status(200)));
    await portal.endpoint(world, 'Receiver', address, { retry: { max_attempts: 1, delays_seconds: [] } });
    await portal.send(world);
    await waitFor('the first request', () => portal.hooks().received('/figures').length === 1);
    await portal.send(world);
    const { page } = await portal.openPage();
    await page.goto(await portal.link(world));
    await page.getByRole('link', { name: 'Receiver' }).click();
    await page.getByText('50% of 2 attempts').waitFor();
    await page.getByRole('definition').getByRole('link', { name: 'Delivered' }).click();
    await page.getByRole('region', { name: 'Attempt 1' }).getByText('Delivered').waitFor();
    const now = new Date();
    const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1));
    await portal.addUsage(world, lastMonth, 321);
    const consumer = `/environments/${world.environmentId}/consumers/figures`;
    await portal.call('PUT', consumer, { name: 'Figures', limits: { channels: 4 } });
    const later = await portal.openPage();
    await later.page.goto(await portal.link(world, { ttl_seconds: 299 }));
    await later.page.getByRole('status').getByText('Your session ends on').waitFor();
    await later.page.getByRole('link', { name: 'Usage' }).click();
    const form = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
    const name = new Intl.DateTimeFormat('en-GB', form).format(lastMonth);
    await later.page.getByText(name).waitFor();
    await later.page.getByText('321', { exact: true }).waitFor();
    const meter = later.page.getByRole('meter', { name: 'Endpoints' });
    expect(await meter.getAttribute('aria-valuenow')).toBe('25');
  });

  it('cancels a scheduled delivery if the scopes of the session allow it', async () => {
    const world = await portal.world('cancel');
    await portal.endpoint(world, 'Receiver', portal.hooks().endpoint('/cancel', status(200)));
    const schedule_at = new Date(Date.now() + 86_400_000).toISOString();
    await portal.send(world, {}, 'order.cancelled', { schedule_at });
    const open = async (scopes: readonly string[]) => {
      const opened = await portal.openPage();
      await opened.page.goto(await portal.link(world, { scopes }));
      await opened.page.getByRole('link', { name: 'order.cancelled' }).click();
      await opened.page.getByRole('heading', { name: 'order.cancelled' }).waitFor();
      await opened.page.getByText('Scheduled', { exact: true }).waitFor();
      return opened.page;
    };
    const reader = await open(['messages:read']);
    expect(await reader.getByRole('button', { name: 'Cancel the delivery' }).count()).toBe(0);
    const page = await open(['messages:read', 'deliveries:cancel']);
    await page.getByRole('button', { name: 'Cancel the delivery' }).click();
    await page
      .getByRole('form', { name: 'Cancel this delivery?' })
      .getByRole('button', { name: 'Cancel the delivery' })
      .click();
    await page.getByText('The delivery is cancelled.').waitFor();
    await page.getByRole('definition').getByText('Cancelled').waitFor();
    await page.getByRole('button', { name: 'Cancel the delivery' }).waitFor({ state: 'detached' });
  });

  it('begins with the first section that the scopes allow', async () => {
    const world = await portal.world('events-only');
    const { page } = await portal.openPage();
    await page.goto(await portal.link(world, { scopes: ['event-types:read'] }));
    await page.getByRole('heading', { name: 'Event types' }).waitFor();
  });

  it('sees only what the scopes of the session allow', async () => {
    const world = await portal.world('reader');
    await portal.endpoint(world, 'Receiver', portal.hooks().endpoint('/reader', status(200)));
    const { page } = await portal.openPage();
    await page.goto(await portal.link(world, { scopes: ['channels:read'] }));
    await page.getByRole('link', { name: 'Receiver' }).click();
    await page.getByRole('heading', { name: 'Health' }).waitFor();
    expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toEqual([
      'Endpoints',
      'Verify signatures',
    ]);
    expect(await page.getByRole('button').allTextContents()).toEqual([expect.stringContaining('chn_')]);
  });
});
