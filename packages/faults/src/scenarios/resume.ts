import { until } from '../until.ts';
import type { Context } from './scenario.ts';

/** Milliseconds from now until a receiver gets something. */
export async function untilNextSend({ stack }: Pick<Context, 'stack'>): Promise<number> {
  const before = stack.sends.sends.length;
  const began = performance.now();
  await until('a receiver gets something', 120_000, () => stack.sends.sends.length > before);
  return Math.round(performance.now() - began);
}
