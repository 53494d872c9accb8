import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { axeViolations } from '../support/axe.ts';
import { scrolledSideways } from '../support/fit.ts';

/** How the console is looked at. */
export interface Look {
  readonly width: number;
  readonly theme: 'light' | 'dark';
}

const NARROW = 900;
const HEIGHT = 900;
const STEP_MS = 60_000;

/** Somebody who is signed in and whose clicks are counted. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly look: Look;
  /** Clicks, or presses Enter in a field. */
  click(target: Locator): Promise<void>;
  /** Opens a screen by the navigation, which is behind a button on a narrow page. */
  open(name: string): Promise<void>;
  /** Searches with the box at the top: a click, the text, and Enter. */
  search(text: string): Promise<void>;
  goTo(path: string): Promise<void>;
  /** Resolves with the clicks since the last call. */
  takeClicks(): number;
}

/** Opens the console at a screen as the administrator. */
export async function visit(
  browser: Browser,
  { url, adminToken, look, path }: { url: string; adminToken: string; look: Look; path: string },
): Promise<Visitor> {
  const context = await browser.newContext({
    colorScheme: look.theme,
    viewport: { width: look.width, height: HEIGHT },
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(STEP_MS);
  const signedIn = await context.request.post(`${url}/console/session`, { data: { token: adminToken } });
  if (!signedIn.ok()) throw new Error(`Signing in failed: ${await signedIn.text()}`);
  const page = await context.newPage();
  await page.goto(`${url}/console/#${path}`);
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  return {
    page,
    context,
    look,
    click,
    async open(name) {
      if (look.width < NARROW) await click(page.getByRole('button', { name: 'Menu' }));
      await click(page.getByRole('link', { name, exact: true }));
    },
    async search(text) {
      await click(page.getByRole('searchbox'));
      await page.keyboard.type(text);
      clicks += 1;
      await page.keyboard.press('Enter');
    },
    goTo: (to) => page.evaluate(`location.hash = ${JSON.stringify(to)}`),
    takeClicks() {
      const taken = clicks;
      clicks = 0;
      return taken;
    },
  };
}

/** The page without a change for this time is complete. */
const SHOWN = (text: string) => `
  new Promise((resolve, reject) => {
    const began = performance.now();
    const look = () => {
      const main = document.querySelector('#main');
      const isShown = main?.innerText.toLowerCase().includes(${JSON.stringify(text.toLowerCase())}) && !main.querySelector('.skeleton');
      if (isShown) return resolve(performance.now() - began);
      if (performance.now() - began > ${STEP_MS}) return reject(new Error(${JSON.stringify(`“${text}” was not shown`)}));
      requestAnimationFrame(look);
    };
    look();
  })`;

/** Goes to a screen within the console. Resolves with the milliseconds until it shows a text and nothing loads. */
export const timeOf = ({ page }: Visitor, path: string, text: string): Promise<number> =>
  page.evaluate(`(location.hash = ${JSON.stringify(path)}, ${SHOWN(text)})`);

/** Resolves once the page shows a text and nothing loads. */
export const shown = ({ page }: Visitor, text: string): Promise<number> => page.evaluate(SHOWN(text));

/** The largest contentful paint of the page since it was opened, in milliseconds. */
export const largestPaint = ({ page }: Visitor): Promise<number> =>
  page.evaluate(`new Promise((resolve) =>
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
      .observe({ type: 'largest-contentful-paint', buffered: true }))`);

/** What scrolls sideways, and what axe finds. */
export async function defectsOf(visitor: Visitor): Promise<string[]> {
  return [...(await scrolledSideways(visitor)), ...(await axeViolations(visitor, visitor.look.theme))];
}

/** A picture of the whole screen, not only of what fits the window. */
export async function picture({ page, look }: Visitor, path: string): Promise<void> {
  const height = await page.evaluate<number>(
    "Math.ceil(document.querySelector('#main').getBoundingClientRect().top + document.querySelector('#main').scrollHeight)",
  );
  await page.setViewportSize({ width: look.width, height: Math.min(3_000, Math.max(HEIGHT, height)) });
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await page.screenshot({ path });
  await page.setViewportSize({ width: look.width, height: HEIGHT });
}
