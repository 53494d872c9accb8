import type { BodyOf } from '@postrider/client';
import { describe, expect, it } from '@postrider/testing';
import { axeViolations, goTo, setUpConsole } from './support/console.ts';

const service = setUpConsole();

/** Applies what an environment has to itself, and one event type more. */
async function applyFromCode(environmentId: string): Promise<void> {
  const { environments } = service.admin();
  const { document } = await environments.configuration(environmentId);
  const { plans: _plans, roles: _roles, ...own } = document;
  const body = {
    document: { ...own, event_types: [{ event_key: 'order.paid', description: 'From code.' }] },
  } as unknown as BodyOf<'planConfiguration'>;
  const { hash } = await environments.configurationPlan(environmentId, body);
  await environments.configurationApply(environmentId, { ...body, hash });
}

describe('the settings of an environment', () => {
  it('show who applied the configuration from code, and lead to what was changed by hand since', async () => {
    const { environmentId, webhookChannelId } = await service.world('Coded');
    const opened = await service.operator({ path: `/e/${environmentId}/settings` });
    const { page, complaints } = opened;
    const card = page.locator('.card', { hasText: 'Configuration as code' });
    await card.getByText('No configuration has been applied from code yet.').waitFor();
    await card.getByText(`config export --environment ${environmentId} --out config`).waitFor();

    await applyFromCode(environmentId);
    await page.reload();
    await card.getByText('Nothing was changed since then.').waitFor();
    await card.getByText('admin', { exact: true }).waitFor();

    await service.admin().channels.update(webhookChannelId, { name: 'Renamed' });
    await service.admin().eventTypes.put(environmentId, 'order.paid', { description: 'By hand.' });
    await page.reload();
    const rows = card.getByRole('row');
    await rows.filter({ hasText: 'Channel webhook Receiver' }).getByText('Removed').waitFor();
    await rows.filter({ hasText: 'Channel webhook Renamed' }).getByText('Created').waitFor();
    await rows.filter({ hasText: 'Event type order.paid' }).getByText('Changed', { exact: true }).waitFor();
    expect(await axeViolations(opened)).toEqual([]);

    await card.getByRole('link', { name: 'Channel webhook Renamed' }).click();
    await page.getByRole('heading', { name: 'Renamed' }).waitFor();
    await goTo(opened, `/e/${environmentId}/settings`);
    await card.getByRole('link', { name: 'Event type order.paid' }).click();
    await page.getByRole('heading', { name: 'order.paid' }).waitFor();
    expect(complaints).toEqual([]);

    for (const theme of ['light', 'dark'] as const) {
      const small = await service.operator({ theme, width: 390, path: `/e/${environmentId}/settings` });
      await small.page.getByRole('link', { name: 'Channel webhook Renamed' }).waitFor();
      expect(await axeViolations(small, theme)).toEqual([]);
      expect(await small.page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    }
  }, 180_000);
});
