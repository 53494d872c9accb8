import { waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import type { Locator } from 'playwright-core';
import { setUpConsole } from './support/console.ts';
import { recoverEndpoint } from './support/recover-endpoint.ts';

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

    await click(page.getByRole('link', { name: 'Channels', exact: true }));
    await page.getByRole('row').filter({ hasText: 'Receiver' }).getByText(/503/).waitFor();
    await click(page.getByRole('link', { name: 'Receiver' }));
    await recoverEndpoint(
      { page, click },
      {
        repair: () => {
          answer = 200;
        },
        replayed: () => waitFor('the replays', () => taken.length === 3),
      },
    );

    process.stdout.write(
      `An endpoint that fails, is paused, recovers and gets its failures again: ${clicks} clicks.\n`,
    );
    expect(clicks).toBeLessThanOrEqual(9);
    expect(complaints).toEqual([]);
  });
});
