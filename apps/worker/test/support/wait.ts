import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until the answer is neither null, undefined nor false; fails after `timeoutMs`. */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  timeoutMs = 30_000,
): Promise<T> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (performance.now() > giveUpAt) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await sleep(20);
  }
}
