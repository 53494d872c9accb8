import axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly target: unknown[] }[];
  }[];
}

/** The rules whose result depends on the theme: a page has the same elements and sizes in both. */
const THEME_RULES = ['color-contrast', 'link-in-text-block'];

/** Resolves when the page has drawn its current state: after the next frame and the transitions that begin in it. */
const DRAWN = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => document.getAnimations().filter(({ effect }) => isFinite(effect.getComputedTiming().endTime)))
  .then((animations) => Promise.allSettled(animations.map(({ finished }) => finished)))
  .then(() => undefined)`;

/** A page, or a frame of one. */
type Shown = { readonly page: Page | Frame };

async function violationsOf({ page }: Shown, runOnly: object): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(`${axe.source}; undefined`);
  await page.evaluate(DRAWN);
  const options = { runOnly, iframes: false, resultTypes: ['violations'] };
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => ({ violations }))`,
  );
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}

/**
 * What axe finds on the page, in short: WCAG 2.2 A and AA, in the dark theme only the rules that depend on it. Frames are left out:
 * what they show is not ours. A page must not change its theme before: Chromium may then draw cells in a colour between the two.
 */
export const axeViolations = (opened: Shown, theme: 'light' | 'dark' = 'light'): Promise<string[]> =>
  violationsOf(
    opened,
    theme === 'light' ? { type: 'tag', values: TAGS } : { type: 'rule', values: THEME_RULES },
  );
