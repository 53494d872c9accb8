import { waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { axeViolations, type ConsolePage, setUpConsole } from './support/console.ts';

const service = setUpConsole();

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
