import { setTimeout as wait } from 'node:timers/promises';

/** How often conditions are looked at. */
const POLL_MS = 100;

/**
 * Resolves when the condition holds; rejects, saying what was waited for, when it does not in time. A check
 * that throws counts as no.
 */
export async function until(
  what: string,
  deadlineMs: number,
  condition: () => Promise<boolean> | boolean,
): Promise<void> {
  const giveUpAt = performance.now() + deadlineMs;
  let cause: unknown;
  while (performance.now() < giveUpAt) {
    try {
      if (await condition()) return;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await wait(POLL_MS);
  }
  throw new Error(`gave up waiting after ${deadlineMs} ms: ${what}`, { cause });
}
