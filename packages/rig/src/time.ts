import { setTimeout as sleep } from 'node:timers/promises';

export interface WaitOptions {
  /** Milliseconds after which the wait fails; 90,000 by default, which only a hung machine reaches. */
  readonly timeoutMs?: number;
  /** Milliseconds between two checks; 20 by default. */
  readonly pollMs?: number;
}

type Answer<T> = T | null | undefined | false;

/**
 * Asks until the answer is neither null, undefined nor false, and resolves with it. A check that throws counts
 * as no. Rejects after the timeout, names what it waited for, and carries the last error as its cause.
 */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<Answer<T>> | Answer<T>,
  { timeoutMs = 90_000, pollMs = 20 }: WaitOptions = {},
): Promise<T> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    let cause: unknown;
    try {
      const answer = await ask();
      if (answer !== null && answer !== undefined && answer !== false) return answer;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > giveUpAt) throw new Error(`waited ${timeoutMs} ms for ${what}`, { cause });
    await sleep(pollMs);
  }
}

const offsetMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** Milliseconds of the machine's monotonic clock: the same in every process, whatever the wall clocks do. */
export const monotonicMs = (): number => offsetMs + performance.now();
