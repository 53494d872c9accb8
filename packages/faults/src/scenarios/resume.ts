import type { Service } from '@postrider/local-stack/testing';
import { waitFor } from '@postrider/rig';
import type { Context } from './scenario.ts';

/** Generous: the scenarios judge how soon something has to go on. */
const SEND_TIMEOUT_MS = 120_000;
const ANSWER_TIMEOUT_MS = 60_000;

/** Waits until a count has grown and returns how long that took, in milliseconds. */
async function untilGrown(what: string, timeoutMs: number, count: () => number): Promise<number> {
  const before = count();
  const began = performance.now();
  await waitFor(what, () => count() > before, { timeoutMs });
  return Math.round(performance.now() - began);
}

/** Milliseconds from now until a receiver gets something. */
export function untilNextSend({ stack }: Pick<Context, 'stack'>): Promise<number> {
  return untilGrown('a send to arrive', SEND_TIMEOUT_MS, () => stack.sends.sends.length);
}

/** Milliseconds from the end of `fault`, which is now, until one more event has its final answer. */
export function untilNextAnswer(fault: string, answered: () => number): Promise<number> {
  return untilGrown(`an event to have its final answer after ${fault}`, ANSWER_TIMEOUT_MS, answered);
}

/** Stops an API process in order and starts it again, while clients go to the others. */
export async function restartApi({ outOfRotation }: Context, api: Service): Promise<void> {
  outOfRotation.add(api);
  await api.stop();
  await api.start();
  outOfRotation.delete(api);
}
