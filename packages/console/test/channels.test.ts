import { createPostrider } from '@postrider/client';
import { waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { axeViolations, goTo, setUpConsole, type World } from './support/console.ts';

const service = setUpConsole();

/** Sends an event and waits for nothing. */
const send = async (
  { token }: World,
  event: { payload?: Record<string, unknown>; schedule_at?: string; ordering_key?: string } = {},
) =>
  createPostrider({ baseUrl: service.url(), token }).events.send({
    event_key: 'order.shipped',
    recipient: { email: 'ada@example.com', name: 'Ada' },
    payload: { order_id: 'A-1001' },
    ...event,
  });

/** A bounce as a mail server pipes it (RFC 3464), of the mail of a run. */
const bounceOf = (runId: string) =>
  [
    'From: MAILER-DAEMON@mx.example.com',
    'To: shop@example.com',
    'Subject: Undelivered Mail Returned to Sender',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.com',
    '',
    'Final-Recipient: rfc822; ada@example.com',
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 no such mailbox',
    '',
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: <${runId}@example.com>`,
    'To: ada@example.com',
    '',
    '--b--',
    '',
  ].join('\r\n');

describe('the health of a channel', () => {
  it('is paused and resumed in a dialog that names the environment, while its messages show why they wait', async () => {
    const world = await service.world('Patience');
    const { environmentId, webhookChannelId } = world;
    const opened = await service.operator({ path: `/e/${environmentId}/channels/${webhookChannelId}` });
    const { page, complaints } = opened;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await dialog.getByText('Patience').waitFor();
    await dialog.getByText('production').waitFor();
    await dialog.getByRole('button', { name: 'Pause the channel' }).click();
    await page.getByText('Deliveries to this channel wait since').waitFor();
    await page.getByText('an operator paused it').waitFor();
    expect(await axeViolations(opened)).toEqual([]);

    const { message_id } = await send(world);
    await goTo(opened, `/e/${environmentId}/messages/${message_id}`);
    await page.getByText('Waiting: the channel is paused').waitFor();
    await goTo(opened, `/e/${environmentId}/overview`);
    await page.getByText('Receiver is paused').waitFor();

    await page.getByRole('link', { name: 'Open the channel' }).click();
    await page.getByRole('button', { name: 'Resume' }).first().click();
    await dialog.getByRole('button', { name: 'Resume the channel' }).click();
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    await goTo(opened, `/e/${environmentId}/messages/${message_id}`);
    await page.getByText('Attempt 1: succeeded · replied 200').waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('a dialog', () => {
  it('is gone when the address names another object', async () => {
    const [world, other] = [await service.world('Before'), await service.world('After')];
    const addressOf = ({ environmentId, webhookChannelId }: World) =>
      `/e/${environmentId}/channels/${webhookChannelId}`;
    const opened = await service.operator({ path: addressOf(world) });
    const { page } = opened;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await dialog.getByText('Before').waitFor();
    await goTo(opened, addressOf(other));
    await page.getByText('After').first().waitFor({ state: 'attached' });
    await dialog.waitFor({ state: 'detached' });
    await goTo(opened, addressOf(world));
    await page.getByText('Before').first().waitFor({ state: 'attached' });
    expect(await dialog.count()).toBe(0);
  }, 60_000);

  it('that was closed while its change was made does not close the next one', async () => {
    const { environmentId, webhookChannelId } = await service.world('Hasty');
    const { page } = await service.operator({ path: `/e/${environmentId}/channels/${webhookChannelId}` });
    const dialog = page.getByRole('dialog');
    let answer: () => void = () => undefined;
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/pause', async (route) => {
      await mayAnswer;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    const asked = page.waitForRequest('**/pause');
    await dialog.getByRole('button', { name: 'Pause the channel' }).click();
    await asked;
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete' }).first().click();
    await dialog.getByText('Hasty').waitFor();
    answer();
    await page.getByText('Deliveries to this channel wait since').waitFor({ state: 'attached' });
    await dialog.getByText('Hasty').waitFor();
  }, 60_000);
});

describe('the order of a channel', () => {
  it('is set in the settings and shown on the timeline, and blocked keys are listed, retried and skipped', async () => {
    const world = await service.world('Sequence');
    const { environmentId, webhookChannelId, mailChannelId } = world;
    await service.admin().channels.delete(mailChannelId);
    const opened = await service.operator({ path: `/e/${environmentId}/channels/${webhookChannelId}` });
    const { page, complaints } = opened;
    const dialog = page.getByRole('dialog');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByText('Advanced', { exact: true }).click();
    await page.getByLabel('Order of deliveries').selectOption('key');
    await page.getByLabel('When one has failed permanently').selectOption('block');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The settings are saved.').waitFor();
    await page.getByRole('tab', { name: 'Activity' }).click();
    await page.getByText('No ordering key is blocked.').waitFor();

    let answer = 500;
    service.hooks().endpoint(`/${environmentId}`, (response) => response.writeHead(answer).end());
    const first = await waitFor('an event with a sequence', async () => {
      const { message_id: id } = await send(world, { ordering_key: 'order A-1' });
      const { delivery_runs } = await service.admin().messages.of(environmentId).deliveries(id);
      return delivery_runs[0]?.sequence === 1 && id;
    });
    const { message_id: second } = await send(world, { ordering_key: 'order A-1' });
    await send(world, { ordering_key: 'order A-2' });
    await goTo(opened, `/e/${environmentId}/messages/${second}`);
    await page.getByText('Waiting: earlier events of its ordering key come first').waitFor();
    await page.getByText('sequence 2 of its key').waitFor();
    await page.getByRole('link', { name: 'See which keys are blocked' }).waitFor();
    expect(await axeViolations(opened)).toEqual([]);

    await waitFor('both keys to be blocked', async () => {
      const { blocked_keys: keys } = await service.admin().attention.get(environmentId);
      return keys === 2;
    });
    await goTo(opened, `/e/${environmentId}/overview`);
    await page.getByText('Receiver has blocked ordering keys').waitFor();
    await page.getByRole('link', { name: 'Show the keys' }).click();
    const keys = page.getByRole('region', { name: 'Blocked ordering keys', exact: true });
    await keys.getByRole('link', { name: 'webhook_http_error' }).first().waitFor();
    expect(await axeViolations(opened)).toEqual([]);
    answer = 200;
    await keys.getByRole('button', { name: 'Retry order A-1' }).click();
    await dialog.getByText('Sequence', { exact: true }).waitFor();
    await dialog.getByText('production').waitFor();
    await dialog.getByRole('button', { name: 'Retry the delivery' }).click();
    await page.getByText('The delivery is retried.').waitFor();
    await keys.getByRole('button', { name: 'Skip order A-2' }).click();
    await dialog.getByText('production').waitFor();
    await dialog.getByRole('button', { name: 'Skip the delivery' }).click();
    await page.getByText('No ordering key is blocked.').waitFor();
    await goTo(opened, `/e/${environmentId}/messages/${second}`);
    await page.getByText('Attempt 1: succeeded · replied 200').waitFor();
    await goTo(opened, `/e/${environmentId}/messages/${first}`);
    await page.getByText('Retried as replay 1').waitFor();
    await page.getByText('Attempt 1 of replay 1: succeeded · replied 200').waitFor();
    await page.getByText('Attempt 1: failed').waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('the filter of a channel', () => {
  it('is tried on recent messages, saved, and explained on the timeline', async () => {
    const world = await service.world('Filters');
    const { environmentId, webhookChannelId } = world;
    await service.deliver(world, { payload: { order_id: 'A-1', amount: 5 } });
    await service.deliver(world, { payload: { order_id: 'A-2', amount: 500 } });
    const opened = await service.operator({ path: `/e/${environmentId}/channels/${webhookChannelId}` });
    const { page, complaints } = opened;
    await page.getByRole('tab', { name: 'Filter' }).click();
    const editor = page.getByRole('textbox', { name: 'Filter' });
    const test = page.getByRole('button', { name: 'Test with recent messages' });
    await editor.fill('{"payload": {"amount": {"$gt');
    await test.click();
    await page.getByRole('alert').getByText('The filter is not JSON').waitFor();
    await editor.fill('{"payload": {"amount": {"$gte": 100}}}');
    await test.click();
    const result = page.getByRole('region', { name: 'What the filter would match' });
    await result.waitFor();
    await expect(result.locator('dd').allTextContents()).resolves.toEqual(['2', '1', '1', '0', '0']);
    await page.getByText('/payload/amount/$gte').waitFor();
    expect(await axeViolations(opened)).toEqual([]);
    await page.getByRole('button', { name: 'Save the filter' }).click();
    await page.getByText('The filter is saved.').waitFor();

    const { filter } = await service.admin().channels.get(webhookChannelId);
    expect(filter).toEqual({ payload: { amount: { $gte: 100 } } });
    const messageId = await waitFor('an event that is filtered', async () => {
      const { message_id, delivery_runs } = await send(world, { payload: { order_id: 'A-3', amount: 7 } });
      return delivery_runs.length === 1 && message_id;
    });
    await goTo(opened, `/e/${environmentId}/messages/${messageId}`);
    await page.getByText('Not sent: its filter does not match').waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('the timeline of a message', () => {
  it('shows a later bounce report, and why the next mail is not sent', async () => {
    const world = await service.world('Feedback');
    const { environmentId, mailChannelId } = world;
    const messageId = await service.deliver(world);
    const { delivery_runs } = await service.admin().messages.of(environmentId).get(messageId);
    const run = delivery_runs.find(({ channel }) => channel.kind === 'email');
    const opened = await service.operator({ path: `/e/${environmentId}/messages/${messageId}` });
    const { page, complaints } = opened;
    await page.getByText('Attempt 1: succeeded · replied 250').waitFor();

    await goTo(opened, `/e/${environmentId}/channels/${mailChannelId}`);
    await page.getByRole('button', { name: 'Feedback address' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create the address' }).click();
    const addresses = await dialog.getByLabel('Feedback addresses', { exact: true }).textContent();
    const address = addresses?.split('\n').find((each) => each.endsWith('/dsn')) ?? '';
    const report = await fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'message/rfc822' },
      body: bounceOf(run?.id ?? ''),
    });
    expect(report.status).toBeLessThan(300);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await goTo(opened, `/e/${environmentId}/messages/${messageId}`);
    await page.getByText('Reported as bounced').waitFor();
    await page.getByText('550 5.1.1 no such mailbox').waitFor();
    await page.getByText('the address is on the suppression list').last().waitFor();
    expect(await axeViolations(opened)).toEqual([]);

    const next = await service.deliver(world);
    await goTo(opened, `/e/${environmentId}/messages/${next}`);
    await page.getByText('Not sent: the recipient is on the suppression list').waitFor();

    await waitFor('the bounce to be counted', async () => {
      const { totals } = await service.admin().environments.stats(environmentId, { group_by: 'sender' });
      return totals.bounced === 1 && totals.delivered >= 1;
    });
    await goTo(opened, `/e/${environmentId}/channels/${mailChannelId}`);
    const sender = page.getByRole('row').filter({ hasText: '1 delivered' });
    await sender.getByText('bounced: 1 (100%), complaints: 0 (0%)').waitFor();
    expect(await axeViolations(opened)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('reschedules all deliveries of a message, and cancels it', async () => {
    const world = await service.world('Schedules');
    const { message_id } = await send(world, { schedule_at: new Date(Date.now() + 3_600_000).toISOString() });
    const opened = await service.operator({ path: `/e/${world.environmentId}/messages/${message_id}` });
    const { page } = opened;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Reschedule' }).click();
    await dialog.getByLabel('Send at').fill('2027-01-02T03:04');
    await dialog.getByRole('button', { name: 'Reschedule the deliveries' }).click();
    await page.getByText('2 deliveries are rescheduled.').waitFor();
    const { schedule_at } = await service.admin().messages.of(world.environmentId).get(message_id);
    expect(schedule_at).toBe('2027-01-02T02:04:00.000Z');
    await page.getByRole('button', { name: 'Cancel the message' }).click();
    await dialog.getByRole('button', { name: 'Cancel all scheduled deliveries' }).click();
    await page.getByText('2 deliveries are cancelled.').waitFor();
    await page.getByText('Cancelled before it was sent').nth(1).waitFor();
  });
});
