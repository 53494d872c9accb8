import { until } from '../until.ts';
import type { Context } from './scenario.ts';

/** Generous: how soon something has to go on is for the scenarios to judge. */
const SEND_DEADLINE_MS = 120_000;
const ANSWER_DEADLINE_MS = 60_000;

/** Waits until a count has grown and returns how long that took, in milliseconds. */
async function untilGrown(what: string, deadlineMs: number, count: () => number): Promise<number> {
  const before = count();
  const began = performance.now();
  await until(what, deadlineMs, () => count() > before);
  return Math.round(performance.now() - began);
}

/** Milliseconds from now until a receiver gets something. */
export function untilNextSend({ stack }: Pick<Context, 'stack'>): Promise<number> {
  return untilGrown('a receiver gets something', SEND_DEADLINE_MS, () => stack.sends.sends.length);
}

/** Milliseconds from the end of `fault`, which is now, until one more event has its final answer. */
export function untilNextAnswer(fault: string, answered: () => number): Promise<number> {
  return untilGrown(`an event has its final answer after ${fault}`, ANSWER_DEADLINE_MS, answered);
}
