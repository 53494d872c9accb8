import { waitFor } from '@postrider/rig';
import { createLatch, describe, expect, it } from '@postrider/testing';
import type { Route } from 'playwright-core';
import { axeViolations, setUpConsole } from './support/console.ts';

const service = setUpConsole();

describe('the page of a channel', () => {
  it('draws no chart before the first attempt', async () => {
    const { environmentId, webhookChannelId } = await service.world('Quiet');
    const { page } = await service.operator({ path: `/e/${environmentId}/channels/${webhookChannelId}` });
    await page.getByText('No attempt in the last 24 hours.').waitFor();
    expect(await page.locator('.chart').count()).toBe(0);
  });

  it('says in words that it fails, recovers what failed after a count, and the list has the same state', async () => {
    const world = await service.world('Recovery');
    const { environmentId, webhookChannelId, mailChannelId } = world;
    const admin = service.admin();
    await admin.channels.delete(mailChannelId);
    await admin.channels.update(webhookChannelId, { failure_policy: { min_attempts: 1, warn_after: 60 } });
    let answer = 503;
    service
      .hooks()
      .endpoint(`/${environmentId}`, (response) =>
        response.writeHead(answer).end(answer === 200 ? 'thanks' : 'maintenance'),
      );
    for (const order_id of ['A-1', 'A-2', 'A-3']) await service.deliver(world, { payload: { order_id } });
    await waitFor('the state', async () => {
      const { state } = await admin.channels.get(webhookChannelId);
      return state.last_reply?.status_code === 503;
    });
    const opened = await service.operator({ path: `/e/${environmentId}/channels` });
    const { page, complaints } = opened;
    await page.getByRole('row').filter({ hasText: 'Receiver' }).getByText(/503/).waitFor();
    expect(await axeViolations(opened)).toEqual([]);
    await page.getByRole('link', { name: 'Receiver' }).click();
    await page.getByText('Last reply').waitFor();
    const attempts = page.getByRole('region', { name: 'Attempts', exact: true });
    await attempts.getByText('maintenance').nth(2).waitFor();
    expect(await axeViolations(opened)).toEqual([]);

    answer = 200;
    await page.getByRole('button', { name: 'Recover', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Recovery').waitFor();
    await dialog.getByText('3 messages have a delivery that failed here.').waitFor();
    expect(await axeViolations(opened)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send 3 again' }).click();
    await dialog.getByText('The failed deliveries are sent again.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await waitFor('the replays', async () => {
      const { state } = await admin.channels.get(webhookChannelId);
      return state.last_reply?.status_code === 200;
    });
    // It reads the state again by itself.
    await page.getByText('Last reply').waitFor({ state: 'detached' });
    await attempts.getByText('replay', { exact: true }).nth(2).waitFor();
    await page.getByRole('button', { name: 'Failed', exact: true }).click();
    await attempts.getByText('replay', { exact: true }).first().waitFor({ state: 'detached' });
    await attempts.getByText('maintenance').nth(2).waitFor();

    await page.getByRole('tab', { name: 'Signature' }).click();
    await page
      .getByLabel('Last request', { exact: true })
      .getByText(/webhook-id: run_.*webhook-signature: v1,/s)
      .waitFor();
    await page.getByLabel('Language').selectOption('Ruby');
    await page.getByLabel('Code for Ruby', { exact: true }).getByText('OpenSSL').waitFor();
    expect(await axeViolations(opened)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('shows the next page that was asked for, although a delivery ends while it is read', async () => {
    const world = await service.world('Pages');
    const { environmentId, webhookChannelId } = world;
    await service.admin().channels.delete(world.mailChannelId);
    await service.deliver(world);
    const opened = await service.operator({ path: `/e/${environmentId}/channels/${webhookChannelId}` });
    const { page, context, complaints } = opened;
    const attempts = page.getByRole('region', { name: 'Attempts', exact: true });
    const { opened: isHeld, open: release } = createLatch();
    // Each page ends after its first row and seems to have another one.
    const answer = async (route: Route) => {
      const url = new URL(route.request().url());
      const isNext = url.searchParams.has('cursor');
      url.searchParams.delete('cursor');
      if (isNext) await isHeld;
      const response = await route.fetch({ url: url.href });
      const { data, ...rest } = (await response.json()) as { data: { id: string; event_key: string }[] };
      const [first] = data;
      const rows = first ? [{ ...first, ...(isNext && { id: 'att_next', event_key: 'order.older' }) }] : [];
      await route.fulfill({ response, json: { ...rest, data: rows, next_cursor: isNext ? null : 'next' } });
    };
    // The page may have cancelled the request, or have been closed.
    await context.route(/attempts\?/, (route) => answer(route).catch(() => undefined));
    await page.reload();
    await attempts.getByText('order.shipped').waitFor();
    const asked = page.waitForRequest(/attempts\?.*cursor=/);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await asked;
    const read = page.waitForRequest(new RegExp(`/channels/${webhookChannelId}$`));
    await service.deliver(world);
    await read;
    release();
    await attempts.getByText('order.older').waitFor();
    expect(complaints).toEqual([]);
  });

  it('looks further back by itself for an attempt with an outcome, and says how far', async () => {
    const world = await service.world('Rare');
    const { environmentId, webhookChannelId } = world;
    await service.admin().channels.delete(world.mailChannelId);
    service.hooks().endpoint(`/${environmentId}`, (response, count) => {
      response.writeHead(count === 1 ? 503 : 200).end('rare');
    });
    await service.deliver(world);
    // More deliveries than a page examines, all of them newer and without such an attempt.
    await service.db().$executeRaw`
      WITH first AS (
        SELECT * FROM delivery_runs ORDER BY created_at DESC LIMIT 1
      ), made AS (
        INSERT INTO messages (environment_id, id, event_key, recipient, payload, trace_id, created_at)
        SELECT environment_id, ('ffffffff' || substr(gen_random_uuid()::text, 9))::uuid, 'order.shipped', '{}', '{}', repeat('0', 32), now()
          FROM first, generate_series(1, 12000) RETURNING id
      )
      INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, status, max_attempts, attempt_count, due_at,
                                 created_at, completed_at)
      SELECT gen_random_uuid(), environment_id, made.id, channel_id, 'webhook', 'cancelled', 1, 0, now(), now(), now() FROM first, made`;
    const opened = await service.operator({ path: `/e/${environmentId}/channels/${webhookChannelId}` });
    const { page, context, complaints } = opened;
    const attempts = page.getByRole('region', { name: 'Attempts', exact: true });
    const { opened: isHeld, open: release } = createLatch();
    await context.route(/attempts.*cursor=/, async (route) => {
      await isHeld;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Failed', exact: true }).click();
    await attempts.getByText('It looks further back until something is found. Searched back to').waitFor();
    expect(await axeViolations(opened)).toEqual([]);
    release();
    await attempts.getByText('rare').waitFor();
    expect(complaints).toEqual([]);
  });
});
