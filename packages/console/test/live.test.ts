import { createPostrider } from '@postrider/client';
import { startTcpProxy, status } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import type { Page } from 'playwright-core';
import { axeViolations, setUpConsole } from './support/console.ts';

const service = setUpConsole();

/** Waits until a second message is shown, or offered below the button, as for a reader who has scrolled. */
const waitForBea = (page: Page) =>
  page
    .getByRole('link', { name: 'bea@example.com' })
    .or(page.getByRole('button', { name: '1 new' }))
    .first()
    .waitFor();

describe('live updates', () => {
  it('say that they are lost during an outage, and then show what happened meanwhile without a reload', async () => {
    const world = await service.world('Outage');
    await service.deliver(world);
    const proxy = await startTcpProxy(service.url());
    try {
      const opened = await service.operator({
        at: proxy.url.replace(/\/$/, ''),
        path: `/e/${world.environmentId}/messages`,
      });
      const { page, complaints } = opened;
      await page.getByText('1 message · live').waitFor();

      proxy.set('reset');
      await page.getByText('Not connected.').waitFor();
      await page.getByText(/1 message · as of \d\d:\d\d:\d\d/).waitFor();
      expect(await axeViolations(opened)).toEqual([]);
      await service.deliver(world, { recipient: { email: 'bea@example.com' } });

      proxy.set(null);
      await page.getByText('Not connected.').waitFor({ state: 'detached' });
      await page.getByText('· live').waitFor();
      await waitForBea(page);
      expect(complaints).toEqual([]);
    } finally {
      await proxy.close();
    }
  });

  it('stop in a tab that is not visible, which then needs no connection, and catch up when it is', async () => {
    const world = await service.world('Hidden');
    await service.deliver(world);
    const { page, complaints } = await service.operator({ path: `/e/${world.environmentId}/messages` });
    await page.getByText('1 message · live').waitFor();
    const show = (state: 'hidden' | 'visible') =>
      page.evaluate(`
        Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));`);
    await show('hidden');
    await page.getByText(/1 message · as of \d\d:\d\d:\d\d/).waitFor();
    await service.deliver(world, { recipient: { email: 'bea@example.com' } });
    await show('visible');
    await page.getByText('· live').waitFor();
    await waitForBea(page);
    expect(complaints).toEqual([]);
  });

  it('show each step of an open message, with a sentence that says what happened', async () => {
    const world = await service.world('Steps');
    const { environmentId } = world;
    service.hooks().endpoint(`/${environmentId}`, (response, count, request) => {
      const answer = count === 1 ? status(503) : status(200);
      return answer(response, count, request);
    });
    const client = createPostrider({ baseUrl: service.url(), token: world.token });
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const { message_id } = await client.events.send({
      event_key: 'order.shipped',
      recipient: { email: 'ada@example.com', name: 'Ada' },
      payload: { order_id: 'A-1' },
      schedule_at: at,
    });
    const opened = await service.operator({ path: `/e/${environmentId}/messages/${message_id}` });
    const { page, complaints } = opened;
    const explanation = page.getByRole('region', { name: 'What happened' });
    await explanation.getByText('Receiver will get the event later.').waitFor();
    await explanation.getByRole('button', { name: 'Cancel it' }).waitFor();
    await client.messages.reschedule(message_id, new Date(Date.now() + 1_000).toISOString());
    await explanation
      .getByText('Receiver did not get the event: the endpoint responded with an error.')
      .waitFor();
    await explanation.getByText('It will not be tried again. The other delivery succeeded.').waitFor();
    await explanation.getByRole('button', { name: 'Send it again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click();
    await explanation.getByText('Receiver got the event.').waitFor();
    expect(await axeViolations(opened)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
