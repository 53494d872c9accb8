import { createPostrider } from '@postrider/client';
import { status, waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import type { Page } from 'playwright-core';
import { setUpConsole } from './support/console.ts';

const service = setUpConsole();

/** Waits until the text of the element with the focus matches. */
const atFocus = (page: Page, text: RegExp) =>
  waitFor(`the focus on ${text}`, async () =>
    text.test(await page.evaluate<string>('document.activeElement.textContent.trim()')),
  );

describe('the console of an operator', () => {
  it('leads a support case from an address to the mail server’s reply, to a replay, and to the sent content', async () => {
    const world = await service.world('Acme');
    service.mail().fail('rcpt', 550);
    const messageId = await service.deliver(world);
    const opened = await service.operator();
    const { page, complaints } = opened;

    await page.keyboard.press('/');
    await page.keyboard.type('ada@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'order.shipped to ada@example.com' }).click();
    await page.getByText('smtp_permanent_rejection').waitFor();
    const reply = page.getByLabel('Reply to attempt 1').filter({ hasText: '550' });
    await reply.waitFor();
    await page.getByText('The error is final').waitFor();
    expect(page.url()).toContain(messageId);

    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Acme').waitFor();
    await dialog.getByText('production').waitFor();
    await expect(dialog.getByLabel(/Mail/).isChecked()).resolves.toBe(true);
    await expect(dialog.getByLabel(/Receiver/).isChecked()).resolves.toBe(false);
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByText('Attempt 1 of replay 1: succeeded · replied 250').waitFor();
    await waitFor('the mail', () => service.mail().mails.length === 1);

    const sent = page.locator('.event', { hasText: 'replied 250' });
    await sent.getByRole('button', { name: 'What was sent' }).click();
    await page.getByText('Verified: exactly what was sent').waitFor();
    await page.frameLocator('iframe').getByText('Hello Ada, order A-1001 is on its way.').waitFor();
    await page.getByRole('tab', { name: 'Source' }).click();
    await page.getByLabel('Source').getByText('Subject: Order A-1001').waitFor();
    expect(complaints).toEqual([]);
  });

  it('cancels a scheduled delivery during its countdown, and reports when it was too late', async () => {
    const world = await service.world('Bolt');
    const client = createPostrider({ baseUrl: service.url(), token: world.token });
    const { message_id } = await client.events.send({
      event_key: 'order.shipped',
      recipient: { email: 'bob@example.com' },
      payload: { order_id: 'B-1' },
      schedule_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const opened = await service.operator({ path: `/e/${world.environmentId}/messages/${message_id}` });
    const { page } = opened;

    await page
      .getByText(/in 00:59:\d\d/)
      .first()
      .waitFor();
    await page.keyboard.press('c');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the delivery' }).click();
    await page.getByText('Cancelled before it was sent').waitFor();

    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    const { delivery_runs } = await client.messages.deliveries(message_id);
    const [left] = delivery_runs.filter((run) => run.status === 'scheduled');
    await client.deliveryRuns.cancel(left?.id ?? '');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the delivery' }).click();
    await page.getByRole('alert').getByText('409 delivery_run_not_cancellable').waitFor();
    await page
      .getByRole('alert')
      .getByText(/console-/)
      .waitFor();
  });

  it('takes a template from an error at its line and column to an active version, and back', async () => {
    const world = await service.world('Cord');
    await service.deliver(world, { recipient: { email: 'carla@example.com', name: 'Carla' } });
    const opened = await service.operator({ path: `/e/${world.environmentId}/templates` });
    const { page, complaints } = opened;
    const previewed: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/preview-draft')) previewed.push(request.postData() ?? '');
    });
    await page.getByRole('link', { name: 'order.shipped' }).click();
    await page.frameLocator('iframe').getByText('Hello Carla').waitFor();
    // Not with an empty event first, whose values would seem to be missing.
    expect(previewed.filter((body) => !body.includes('A-1001'))).toEqual([]);

    const source = page.getByRole('textbox', { name: 'HTML or MJML' });
    await source.fill('<p>Dear {{ recipient.name }},</p>\n<p>see {% if payload.order_id %}your order.</p>');
    await page.getByText('/html, line 2, column 8').waitFor();
    await source.fill('<p>Dear {{ recipient.name }}, see {{ payload.nothing }}</p>');
    await page.getByText('The example has no payload.nothing.').waitFor();
    await source.fill('<p>Dear {{ recipient.name }}, your order {{ payload.order_id }} left.</p>');
    await page.frameLocator('iframe').getByText('Dear Carla, your order A-1001 left.').waitFor();
    await page.getByText('Copies, reply address, headers and files').click();
    await page.getByLabel('Cc', { exact: true }).fill('no address');
    await page.getByText('/cc').waitFor();
    await page.getByLabel('Cc', { exact: true }).fill('{{ payload.order_id }}@example.com');
    await page.getByText('A-1001@example.com').waitFor();
    await page.getByRole('button', { name: 'Save as a new version' }).click();
    await page.getByText('Version 2 is saved, but not active yet.').waitFor();
    expect(await page.getByLabel('Cc', { exact: true }).inputValue()).toBe(
      '{{ payload.order_id }}@example.com',
    );

    await page.getByRole('button', { name: 'Compare with version 1' }).click();
    await page.getByLabel('From version 1 to version 2').getByText('+ <p>Dear').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Activate (version 2)' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('button', { name: 'Roll back (version 1)' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('button', { name: 'Deactivate (version 1)' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('announces new messages without moving the list, and opens rows by keyboard only', async () => {
    const world = await service.world('Dune');
    for (const name of ['one', 'two', 'three'])
      await service.deliver(world, { recipient: { email: `${name}@example.com` } });
    const opened = await service.operator({ path: `/e/${world.environmentId}/messages` });
    const { page } = opened;
    const list = page.getByRole('region', { name: 'List of messages' });
    await list.getByRole('link', { name: 'three@example.com' }).waitFor();

    await service.deliver(world, { recipient: { email: 'four@example.com' } });
    await page.getByRole('button', { name: '1 new' }).waitFor();
    await expect(list.getByRole('link').first().textContent()).resolves.toBe('three@example.com');
    await page.getByRole('button', { name: '1 new' }).click();
    await list.getByRole('link', { name: 'four@example.com' }).waitFor();

    await page.getByLabel('Recipient').focus();
    await page.keyboard.type('two@example.com');
    await page.keyboard.press('Enter');
    await list.getByRole('link', { name: 'four@example.com' }).waitFor({ state: 'detached' });
    // The list may still be loading, and then it has no row to move to.
    await list.getByRole('link', { name: 'two@example.com' }).waitFor();
    expect(page.url()).toContain('recipient_email=two%40example.com');
    await page.getByRole('heading', { name: 'Messages' }).click();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'order.shipped to two@example.com' }).waitFor();
    await atFocus(page, /^Messagesorder\.shipped to two/);
    await page.keyboard.press('Tab');
    await atFocus(page, /^Messages$/);
    await page.goBack();
    await list.getByRole('link', { name: 'two@example.com' }).waitFor();

    await page.keyboard.press('?');
    await page
      .getByRole('dialog')
      .getByLabel(/Use keyboard shortcuts/)
      .uncheck();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog').count()).resolves.toBe(0);
  });

  it('creates a channel and tests it, sends another test through it, rotates its secret, and deletes it', async () => {
    const world = await service.world('Echo');
    const target = service.hooks().endpoint('/echo', status(200));
    const opened = await service.operator({ path: `/e/${world.environmentId}/channels` });
    const { page } = opened;
    await page.getByRole('link', { name: 'Create a channel' }).click();
    const dialog = page.getByRole('dialog');
    await page.getByRole('radio', { name: 'Webhook' }).check();
    await page.getByLabel('Name', { exact: true }).fill('Second receiver');
    await page.getByLabel('Address', { exact: true }).fill(target);
    await page.getByRole('button', { name: 'Create and test' }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('status').getByText('The test arrived.').waitFor();
    await atFocus(page, /^Second receiver was created$/);
    await page.getByRole('link', { name: 'Open the channel' }).click();

    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await dialog.getByRole('button', { name: 'Rotate the secret' }).click();
    await dialog.getByText(/^whsec_/).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('signs until').waitFor();
    await atFocus(page, /^Rotate the secret$/);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await dialog.getByRole('button', { name: 'Send the test' }).click();
    await dialog.getByText('It replied 200').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('Echo').waitFor();
    await dialog.getByRole('button', { name: 'Delete the channel' }).click();
    await page.getByRole('link', { name: 'Receiver', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Second receiver' }).waitFor({ state: 'detached' });
  });
});
