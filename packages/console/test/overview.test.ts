import { describe, expect, it } from '@postrider/testing';
import { axeViolations, goTo, setUpConsole } from './support/console.ts';

const service = setUpConsole();

describe('the overview of an environment', () => {
  it('leads from an empty environment to the first mail, and draws no chart without data', async () => {
    const world = await service.world('Fresh');
    const opened = await service.operator({ path: `/e/${world.environmentId}/overview` });
    const { page, complaints } = opened;
    await page.getByRole('heading', { name: 'Start here' }).waitFor();
    await page.getByLabel('Command', { exact: true }).getByText('/api/v1/events').waitFor();
    expect(await page.locator('.chart').count()).toBe(0);
    expect(await axeViolations(opened)).toEqual([]);

    await service.deliver(world);
    await page.getByRole('link', { name: 'Open your first message' }).click();
    await page
      .locator('.event', { hasText: 'replied 250' })
      .getByRole('button', { name: 'What was sent' })
      .click();
    await page.frameLocator('iframe').getByText('Hello Ada, order A-1001 is on its way.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('opens the messages behind a part of a chart by click and by keyboard, in every range', async () => {
    const world = await service.world('Figures');
    const { environmentId } = world;
    await service.deliver(world);
    service.mail().fail('rcpt', 550);
    const failed = await service.deliver(world, { recipient: { email: 'bea@example.com' } });
    await service.counted(environmentId, { delivered: 3, failed: 1 });
    const opened = await service.operator({ path: `/e/${environmentId}/overview` });
    const { page, complaints } = opened;
    const running = page.getByRole('button', { name: /still running: 3 delivered, 1 failed/ });
    for (const range of ['1 hour', '24 hours', '7 days', '30 days']) {
      await page.getByRole('button', { name: range }).click();
      await page.getByText(`the last ${range}`).waitFor();
      await page.getByRole('table', { name: 'Deliveries by outcome' }).waitFor({ state: 'attached' });
    }
    await page.getByText('It opens the messages that were accepted in it.').waitFor();
    await running.locator('[data-series=failed]').click();
    await page.getByRole('link', { name: 'bea@example.com' }).waitFor();
    expect(page.url()).toContain('run_status=failed');
    expect(await page.getByRole('link', { name: 'ada@example.com' }).count()).toBe(0);
    await page.goBack();

    await running.focus();
    await page.keyboard.press('ArrowLeft');
    expect(await running.evaluate((element) => element.matches(':focus'))).toBe(false);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'ada@example.com' }).waitFor();
    await page.getByRole('link', { name: 'bea@example.com' }).click();
    await page.waitForURL((url) => url.hash.includes(failed));
    expect(complaints).toEqual([]);
    await goTo(opened, `/e/${environmentId}/overview?range=30d`);
    await running.waitFor();
    expect(await axeViolations(opened)).toEqual([]);
  });
});
