import { setTimeout as sleep } from 'node:timers/promises';

interface WaitOptions {
  /** The time limit in milliseconds; 90,000 by default, which only a hung machine reaches. */
  readonly timeoutMs?: number;
  /** Milliseconds between two checks; by default a fifth of the wait so far, at least 10 and at most 200. */
  readonly pollMs?: number;
}

const DEFAULT_POLL = { partOfWait: 0.2, leastMs: 10, mostMs: 200 };

type Answer<T> = T | null | undefined | false;

/**
 * Polls until the check returns neither null, undefined nor false, and resolves with the result. A check that throws
 * counts as failed. Rejects after the timeout with an error that names `what` and has the last error as its cause.
 */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<Answer<T>> | Answer<T>,
  { timeoutMs = 90_000, pollMs }: WaitOptions = {},
): Promise<T> {
  const began = performance.now();
  for (;;) {
    let cause: unknown;
    try {
      const answer = await ask();
      if (answer !== null && answer !== undefined && answer !== false) return answer;
    } catch (error) {
      cause = error;
    }
    const waitedMs = performance.now() - began;
    if (waitedMs > timeoutMs) throw new Error(`waited ${timeoutMs} ms for ${what}`, { cause });
    const { partOfWait, leastMs, mostMs } = DEFAULT_POLL;
    await sleep(pollMs ?? Math.min(mostMs, Math.max(leastMs, waitedMs * partOfWait)));
  }
}

const offsetMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** Milliseconds of the machine's monotonic clock, which is the same in every process and independent of wall clocks. */
export const monotonicMs = (): number => offsetMs + performance.now();
