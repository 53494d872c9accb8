import { createPostriderAdmin } from '@postrider/client';
import { describe, expect, it } from '@postrider/testing';
import { axeViolations, type ConsolePage, goTo, setUpConsole } from './support/console.ts';

const service = setUpConsole();

/** Whether a token is accepted by the management API. */
const worksWith = (token: string) =>
  createPostriderAdmin({ baseUrl: service.url(), adminToken: token })
    .channels.of('env_00000000000000000000000000')
    .page()
    .then(
      () => 200,
      (error: { status: number }) => error.status,
    );

const dialogOf = ({ page }: ConsolePage) => page.getByRole('dialog');

describe('the screens of who may do what', () => {
  it('add an operator for one environment, sign them in by a link, change, end their session, and disable them', async () => {
    const world = await service.world('Bounded');
    const opened = await service.operator({ path: '/operators' });
    const { page, complaints } = opened;
    await page.getByRole('button', { name: 'Add an operator' }).first().click();
    const dialog = dialogOf(opened);
    await dialog.getByLabel('Email').fill('grace@example.com');
    await dialog.getByLabel('Name', { exact: true }).fill('Grace Hopper');
    await dialog.getByLabel('Role').selectOption('support');
    await dialog.getByLabel('For', { exact: true }).selectOption('some');
    await dialog.getByRole('group', { name: 'Bounded' }).getByLabel('production').check();
    await dialog.getByText('Chosen: 1 environment.').waitFor();
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor();
    await page.getByRole('link', { name: 'production' }).waitFor();
    const { data } = await service.admin().operators.page();
    const grace = data.find(({ email }) => email === 'grace@example.com');
    expect(grace).toMatchObject({ role: 'support', tenants: [], environments: [world.environmentId] });

    await page.getByRole('button', { name: 'Sign-in link' }).click();
    await dialog.getByRole('button', { name: 'Create the link' }).click();
    const link = await dialog.getByRole('region', { name: 'Link' }).textContent();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const other = await service.open({ fragment: new URL(link ?? '').hash });
    await other.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await goTo(other, '/sessions');
    await other.page.getByRole('heading', { name: 'My sessions' }).waitFor();
    await other.page
      .getByRole('row', { name: /grace@example.com this session link 127.0.0.1 Chrome/ })
      .waitFor();

    await page.getByRole('button', { name: 'Change' }).click();
    await dialog.getByLabel('Role').selectOption('viewer');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('viewer', { exact: true }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'End the session of grace@example.com' }).click();
    await page.getByText('The session is ended.').waitFor();
    await page.getByText('Nobody is signed in').waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await dialog.getByRole('button', { name: 'Disable the operator' }).click();
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('issue a token of a machine with chosen scopes, show it once, and revoke it', async () => {
    const opened = await service.operator({ path: '/operator-tokens' });
    const { page } = opened;
    const dialog = dialogOf(opened);
    await page.getByRole('button', { name: 'Issue a token' }).first().click();
    await dialog.getByLabel('Name').fill('deploy-pipeline');
    await dialog.getByLabel('May').selectOption('scopes');
    const read = dialog.getByRole('checkbox', { name: /^channels:read/ });
    await dialog.getByRole('checkbox', { name: /^channels:write/ }).check();
    expect([await read.isChecked(), await read.isDisabled()]).toEqual([true, true]);
    await dialog.getByRole('button', { name: 'Issue' }).click();
    const token = (await dialog.getByRole('region', { name: 'Token' }).textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(await worksWith(token)).toBe(404);
    await page.getByRole('row', { name: /deploy-pipeline Active .* channels:write everything/ }).waitFor();
    await page.getByRole('button', { name: 'Revoke deploy-pipeline' }).click();
    await dialog.getByRole('button', { name: 'Revoke the token' }).click();
    await page.getByRole('row', { name: /deploy-pipeline Revoked/ }).waitFor();
    expect(await worksWith(token)).toBe(401);
    expect(await page.content()).not.toContain(token);
  });

  it('create a role, change it, and delete it, but not a built-in one', async () => {
    const opened = await service.operator({ path: '/roles' });
    const { page } = opened;
    const dialog = dialogOf(opened);
    await page.getByRole('button', { name: 'Create a role' }).click();
    await dialog.getByLabel('Code').fill('on-call');
    await dialog.getByLabel('Name').fill('On call');
    await dialog.getByRole('checkbox', { name: /^replays:write/ }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row', { name: /On call on-call/ });
    await row.getByText('replays:write', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Change' }).click();
    await dialog.getByRole('checkbox', { name: /^deliveries:cancel/ }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('replays:write, deliveries:cancel').waitFor();
    await expect(
      page
        .getByRole('row', { name: /viewer/ })
        .getByRole('button')
        .count(),
    ).resolves.toBe(0);
    await row.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete the role' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('issue a token of an environment with chosen scopes', async () => {
    const world = await service.world('Scoped');
    const opened = await service.operator({ path: `/e/${world.environmentId}/tokens` });
    const { page } = opened;
    const dialog = dialogOf(opened);
    await page.getByRole('button', { name: 'Issue a token' }).click();
    await dialog.getByLabel('Name').fill('portal');
    await dialog.getByRole('checkbox', { name: /^events:write/ }).uncheck();
    await dialog.getByRole('checkbox', { name: /^channels:write/ }).check();
    await dialog.getByRole('button', { name: 'Issue' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const { data } = await service.admin().tokens.of(world.environmentId).page();
    const portal = data.find(({ name }) => name === 'portal');
    expect(portal?.scopes).toContain('channels:write');
    expect(portal?.scopes).not.toContain('events:write');
  });

  it('pass axe in both themes at 1440 and 390 pixels, also with their dialogs open', async () => {
    const world = await service.world('Wide');
    const { id } = await service.operatorWith({ role: 'support' });
    await service
      .admin()
      .operatorTokens.issue({ name: 'deploy', scopes: ['channels:write', 'templates:write'] });
    const role = { code: 'night', name: 'Night shift', scopes: ['replays:write' as const] };
    await service.admin().roles.create(role);
    const screens = [
      ['/operators', 'Add an operator'],
      [`/operators/${id}`, 'Change'],
      [`/operators/${id}`, 'Sign-in link'],
      ['/operator-tokens', 'Issue a token'],
      ['/roles', 'Create a role'],
      ['/sessions', null],
      [`/e/${world.environmentId}/tokens`, 'Issue a token'],
    ] as const;
    const form = new URLSearchParams({ client_name: 'ada@laptop' });
    const codes = await (
      await fetch(`${service.url()}/console/device`, { method: 'POST', body: form })
    ).json();
    const device = `/device?code=${(codes as { user_code: string }).user_code}`;
    const found: string[] = [];
    for (const theme of ['light', 'dark'] as const)
      for (const width of [1_440, 390]) {
        const opened = await service.operator({ theme, width });
        const { page, complaints } = opened;
        const check = async (name: string) => {
          await page.locator('.skeleton').first().waitFor({ state: 'detached' });
          for (const each of await axeViolations(opened, theme))
            found.push(`${name} ${theme} ${width}: ${each}`);
          if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
            found.push(`${name} ${width}: wider than the page`);
        };
        for (const [path, button] of screens) {
          await goTo(opened, path);
          await page.getByRole('table').first().waitFor();
          await check(path);
          if (!button) continue;
          await page.getByRole('button', { name: button, exact: true }).first().click();
          await dialogOf(opened).waitFor();
          await check(`${path} ${button}`);
          await page.keyboard.press('Escape');
          await dialogOf(opened).waitFor({ state: 'detached' });
        }
        await goTo(opened, device);
        await page.getByRole('button', { name: 'Continue' }).click();
        await page.getByText('ada@laptop').waitFor();
        await check('/device');
        expect(complaints).toEqual([]);
      }
    expect(found).toEqual([]);
  }, 240_000);
});
