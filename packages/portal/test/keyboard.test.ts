import { status, waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import type { Page } from 'playwright-core';
import { setUpPortal } from './support/portal.ts';

const portal = setUpPortal();

/** More than any screen has to pass. */
const MAX_TABS = 80;

/** The name of the element with the focus, and whether one sees that it has it. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  const label = element.labels?.[0]?.textContent ?? element.getAttribute('aria-label');
  return {
    name: (label ?? element.textContent).trim(),
    role: element.tagName,
    isVisible: (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none',
  };
})()`;

interface Focused {
  readonly name: string;
  readonly role: string;
  readonly isVisible: boolean;
}

const focused = (page: Page) => page.evaluate<Focused>(FOCUSED);

/** Goes on to the control with a name, by the Tab key alone. Whatever has the focus on the way must show it. */
async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < MAX_TABS; step += 1) {
    await page.keyboard.press(key);
    const at = await focused(page);
    expect([at.name, at.role === 'BODY' || at.isVisible]).toEqual([at.name, true]);
    if (typeof name === 'string' ? at.name === name : name.test(at.name)) return;
    passed.push(at.name);
  }
  throw new Error(`Tab does not lead to ${name}, only to ${[...new Set(passed)].join(', ')}`);
}

const press = async (page: Page, name: string | RegExp) => {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
};

const atFocus = (page: Page, name: string) =>
  waitFor(`the focus on ${name}`, async () => (await focused(page)).name === name);

/** Waits until the heading of a screen or of a question has the focus. */
const atHeading = (page: Page, name: string) =>
  waitFor(`the heading ${name}`, async () => {
    const at = await focused(page);
    return at.name === name && /^H[12]$/.test(at.role);
  });

describe('the portal by keyboard alone', () => {
  it('adds an endpoint, tests, pauses, changes and deletes it, and always shows where the focus is', async () => {
    const world = await portal.world('keys');
    const { page, complaints } = await portal.openPage();
    await page.goto(await portal.link(world));
    await page.getByText('You have no endpoint yet').waitFor();

    await press(page, 'Add an endpoint');
    await atHeading(page, 'Add an endpoint');
    await tabTo(page, 'Address (URL)');
    await page.keyboard.type('https://hooks.example.com/keys');
    await tabTo(page, 'Name');
    await page.keyboard.type('My shop');
    await tabTo(page, 'All events, including future ones');
    await page.keyboard.press('ArrowDown');
    await tabTo(page, /^order\.shipped/);
    await page.keyboard.press('Space');
    await press(page, /^Advanced/);
    await tabTo(page, 'Form of the body');
    await page.keyboard.type('Ids');
    await press(page, 'Add the endpoint');
    await atFocus(page, 'The endpoint is added. This is its signing secret.');
    await press(page, 'I have copied it');
    await atHeading(page, 'My shop');
    const { data } = await portal.call<{ data: { id: string; event_keys: string[]; config: object }[] }>(
      'GET',
      `/environments/${world.environmentId}/consumers/keys/channels`,
    );
    expect(data).toMatchObject([{ event_keys: ['order.shipped'], config: { body: 'thin' } }]);
    const url = portal.hooks().endpoint('/keys', status(200));
    await portal.call('PATCH', `/channels/${data[0]?.id}`, { config: { url } });

    // A question has the focus, and gives it back to its button.
    await press(page, 'Pause');
    await atHeading(page, 'Pause this endpoint?');
    await page.keyboard.press('Escape');
    await atFocus(page, 'Pause');
    await page.keyboard.press('Enter');
    await atHeading(page, 'Pause this endpoint?');
    await tabTo(page, 'Cancel');
    await page.keyboard.press('Tab');
    expect((await focused(page)).name).toBe('Pause');
    await page.keyboard.press('Enter');
    await page.getByText('The endpoint is paused.').waitFor();
    await atFocus(page, 'Resume');
    await page.keyboard.press('Enter');
    await atHeading(page, 'Resume this endpoint?');
    await press(page, 'Resume');
    await page.getByText('The endpoint is resumed.').waitFor();

    await atFocus(page, 'Pause');
    await tabTo(page, 'Send a test', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await atHeading(page, 'Send a test?');
    await press(page, 'Send the test');
    await atHeading(page, 'postrider.test');
    await page.getByRole('region', { name: 'Attempt 1' }).getByText('Delivered').waitFor();
    await press(page, 'Show what was sent');
    await page.getByText('This is exactly what was sent.').waitFor();

    await tabTo(page, 'My shop', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await atHeading(page, 'My shop');
    await press(page, 'Change');
    await atHeading(page, 'Change My shop');
    await tabTo(page, 'Name');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('Renamed');
    await press(page, 'Save');
    await atHeading(page, 'Renamed');
    await press(page, 'Rotate the secret');
    await atHeading(page, 'Create a new signing secret?');
    await press(page, 'Rotate the secret');
    await atFocus(page, 'This is the new signing secret.');
    await press(page, 'I have copied it');
    await atFocus(page, 'Rotate the secret');
    await press(page, 'Delete');
    await atHeading(page, 'Delete Renamed?');
    await press(page, 'Delete');
    await page.getByText('The endpoint is deleted.').waitFor();
    await atHeading(page, 'Endpoints');
    expect(complaints).toEqual([]);
  });
});

describe('a question of the portal', () => {
  it('keeps its meaning when somebody else changes the endpoint while it is open', async () => {
    const world = await portal.world('asked');
    const { id } = await portal.endpoint(world, 'Warehouse', portal.hooks().endpoint('/asked', status(200)));
    const { page } = await portal.openPage();
    await page.goto(await portal.link(world));
    await page.getByRole('link', { name: 'Warehouse' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    const question = page.getByRole('form', { name: 'Pause this endpoint?' });
    await question.waitFor();
    await portal.call('POST', `/channels/${id}/pause`);
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await question.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('The endpoint is paused.').waitFor();
  });
});
