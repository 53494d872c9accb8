import { describe, expect, it } from '@postrider/testing';
import { axeViolations, setUpConsole } from './support/console.ts';

const service = setUpConsole();

const DAY_MS = 86_400_000;

describe('the usage of a tenant', () => {
  it('is drawn by day, split by environment and by kind of channel', async () => {
    const world = await service.world('Drawn');
    const admin = service.admin();
    const { id: environmentId } = await admin.environments.create(world.tenantId, { name: 'staging' });
    const { token } = await service.connect(environmentId);
    await service.deliver(world);
    await service.deliver(world);
    await service.deliver({ environmentId, token });
    await service.counted(world.environmentId, { delivered: 4 });
    await service.counted(environmentId, { delivered: 2 });
    const opened = await service.operator({ path: `/e/${world.environmentId}/usage` });
    const { page, complaints } = opened;
    /** The numbers of the running day, from the table of the chart. */
    const today = async (table: string) => {
      const row = page.getByRole('table', { name: table }).getByRole('row', { name: /still running/ });
      await row.waitFor({ state: 'attached' });
      return row.getByRole('cell').allTextContents();
    };
    expect(await today('Events by day and environment')).toEqual(['1', '2']);
    expect(await axeViolations(opened)).toEqual([]);
    await page.getByRole('button', { name: 'By kind of channel' }).click();
    expect(await today('Deliveries by day and kind')).toEqual(['3', '3']);
    expect(await axeViolations(opened)).toEqual([]);
    await page.getByRole('button', { name: 'By environment' }).click();
    expect(await today('Events by day and environment')).toEqual(['1', '2']);
    expect(complaints).toEqual([]);
  });

  it('has a forecast to the end of the month, with the day on which the limit is reached', async () => {
    const world = await service.world('Ahead');
    const admin = service.admin();
    await admin.plans.create({ code: 'five', name: 'Five', events_per_month: 5 });
    await admin.tenants.update(world.tenantId, { plan: 'five' });
    for (let sent = 0; sent < 3; sent += 1) await service.deliver(world);
    const { items } = await admin.tenants.usage(world.tenantId, { months: 1 });
    const begin = Date.parse(items[0]?.period_start ?? '');
    const month = new Date(begin);
    const days = (Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1) - begin) / DAY_MS;
    const { page, context } = await service.open();
    await context.clock.setFixedTime(begin + 14 * DAY_MS);
    await service.signIn({ page, context, complaints: [] });
    await page.evaluate(`location.hash = '/e/${world.environmentId}/usage'`);
    const expected = Math.round((3 / 14) * days);
    await page.getByText(`At the pace so far the month ends with about ${expected} events`).waitFor();
    // Three in 14 days: the fifth is sent after 23 days and a third.
    const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', day: 'numeric' });
    await page.getByText(`the limit is reached on ${day.format(begin + (70 / 3) * DAY_MS)} `).waitFor();
    await context.clock.setFixedTime(begin + DAY_MS / 2);
    await page.reload();
    await page.getByText('By calendar month').waitFor();
    await page.getByRole('table', { name: 'Usage by month' }).waitFor();
    expect(await page.getByText('At the pace so far').count()).toBe(0);
  });
});
