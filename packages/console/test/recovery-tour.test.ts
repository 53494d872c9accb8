import { waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import type { Locator } from 'playwright-core';
import { setUpConsole } from './support/console.ts';

const service = setUpConsole();

describe('the tour of an endpoint that fails', () => {
  it('leads from the overview to a pause, a resumption and the replay of its failures in nine clicks', async () => {
    const world = await service.world('Tour');
    const { environmentId, webhookChannelId, mailChannelId } = world;
    const admin = service.admin();
    await admin.channels.delete(mailChannelId);
    await admin.channels.update(webhookChannelId, { failure_policy: { min_attempts: 1, warn_after: 60 } });
    let answer = 503;
    const taken: string[] = [];
    service.hooks().endpoint(`/${environmentId}`, (response) => {
      if (answer === 200) taken.push('taken');
      response.writeHead(answer).end();
    });
    for (const order_id of ['A-1', 'A-2', 'A-3']) await service.deliver(world, { payload: { order_id } });
    await waitFor('the state', async () => {
      const { state } = await admin.channels.get(webhookChannelId);
      return state.last_reply?.status_code === 503;
    });

    const opened = await service.operator({ path: `/e/${environmentId}/overview` });
    const { page, complaints } = opened;
    let clicks = 0;
    const click = async (target: Locator) => {
      clicks += 1;
      await target.click();
    };
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const dialog = page.getByRole('dialog');

    await click(page.getByRole('link', { name: 'Channels', exact: true }));
    await page.getByRole('row').filter({ hasText: 'Receiver' }).getByText(/503/).waitFor();
    await click(page.getByRole('link', { name: 'Receiver' }));
    await click(button('Pause'));
    await click(dialog.getByRole('button', { name: 'Pause the channel' }));
    await dialog.waitFor({ state: 'detached' });
    answer = 200;
    await click(button('Resume').first());
    await click(dialog.getByRole('button', { name: 'Resume the channel' }));
    await dialog.waitFor({ state: 'detached' });
    await click(button('Recover'));
    await click(dialog.getByRole('button', { name: 'Send 3 again' }));
    await dialog.getByText('The failed deliveries are sent again.').waitFor();
    await click(dialog.getByRole('button', { name: 'Close' }).first());
    await waitFor('the replays', () => taken.length === 3);
    await page
      .getByRole('region', { name: 'Attempts', exact: true })
      .getByText('replay', { exact: true })
      .nth(2)
      .waitFor();

    process.stdout.write(
      `An endpoint that fails, is paused, recovers and gets its failures again: ${clicks} clicks.\n`,
    );
    expect(clicks).toBeLessThanOrEqual(9);
    expect(complaints).toEqual([]);
  }, 120_000);
});
