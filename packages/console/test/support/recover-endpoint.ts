import type { Locator, Page } from 'playwright-core';

/**
 * Pauses the channel whose page is open, resumes it, has its three failures sent again, and waits until their attempts are shown.
 * `repair` is called while it is paused; `replayed` resolves when the endpoint has got all three.
 */
export async function recoverEndpoint(
  { page, click }: { readonly page: Page; readonly click: (target: Locator) => Promise<void> },
  { repair, replayed }: { readonly repair: () => void; readonly replayed: () => Promise<unknown> },
): Promise<void> {
  const button = (text: string) => page.getByRole('button', { name: text, exact: true });
  const dialog = page.getByRole('dialog');
  await click(button('Pause'));
  await click(dialog.getByRole('button', { name: 'Pause the channel' }));
  await dialog.waitFor({ state: 'detached' });
  repair();
  await click(button('Resume').first());
  await click(dialog.getByRole('button', { name: 'Resume the channel' }));
  await dialog.waitFor({ state: 'detached' });
  await click(button('Recover').first());
  await click(dialog.getByRole('button', { name: 'Send 3 again' }));
  await dialog.getByText('The failed deliveries are sent again.').waitFor();
  await click(dialog.getByRole('button', { name: 'Close' }).first());
  await replayed();
  await page
    .getByRole('region', { name: 'Attempts', exact: true })
    .getByText('replay', { exact: true })
    .nth(2)
    .waitFor();
}
