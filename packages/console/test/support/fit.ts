import type { Page } from 'playwright-core';

/** Widths of the page in pixels: a desk, a tablet and a phone. */
export const WIDTHS = [1_440, 1_024, 390] as const;

/** What must not scroll sideways. Code may. */
const PARTS = ['html', '#main', '[role=dialog]', '.dialog-body', '.table-wrap', '.list-scroll'];

const TOO_WIDE = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() =>
  [...document.querySelectorAll(${JSON.stringify(PARTS.join())})]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map((each) => (each.ariaLabel ?? each.id ?? '') + ' ' + each.tagName.toLowerCase() + '.' + each.className
      + ' is ' + (each.scrollWidth - each.clientWidth) + ' px too wide'))`;

/** The parts of the page that scroll sideways at its current width. */
export const scrolledSideways = ({ page }: { readonly page: Page }): Promise<string[]> =>
  page.evaluate<string[]>(TOO_WIDE);

/** The same at each of {@link WIDTHS}; then the page has its first width again. */
export async function unfit(opened: { readonly page: Page }): Promise<string[]> {
  const { page } = opened;
  const before = page.viewportSize();
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: before?.height ?? 900 });
    for (const each of await scrolledSideways(opened)) found.push(`${width} px: ${each}`);
  }
  if (before) await page.setViewportSize(before);
  return found;
}
